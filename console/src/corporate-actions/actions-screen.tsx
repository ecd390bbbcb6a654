/** Announced corporate actions with their terms, the latest pay date first. */
import { codeLists } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import { useFilters, useGoTo } from '../address.ts'
import { NewLoad } from '../books/new-load.tsx'
import { given } from '../client.ts'
import { labelOf, plainChoices } from '../design/codes.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages } from '../reads.ts'
import { type Action, actionAddress, isElective } from './action.ts'
import { AllTerms } from './terms.tsx'

const states = codeLists.corporateActionState

export function ActionsScreen() {
  const [filters] = useFilters()
  const goTo = useGoTo()
  const state = states.find(({ value }) => value === filters.state)?.value
  const request = given<CallOf<'list-corporate-actions'>>({ state, symbol: filters.symbol })
  const pages = usePages('list-corporate-actions', 'corporateActions', request)
  const isFiltered = Boolean(filters.state || filters.symbol)
  return (
    <Page
      title="Corporate actions"
      note="Each is announced once. The close books the lines of every holder on the pay date, or on the ex-date if that is later."
      acts={<NewLoad label="Announce from a file" first="load-corporate-actions" />}
    >
      <Filters
        filters={[
          {
            name: 'state',
            label: 'State',
            kind: 'choice',
            any: 'All',
            choices: plainChoices(
              states.map(({ value }) => value),
              wordsOf,
            ),
          },
          { name: 'symbol', label: 'Symbol', kind: 'text' },
        ]}
      />
      <Panel title="Announcements" note="the latest pay date first" flush>
        <Listed
          label="Corporate actions"
          pages={pages}
          columns={columns}
          keyOf={({ corporateActionId }) => corporateActionId}
          opens={({ corporateActionId: id }) => goTo(actionAddress, { id })}
          empty={isFiltered ? 'No corporate action matches.' : 'No corporate action is announced.'}
        />
      </Panel>
    </Page>
  )
}

const columns: readonly Column<Action>[] = [
  {
    key: 'action',
    header: 'Action',
    by: ({ corporateActionId }) => corporateActionId,
    cell: ({ corporateActionId: id }) => (
      <Link to={actionAddress} search={() => ({ id })} className="mono">
        {id}
      </Link>
    ),
  },
  {
    key: 'state',
    header: 'State',
    by: ({ state }) => state,
    cell: ({ state, version }) => (
      <>
        <Status of={state} />
        {version > 1 && <div className="quiet whole">amended, version {version}</div>}
      </>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    by: ({ type }) => labelOf('corporateActionType', type),
    cell: ({ type }) => labelOf('corporateActionType', type),
  },
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, secNo }) => (
      <Link to="/books/stock-record" search={() => ({ security: symbol || secNo })}>
        {symbol || secNo}
      </Link>
    ),
  },
  { key: 'ex', header: 'Ex-date', by: ({ exDate }) => exDate, cell: ({ exDate }) => <Day on={exDate} /> },
  {
    key: 'pay',
    header: 'Pay date',
    by: ({ payDate }) => payDate,
    cell: ({ payDate }) => <Day on={payDate} />,
  },
  {
    key: 'deadline',
    header: 'Deadline',
    by: ({ deadline }) => deadline,
    cell: (action) => (isElective(action) ? <Day on={action.deadline} /> : ''),
  },
  { key: 'terms', header: 'Terms', cell: (action) => <AllTerms of={action} /> },
]
