/** The lots of every position; a position may have ten thousand. */
import type { Answered } from '../client.ts'
import { countOf } from '../design/count.ts'
import { Money, Quantity } from '../design/money.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

type Lot = Answered<'position-detail'>['portfolios'][number]

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

const columns: readonly Column<Lot>[] = [
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, secNo }) => symbol || secNo,
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
    cell: ({ quantity }) => <Quantity of={quantity} />,
  },
  {
    key: 'unit',
    header: 'Unit cost',
    right: true,
    by: (lot) => Number(lot.unrealizedGainLoss.unitCost),
    cell: (lot) => <Money amount={lot.unrealizedGainLoss.unitCost} />,
  },
  {
    key: 'cost',
    header: 'Cost',
    right: true,
    by: (lot) => Number(lot.unrealizedGainLoss.cost),
    cell: (lot) => <Money amount={lot.unrealizedGainLoss.cost} />,
  },
  {
    key: 'value',
    header: 'Value',
    right: true,
    by: (lot) => Number(lot.marketValue),
    cell: (lot) => <Money amount={lot.marketValue} currency={lot.currency} />,
  },
  {
    key: 'gain',
    header: 'Gain',
    right: true,
    by: (lot) => Number(lot.gainLoss),
    cell: (lot) => <Money amount={lot.gainLoss} />,
  },
  {
    key: 'wash',
    header: 'Wash',
    cell: (lot) => (lot.unrealizedGainLoss.wash === 'Y' ? <Status of="Wash sale" tone="attention" /> : ''),
  },
]
