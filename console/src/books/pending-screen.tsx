/** Lines of activity of all firms whose trade date is after the business date. Later closes will book them. */
import type { CallOf } from '@clearing/sdk'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Money, Quantity } from '../design/money.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { EachFirm } from '../firms/each-firm.tsx'
import { firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'

type Line = Answered<'list-pending-lines'>['lines'][number]

export function PendingScreen() {
  const [{ firmId, accountNumber = '' }] = useFilters()
  const firms = useRead('list-firms', {})
  return (
    <Page
      title="Pending lines"
      note="Lines with a trade date after the business date. The close that opens their day posts them; until then they are in no balance or position."
    >
      <Filters
        filters={[
          firmFilter(firms.data?.firms),
          { name: 'accountNumber', label: 'Account number', kind: 'text' },
        ]}
      />
      {accountNumber === '' ? (
        <Shown read={firms}>
          {({ firms: all }) => (
            <EachFirm firms={all} chosen={firmId}>
              {(firm) => <Lines key={firm.firmId} name={firm.name} firmId={firm.firmId} />}
            </EachFirm>
          )}
        </Shown>
      ) : (
        <Lines name={`Account ${accountNumber}`} accountNumber={accountNumber} />
      )}
    </Page>
  )
}

interface LinesProps {
  readonly name: string
  /** The lines of a firm, or of an account of any firm. */
  readonly firmId?: string
  readonly accountNumber?: string
}

function Lines({ name, firmId, accountNumber }: LinesProps) {
  const request = given<CallOf<'list-pending-lines'>>({ accountNumber })
  const settings = firmId === undefined ? {} : { firmId }
  const pages = usePages('list-pending-lines', 'lines', request, settings)
  if (pages.data?.pages[0]?.lines.length === 0) {
    return (
      <Text size="sm" className="quiet">
        {name}: no line is pending.
      </Text>
    )
  }
  return (
    <Panel title={name} flush>
      <Listed
        label={`Pending lines of ${name}`}
        pages={pages}
        columns={columns}
        keyOf={({ externalId }) => externalId}
        empty="No line is pending."
      />
    </Panel>
  )
}

const columns: readonly Column<Line>[] = [
  {
    key: 'countsFrom',
    header: 'Counts from',
    by: ({ countsFrom }) => countsFrom,
    cell: ({ countsFrom }) => <Day on={countsFrom} />,
  },
  {
    key: 'account',
    header: 'Account',
    by: ({ accountNumber }) => accountNumber,
    cell: ({ accountNumber }) => <Link to={`/accounts/${accountNumber}`}>{accountNumber}</Link>,
  },
  {
    key: 'what',
    header: 'Line',
    cell: ({ kind, transType, buySell, tagNo }) => (
      <>
        {[labelOf('transType', transType), labelOf('buySell', buySell)].filter(Boolean).join(', ')}
        {kind !== 'Line' && <div className="quiet">{`${kind} of ${tagNo}`}</div>}
      </>
    ),
  },
  {
    key: 'acctType',
    header: 'Type',
    by: ({ acctType }) => acctType,
    cell: ({ acctType }) => labelOf('activityAcctType', acctType),
  },
  {
    key: 'security',
    header: 'Security',
    by: (line) => securityOf(line),
    cell: (line) => securityOf(line),
  },
  { key: 'quantity', header: 'Quantity', right: true, cell: ({ quantity }) => quantityOf(quantity) },
  { key: 'price', header: 'Price', right: true, cell: ({ price }) => quantityOf(price) },
  {
    key: 'netAmount',
    header: 'Net amount',
    right: true,
    cell: ({ netAmount, currency }) => <Money amount={netAmount} {...given({ currency })} />,
  },
  {
    key: 'load',
    header: 'Load',
    cell: ({ loadId, externalId }) => <Link to={`/books/loads/${loadId}`}>{externalId}</Link>,
  },
]

function quantityOf(given: string) {
  return given === '' ? '' : <Quantity of={given} />
}

function securityOf({ symbol, cusip, isin, sedol, secNo }: Line): string {
  return symbol || cusip || isin || sedol || secNo
}
