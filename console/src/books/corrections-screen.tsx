/** Closed days of an account that differ from their close: the later lines, and the change in cash and value. */
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import type { Answered } from '../client.ts'
import { Button } from '../design/button.tsx'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { moneyColumn } from '../design/money-column.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty } from '../design/states.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { usePages } from '../reads.ts'

type CorrectedDay = Answered<'list-corrections'>['days'][number]

export function CorrectionsScreen() {
  const [{ accountNumber = '' }] = useFilters()
  return (
    <Page
      title="Corrections"
      note="Closed days of an account, as they were known at their close and as they are known now."
    >
      <Filters filters={[{ name: 'accountNumber', label: 'Account number', kind: 'text' }]} />
      {accountNumber === '' ? (
        <Panel title="Corrected days">
          <Empty what="Enter an account number." />
        </Panel>
      ) : (
        <CorrectedDays accountNumber={accountNumber} />
      )}
    </Page>
  )
}

function CorrectedDays({ accountNumber }: { readonly accountNumber: string }) {
  const pages = usePages('list-corrections', 'days', { accountNumber })
  return (
    <Panel
      title="Corrected days"
      note={<Link to={`/accounts/${accountNumber}`}>{`Account ${accountNumber}`}</Link>}
      flush
    >
      <Listed
        label="Corrected days"
        pages={pages}
        columns={columns}
        keyOf={({ date }) => date}
        empty="No closed day was corrected."
        emptyHint={
          pages.hasNextPage && (
            <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => pages.more()}>
              Compare earlier days
            </Button>
          )
        }
      />
    </Panel>
  )
}

function describeLine({ kind, transType, buySell, externalId, tagNo }: CorrectedDay['lines'][number]) {
  const what = [transType, buySell].filter((text) => text !== '').join(' ')
  return kind === 'Late' ? `Late ${what} ${externalId}` : `${kind} of ${what} ${tagNo}`
}

const columns: readonly Column<CorrectedDay>[] = [
  { key: 'date', header: 'Day', by: ({ date }) => date, cell: ({ date }) => <Day on={date} /> },
  {
    key: 'lines',
    header: 'Later lines',
    cell: ({ lines }) =>
      lines.map((line) => (
        <div key={line.externalId}>
          {describeLine(line)}, entered <Day on={line.enteredOn} />
        </div>
      )),
  },
  moneyColumn('Cash at close', 'Cash at close', ({ cash }) => cash.atClose),
  moneyColumn('Change', 'Change', ({ cash }) => cash.change),
  moneyColumn('Value at close', 'Value at close', ({ value }) => value.atClose),
  moneyColumn('Value now', 'Value now', ({ value }) => value.now),
  moneyColumn('Change in value', 'Change in value', ({ value }) => value.change),
]
