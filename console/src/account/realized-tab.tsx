/**
 * Realized gains of a range of days: each closing, totals by term, and the tax year in which the range ends.
 */
import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Answered } from '../client.ts'
import { useBookDays } from '../corporate-actions/book-days.ts'
import { countOf } from '../design/count.ts'
import { DayRange, useDayRange } from '../design/day-range.tsx'
import { Facts } from '../design/facts.tsx'
import { Money, Quantity } from '../design/money.tsx'
import { moneyColumn } from '../design/money-column.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { TaxYear } from './tax-year.tsx'

type Gains = Answered<'realized-gains'>
type Closing = Gains['closings'][number]

const rangeDays = 365
const terms = [
  ['shortTerm', 'Short term'],
  ['longTerm', 'Long term'],
] as const
const figures = [
  ['proceeds', 'Proceeds'],
  ['cost', 'Cost'],
  ['gainLoss', 'Gain or loss'],
  ['washDisallowedAmt', 'Disallowed by wash sales'],
  ['gainLossAllowed', 'Allowed gain or loss'],
] as const

export function RealizedTab({ accountNumber }: TabProps) {
  const { from, to } = useDayRange(rangeDays, useBookDays().latestDay)
  const read = useRead('realized-gains', { accountNumber, dateFrom: from, dateTo: to }, { keep: true })
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end" role="search">
        <DayRange from={from} to={to} />
      </Group>
      <Shown read={read} rows={8}>
        {(gains) => (
          <ShownGains gains={gains}>
            <TaxYear accountNumber={accountNumber} year={Number(to.slice(0, 4))} />
          </ShownGains>
        )}
      </Shown>
    </Stack>
  )
}

/** The totals by term and the closings, with the children between them. */
function ShownGains({ gains, children }: { readonly gains: Gains; readonly children: ReactNode }) {
  return (
    <>
      <div className="columns">
        {terms.map(([term, title]) => (
          <Panel key={term} title={title}>
            <Facts
              facts={figures.map(
                ([member, label]) =>
                  [label, <Money key={member} amount={gains.totals[term][member]} />] as const,
              )}
            />
          </Panel>
        ))}
      </div>
      {children}
      <Panel title="Closings" note={countOf(gains.closings.length, 'lot')} flush>
        <Table
          label="Closings"
          rows={gains.closings}
          keyOf={({ closingId }) => closingId}
          empty="No lot was closed in this range."
          columns={columns}
        />
      </Panel>
    </>
  )
}

const columns: readonly Column<Closing>[] = [
  {
    key: 'closed',
    header: 'Closed',
    by: ({ closeDate }) => closeDate,
    cell: ({ closeDate }) => <Day on={closeDate} />,
  },
  { key: 'kind', header: 'Kind', by: ({ kind }) => kind, cell: ({ kind }) => wordsOf(kind) },
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, cusip, secNo }) => symbol || cusip || secNo,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    right: true,
    by: ({ quantity }) => Number(quantity),
    cell: ({ quantity }) => <Quantity of={quantity} />,
  },
  {
    key: 'opened',
    header: 'Opened',
    by: ({ openDate }) => openDate,
    cell: ({ openDate }) => <Day on={openDate} />,
  },
  { key: 'term', header: 'Term', by: ({ term }) => term, cell: ({ term }) => term },
  moneyColumn('proceeds', 'Proceeds', ({ proceeds }) => proceeds),
  {
    key: 'cost',
    header: 'Cost, USD',
    right: true,
    by: ({ cost }) => Number(cost),
    cell: ({ cost, noCost }) => (noCost === 'Y' ? 'unknown' : <Money amount={cost} />),
  },
  moneyColumn('gain', 'Gain', ({ gainLoss }) => gainLoss),
  moneyColumn('wash', 'Disallowed', ({ washDisallowedAmt }) => washDisallowedAmt),
  { key: 'covered', header: 'Covered', cell: ({ covered }) => (covered ? 'Yes' : 'No') },
  { key: 'by', header: 'Closed by', cell: ({ closedBy }) => <span className="mono">{closedBy}</span> },
]
