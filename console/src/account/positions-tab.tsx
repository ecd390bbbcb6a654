/**
 * The positions of the account and their values, now, at the end of a day, or at two days; with charts of allocation
 * and value over time, and what they are entitled to by corporate actions.
 */
import type { CallOf } from '@clearing/sdk'
import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { ActionsOfAccount } from '../corporate-actions/of-account.tsx'
import { countOf } from '../design/count.ts'
import { DayField } from '../design/day-field.tsx'
import { Facts } from '../design/facts.tsx'
import { Money } from '../design/money.tsx'
import { moneyColumn } from '../design/money-column.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { DayOf, renderDay } from '../design/time.tsx'
import { loadLater } from '../load-later.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { costColumn, HeldAway, type Holding, keyOfHolding, QuantityHeld } from './holding.tsx'
import { PositionsCompared } from './positions-compared.tsx'

const Allocation = loadLater(() => import('./charts.tsx').then((file) => file.Allocation))
const ValueOverTime = loadLater(() => import('./value-over-time.tsx').then((file) => file.ValueOverTime))

type Summary = Answered<'position-summary'>

export function PositionsTab({ accountNumber }: TabProps) {
  const [{ asOf = '', against = '' }, set] = useFilters()
  const summary = useRead('position-summary', given<CallOf<'position-summary'>>({ accountNumber, asOf }), {
    keep: true,
  })
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <DayField
          label="As of the end of"
          description="Leave it empty for now."
          width={180}
          value={asOf}
          onSet={(day) => set({ asOf: day })}
        />
        <DayField
          label="Beside the end of"
          description="Shows both days side by side."
          width={180}
          value={against}
          onSet={(day) => set({ against: day })}
        />
      </Group>
      <Shown read={summary} rows={8}>
        {(data) => (
          <>
            <Panel
              title="Value"
              note={`in US dollars${asOf === '' ? '' : `, at the end of ${renderDay(asOf)}`}`}
            >
              <Facts
                facts={totals
                  .filter(
                    ([member]) => member !== 'totalCashUsdOnly' || data.totalCashUsdOnly !== data.totalCash,
                  )
                  .map(([member, label]) => [label, <Money key={member} amount={data[member]} />] as const)}
              />
            </Panel>
            <div className="columns">
              <AllocationPanel summary={data} />
              <Panel title="Value over time" note="at the end of each month">
                <ValueOverTime accountNumber={accountNumber} />
              </Panel>
            </div>
            {against !== '' && (
              <PositionsCompared summary={data} accountNumber={accountNumber} asOf={asOf} against={against} />
            )}
            <Panel title="Positions" note={countOf(data.portfolios.length, 'line')} flush>
              <Table
                label="Positions"
                rows={data.portfolios}
                keyOf={keyOfHolding}
                empty="The account holds nothing."
                columns={columns}
              />
            </Panel>
          </>
        )}
      </Shown>
      <ActionsOfAccount accountNumber={accountNumber} />
    </Stack>
  )
}

const totals = [
  ['totalAccountValue', 'Account value'],
  ['totalLongMarket', 'Long market'],
  ['totalShortMarket', 'Short market'],
  ['totalCash', 'Cash'],
  ['totalCashUsdOnly', 'Part of the cash that is in US dollars'],
  ['totalMoneyMarket', 'Money market'],
  ['assetsHeldAway', 'Held away'],
  ['freeCash', 'Free cash'],
  ['gainLoss', 'Unrealized gain'],
  ['accruedInterest', 'Accrued interest'],
  ['fundsAvailable', 'Funds available'],
  ['buyingPower', 'Buying power'],
  ['fedCallAmount', 'Fed call'],
  ['maintCallAmount', 'Maintenance call'],
] as const

const kinds = [
  ['industrySummary', 'Industry'],
  ['assetSummary', 'Asset'],
  ['currencyTypeSummary', 'Currency'],
] as const

function AllocationPanel({ summary }: { readonly summary: Summary }) {
  const [kind, setKind] = useState<(typeof kinds)[number][0]>('industrySummary')
  return (
    <Panel
      title="Allocation"
      acts={
        <SegmentedControl
          aria-label="Allocation by"
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
          data={kinds.map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <Allocation
        parts={summary[kind].map(({ name, totalMarketValue }) => ({ name, value: totalMarketValue }))}
      />
    </Panel>
  )
}

const columns: readonly Column<Holding>[] = [
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, cusip, secNo }) => <span title={cusip}>{symbol || secNo}</span>,
  },
  {
    key: 'description',
    header: 'Security',
    by: ({ description }) => description,
    cell: (position) => (
      <>
        {position.description} <HeldAway of={position} />
        <div className="quiet">{position.secTypeName}</div>
      </>
    ),
  },
  { key: 'type', header: 'Type', by: ({ acctType }) => acctType, cell: ({ acctType }) => acctType },
  {
    key: 'quantity',
    header: 'Quantity',
    right: true,
    by: ({ quantity }) => Number(quantity),
    cell: (position) => <QuantityHeld of={position} />,
  },
  {
    key: 'price',
    header: 'Price',
    right: true,
    by: ({ price }) => Number(price),
    cell: ({ price, priceDate, currency }) => (
      <>
        <Money amount={price} currency={currency} />
        <div className="quiet">{priceDate === '' ? 'no price' : <DayOf at={priceDate} />}</div>
      </>
    ),
  },
  {
    key: 'value',
    header: 'Value',
    right: true,
    by: ({ marketValue }) => Number(marketValue),
    cell: ({ marketValue, currency }) => <Money amount={marketValue} currency={currency} />,
  },
  moneyColumn('usd', 'Value', ({ marketUsdeValue }) => marketUsdeValue),
  costColumn('cost', 'Cost', ({ unrealizedGainLoss }) => unrealizedGainLoss.cost),
  costColumn('gain', 'Gain', ({ gainLoss }) => gainLoss),
]
