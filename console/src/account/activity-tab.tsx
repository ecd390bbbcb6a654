/** The activity of the account in a range of days: trades, or everything else, filtered. */
import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useFilters } from '../address.ts'
import type { Answered } from '../client.ts'
import { useBookDays } from '../corporate-actions/book-days.ts'
import { labelOf } from '../design/codes.ts'
import { countOf } from '../design/count.ts'
import { DayRange, useDayRange } from '../design/day-range.tsx'
import { Money, Quantity } from '../design/money.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

type Line = Answered<'trade-activity'>['activity'][number]

const rangeDays = 365

export function ActivityTab({ accountNumber }: TabProps) {
  const [filters, set] = useFilters()
  // After the close, the lines of the day have the next business date.
  const { from, to } = useDayRange(rangeDays, useBookDays().latestDay)
  const kind = filters.kind === 'other' ? 'non-trade-activity' : 'trade-activity'
  const read = useRead(kind, { accountNumber, dateFrom: from, dateTo: to }, { keep: true })
  return (
    <>
      <Group gap="sm" align="flex-end" mb="md" role="search">
        <NativeSelect
          label="Kind"
          value={filters.kind ?? 'trades'}
          data={[
            { value: 'trades', label: 'Trades' },
            { value: 'other', label: 'Everything else' },
          ]}
          onChange={(event) => set({ kind: event.currentTarget.value })}
        />
        <DayRange from={from} to={to} />
        <TextInput
          label="Symbol"
          value={filters.symbol ?? ''}
          onChange={(event) => set({ symbol: event.currentTarget.value })}
        />
      </Group>
      <Shown read={read} rows={8}>
        {({ activity }) => {
          const symbol = (filters.symbol ?? '').trim().toUpperCase()
          const lines =
            symbol === '' ? activity : activity.filter((line) => line.symbol.toUpperCase().startsWith(symbol))
          return (
            <Panel title="Activity" note={countOf(lines.length, 'line')} flush>
              <Table
                label="Activity"
                rows={lines}
                keyOf={({ controlNo, transType }, index) => `${controlNo} ${transType} ${index}`}
                empty="There is no activity in this range."
                columns={columns}
              />
            </Panel>
          )
        }}
      </Shown>
    </>
  )
}

/** `20260131` as `2026-01-31`; other forms are unchanged. */
function asDay(date: string) {
  return date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
}

const columns: readonly Column<Line>[] = [
  {
    key: 'processed',
    header: 'Processed',
    by: ({ processDate }) => processDate,
    cell: ({ processDate }) => <Day on={asDay(processDate)} />,
  },
  {
    key: 'type',
    header: 'Type',
    by: ({ activityType }) => activityType,
    cell: ({ activityType, transType }) => activityType || labelOf('transType', transType),
  },
  { key: 'side', header: 'Side', cell: ({ buySell }) => labelOf('buySell', buySell) },
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, cusip }) => symbol || cusip,
  },
  {
    key: 'description',
    header: 'Description',
    cell: (line) => [line.description, line.description1].filter(Boolean).join(' '),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    right: true,
    by: ({ quantity }) => Number(quantity),
    cell: ({ quantity }) => (quantity === '' ? '' : <Quantity of={quantity} />),
  },
  {
    key: 'price',
    header: 'Price',
    right: true,
    by: ({ price }) => Number(price),
    cell: ({ price }) => (price === '' ? '' : <Money amount={price} />),
  },
  {
    key: 'net',
    header: 'Net',
    right: true,
    by: ({ netAmount }) => Number(netAmount),
    cell: ({ netAmount, currency }) => <Money amount={netAmount} currency={currency} />,
  },
  {
    key: 'settles',
    header: 'Settles',
    by: ({ settleDate }) => settleDate,
    cell: ({ settleDate }) => <Day on={asDay(settleDate)} />,
  },
  { key: 'control', header: 'Control', cell: ({ controlNo }) => <span className="mono">{controlNo}</span> },
]
