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
import { Status } from '../design/status.tsx'
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
  const { kind = 'trades' } = filters
  const request = { accountNumber, dateFrom: from, dateTo: to }
  const trades = useRead('trade-activity', request, { keep: true, enabled: kind !== 'other' })
  const others = useRead('non-trade-activity', request, { keep: true, enabled: kind !== 'trades' })
  return (
    <>
      <Group gap="sm" align="flex-end" mb="md" role="search">
        <NativeSelect
          label="Kind"
          value={kind}
          data={[
            { value: 'trades', label: 'Trades' },
            { value: 'other', label: 'Everything else' },
            { value: 'all', label: 'All' },
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
      <Shown read={kind === 'other' ? others : trades} rows={8}>
        {({ activity }) =>
          kind === 'all' ? (
            <Shown read={others} rows={8}>
              {(other) => <Lines lines={[...activity, ...other.activity]} symbol={filters.symbol ?? ''} />}
            </Shown>
          ) : (
            <Lines lines={activity} symbol={filters.symbol ?? ''} />
          )
        }
      </Shown>
    </>
  )
}

/** The lines of a symbol, or of all symbols, the newest first. */
function Lines({ lines, symbol }: { readonly lines: readonly Line[]; readonly symbol: string }) {
  const start = symbol.trim().toUpperCase()
  const shown = lines
    .filter((line) => line.symbol.toUpperCase().startsWith(start))
    .reverse()
    .sort((one, other) => other.processDate.localeCompare(one.processDate))
  return (
    <Panel title="Activity" note={`${countOf(shown.length, 'line')}, the newest first`} flush>
      <Table
        label="Activity"
        rows={shown}
        keyOf={({ controlNo, transType }, index) => `${controlNo} ${transType} ${index}`}
        empty={start === '' ? 'There is no activity in this range.' : 'No line of this range matches.'}
        emptyHint={start === '' ? undefined : 'Symbols are compared by their beginnings.'}
        columns={columns}
      />
    </Panel>
  )
}

/** A cancel and its original are both in the books, so each is marked, with the id of the line that it corrects. */
function Correction({ of: { cancel, cancelStatus, rebill, rebillStatus, tagNo } }: { readonly of: Line }) {
  if (cancel === 'Y')
    return <Mark as="Cancel" of={tagNo} note={cancelStatus === 'NoEffect' ? 'without effect' : ''} />
  if (rebill === 'Y') return <Mark as="Rebill" of={tagNo} />
  if (cancelStatus === '') return null
  return (
    <>
      <Status of="Cancelled" tone="quiet" />
      {rebillStatus !== '' && <div className="quiet">billed again</div>}
    </>
  )
}

function Mark({
  as: kind,
  of: tagNo,
  note = '',
}: {
  readonly as: string
  readonly of: string
  readonly note?: string
}) {
  return (
    <>
      <Status of={kind} tone="attention" />
      <div className="quiet">
        of <span className="mono">{tagNo}</span>
      </div>
      {note !== '' && <div className="quiet">{note}</div>}
    </>
  )
}

/** What the line moved of securities that are not its own, such as the shares received in a merger. */
function OtherSecurities({ of: line }: { readonly of: Line }) {
  return line.securitiesMoved
    .filter(({ secNo }) => secNo !== line.secNo)
    .map(({ secNo, symbol, cusip, quantity }) => (
      <div key={secNo}>
        <span className="quiet">{symbol || cusip} </span>
        <Quantity of={quantity} />
      </div>
    ))
}

/** The charges that are not 0. */
function Charges({ of: line }: { readonly of: Line }) {
  return charges
    .filter(([member]) => Number(line[member]) !== 0)
    .map(([member, label]) => (
      <div key={member}>
        <span className="quiet">{label} </span>
        <Money amount={line[member]} currency={line.currency} />
      </div>
    ))
}

const charges = [
  ['commission', 'commission'],
  ['secFee', 'fee'],
  ['interest', 'interest'],
] as const

/** `20260131` as `2026-01-31`; other forms are unchanged. */
function asDay(date: string) {
  return date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
}

const columns: readonly Column<Line>[] = [
  {
    key: 'processed',
    header: 'Processed',
    by: ({ processDate }) => processDate,
    cell: ({ processDate, tradeDate }) => (
      <>
        <Day on={asDay(processDate)} />
        <div className="quiet">
          traded <Day on={asDay(tradeDate)} />
        </div>
      </>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    by: ({ activityType }) => activityType,
    cell: ({ activityType, transType, acctType, buySell }) => (
      <>
        {[activityType || labelOf('transType', transType), labelOf('buySell', buySell)]
          .filter(Boolean)
          .join(' · ')}
        <div className="quiet">{labelOf('activityAcctType', acctType).toLowerCase()}</div>
      </>
    ),
  },
  { key: 'correction', header: 'Correction', cell: (line) => <Correction of={line} /> },
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, cusip, description, description1 }) => (
      <>
        <span>{symbol || cusip}</span>
        <div className="quiet">{[description, description1].filter(Boolean).join(' ')}</div>
      </>
    ),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    right: true,
    by: ({ quantity }) => Number(quantity),
    cell: (line) => (
      <>
        {line.quantity !== '' && <Quantity of={line.quantity} />}
        <OtherSecurities of={line} />
      </>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    right: true,
    by: ({ price }) => Number(price),
    cell: ({ price, currency }) => (price === '' ? '' : <Money amount={price} currency={currency} />),
  },
  { key: 'charges', header: 'Charges', right: true, cell: (line) => <Charges of={line} /> },
  {
    key: 'net',
    header: 'Net',
    right: true,
    by: ({ netAmount }) => Number(netAmount),
    cell: ({ netAmount, currency, settleDate }) => (
      <>
        <Money amount={netAmount} currency={currency} />
        <div className="quiet">
          settles <Day on={asDay(settleDate)} />
        </div>
      </>
    ),
  },
  {
    key: 'control',
    header: 'Control',
    cell: ({ controlNo, tagNo, cancel, rebill }) => (
      <>
        <span className="mono" style={{ whiteSpace: 'nowrap' }}>
          {controlNo}
        </span>
        {/* The id of a cancel or a rebill in the feed is not returned. */}
        {cancel !== 'Y' && rebill !== 'Y' && tagNo !== controlNo && <div className="quiet mono">{tagNo}</div>}
      </>
    ),
  },
]
