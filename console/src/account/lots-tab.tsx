/** The lots of every position; a position may have ten thousand. */
import { countOf } from '../design/count.ts'
import { Money } from '../design/money.tsx'
import { moneyColumn } from '../design/money-column.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { costColumn, HeldAway, type Holding, QuantityHeld } from './holding.tsx'

export function LotsTab({ accountNumber }: TabProps) {
  return (
    <Shown read={useRead('position-detail', { accountNumber })}>
      {({ portfolios }) => (
        <Panel title="Lots" note={countOf(portfolios.length, 'lot')} flush>
          <Table
            label="Lots"
            rows={portfolios}
            keyOf={(_lot, index) => String(index)}
            empty="The account holds no lots."
            columns={columns}
          />
        </Panel>
      )}
    </Shown>
  )
}

const columns: readonly Column<Holding>[] = [
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: (lot) => (
      <>
        {lot.symbol || lot.secNo} <HeldAway of={lot} />
      </>
    ),
  },
  { key: 'type', header: 'Type', by: ({ acctType }) => acctType, cell: ({ acctType }) => acctType },
  {
    key: 'opened',
    header: 'Opened',
    by: (lot) => lot.unrealizedGainLoss.openDate,
    cell: (lot) => <Day on={lot.unrealizedGainLoss.openDate} />,
  },
  { key: 'term', header: 'Term', cell: (lot) => lot.unrealizedGainLoss.term },
  {
    key: 'quantity',
    header: 'Quantity',
    right: true,
    by: ({ quantity }) => Number(quantity),
    cell: (lot) => <QuantityHeld of={lot} />,
  },
  costColumn('unit', 'Unit cost', (lot) => lot.unrealizedGainLoss.unitCost),
  costColumn('cost', 'Cost', (lot) => lot.unrealizedGainLoss.cost),
  {
    key: 'value',
    header: 'Value',
    right: true,
    by: (lot) => Number(lot.marketValue),
    cell: (lot) => <Money amount={lot.marketValue} currency={lot.currency} />,
  },
  moneyColumn('usd', 'Value', ({ marketUsdeValue }) => marketUsdeValue),
  costColumn('gain', 'Gain', ({ gainLoss }) => gainLoss),
  {
    key: 'wash',
    header: 'Wash',
    cell: (lot) => (lot.unrealizedGainLoss.wash === 'Y' ? <Status of="Wash sale" tone="attention" /> : ''),
  },
]
