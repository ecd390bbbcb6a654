/** A corporate action: its state, dates and terms, its load, and who is entitled. */
import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { labelOf } from '../design/codes.ts'
import { type Fact, Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { useRead } from '../reads.ts'
import { type Action, isElective, type Option, titleOf } from './action.ts'
import { Amendments } from './amendments.tsx'
import { useBookDays } from './book-days.ts'
import { Dates, stateInWords } from './dates.tsx'
import { Entitled } from './entitled.tsx'
import { Terms } from './terms.tsx'

const above = [{ label: 'Corporate actions', to: '/books/corporate-actions' }]

export function ActionScreen() {
  const [{ id = '' }] = useFilters()
  const read = useRead('list-corporate-actions', { corporateActionId: id }, { enabled: id !== '' })
  if (id === '' || read.data?.corporateActions.length === 0)
    return (
      <Page title="Corporate action" above={above}>
        <Empty what="There is no corporate action with this id." />
      </Page>
    )
  return (
    <Shown read={read} failedPage={{ title: 'Corporate action', above }}>
      {({ corporateActions }) => corporateActions.map((action) => <OneAction key={id} action={action} />)}
    </Shown>
  )
}

function OneAction({ action }: { readonly action: Action }) {
  const { businessDate } = useBookDays()
  const { corporateActionId, state, symbol, secNo, type, loadId } = action
  return (
    <Page
      title={titleOf(action)}
      subject={titleOf(action)}
      note={stateInWords(action, businessDate)}
      above={above}
      badge={<Status of={state} />}
    >
      <div className="columns">
        <Stack gap="md">
          <Panel title="Announcement">
            <Facts
              facts={[
                [
                  'Id',
                  <span key="id" className="mono">
                    {corporateActionId}
                  </span>,
                ],
                ['Type', labelOf('corporateActionType', type)],
                [
                  'Security',
                  <Link
                    key="security"
                    to="/books/stock-record"
                    search={() => ({ security: symbol || secNo })}
                  >
                    {symbol || secNo}
                  </Link>,
                ],
                ['Version of the terms', String(action.version)],
                [
                  'Choice',
                  isElective(action)
                    ? `The holder chooses; the default is ${action.defaultOption}`
                    : 'The holder has no choice',
                ],
                [
                  'Load',
                  <Link key="load" to={`/books/loads/${loadId}`}>
                    The load that announced it
                  </Link>,
                ],
                ...cancelFacts(action),
              ]}
            />
          </Panel>
          <Panel title={isElective(action) ? 'Options' : 'Terms'} flush>
            <Table
              label="Options"
              isPart
              rows={action.options}
              keyOf={({ option }) => option}
              empty="The action has no terms."
              columns={optionColumns(action)}
            />
          </Panel>
        </Stack>
        <Panel title="Dates">
          <Dates of={action} businessDate={businessDate} />
        </Panel>
      </div>
      {action.amendments.length > 0 && <Amendments of={action} />}
      <Entitled of={action} />
    </Page>
  )
}

function cancelFacts({ cancelledBy }: Action): Fact[] {
  if (cancelledBy === '') return []
  const cancel = (
    <span key="cancelled" className="mono">
      {cancelledBy}
    </span>
  )
  return [['Cancelled by', cancel]]
}

function optionColumns(action: Action): readonly Column<Option>[] {
  return [
    {
      key: 'option',
      header: 'Option',
      cell: ({ option }) => (
        <>
          {option}
          {isElective(action) && option === action.defaultOption && <span className="quiet"> (default)</span>}
        </>
      ),
    },
    {
      key: 'type',
      header: 'Type',
      cell: ({ type }) => (type === 'None' ? 'Nothing' : labelOf('corporateActionType', type)),
    },
    { key: 'terms', header: 'Terms', cell: (option) => <Terms of={option} /> },
    ...(action.options.some(({ toSecNo }) => toSecNo !== '') ? [receivedColumn] : []),
  ]
}

const receivedColumn: Column<Option> = {
  key: 'received',
  header: 'Security received',
  cell: ({ toSecNo, toSymbol }) =>
    toSecNo !== '' && (
      <Link to="/books/stock-record" search={() => ({ security: toSymbol || toSecNo })}>
        {toSymbol || toSecNo}
      </Link>
    ),
}
