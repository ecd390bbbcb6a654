/** The activity of an account in a range of dates, read in pages. */
import { type Statement, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type AmountRow, amountColumns, knownLine, movedColumns } from './amounts.ts'
import { correctedRates, correctedValue } from './corrected-facts.ts'
import { cancelsBeforeOriginals } from './effective-cancels.ts'
import { isKnown } from './known.ts'

export interface ActivityText extends AmountRow {
  readonly entered_on: string
  /** The distinct corrections that name the line (C, R, CR); null without any. */
  readonly corrections: string | null
  /** If the feed gave no rate: the rate of the trade date, or the last rate before it. */
  readonly fx_rate: string | null
  readonly external_id: string
}

// The condition for lines, and facts of lines, that are known in the view. `$4` is the last line's sequence
// and `$5` the day of the close; null for all.
function isKnownLine(sequence: string): string {
  return knownLine('$4', sequence)
}
// The condition for lines of days until `$6`; null for all. A cancel belongs to the day of the line that it
// cancels, whatever its own date is and whenever it arrived. Without a line that it cancels, it belongs to its own.
const isUntil = `($6::date is null or case when correction = 'C' then coalesce((
       select original.trade_date from clearing.activity_key as key
       join clearing.activity as original on original.account_number = key.account_number
         and original.process_date = key.process_date and original.sequence = key.sequence
       where key.firm_id = activity.firm_id and key.external_id = activity.tag_no and key.account_number = activity.account_number
         and ${isKnownLine('original.sequence')}), trade_date) else trade_date end <= $6)`
// A cancel cannot be cancelled.
const columns = `${amountColumns}, activity.entered_on, (
    select string_agg(distinct named.correction::text, '') from clearing.correction as named
    where named.account_number = activity.account_number and named.tag_no = activity.external_id
      and activity.correction is distinct from 'C' and ${isKnownLine('named.sequence')}
  ) as corrections, case when currency <> 'USD' and fx_rate is null then (
    select trim_scale(${correctedValue(correctedRates, 'rate', '$5', 'known')})::text from clearing.fx_rate as known
    where known.currency = activity.currency and rate_date <= trade_date and ${isKnown('$5', 'known.')}
    order by rate_date desc limit 1
  ) end as fx_rate, activity.external_id`
const dateColumns = {
  processDate: 'process_date',
  tradeDate: 'trade_date',
  settleDate: 'settle_date',
  enteredOn: 'entered_on',
} as const
type DateField = keyof typeof dateColumns

function selectBy(kind: 'trade' | 'non-trade', field: DateField) {
  return statement<ActivityText>(
    `select-${kind}-activity-by-${dateColumns[field].replace('_', '-')}`,
    `select ${kind === 'trade' ? columns : `${columns}, ${movedColumns('$4')}`} from clearing.activity
     where account_number = $1 and ${dateColumns[field]} between $2 and $3 and ${isKnownLine('sequence')} and ${isUntil}
       and trans_type ${kind === 'trade' ? '=' : '<>'} 'Trade'
     order by ${dateColumns[field]}, sequence`,
  )
}
function selectsOf(kind: 'trade' | 'non-trade'): Readonly<Record<DateField, Statement<ActivityText>>> {
  return {
    processDate: selectBy(kind, 'processDate'),
    tradeDate: selectBy(kind, 'tradeDate'),
    settleDate: selectBy(kind, 'settleDate'),
    enteredOn: selectBy(kind, 'enteredOn'),
  }
}
const selects = { trades: selectsOf('trade'), others: selectsOf('non-trade') }

/** The SQL condition for lines that are confirmed: purchases and sales, also by the exercise of options. */
export const isConfirmed = `trans_type in ('Trade', 'Exercise', 'Assignment')`

export interface ConfirmedText extends ActivityText {
  readonly sec_no: bigint
  /** The security that an exercise or assignment delivers; null for other lines. */
  readonly to_sec_no: bigint | null
}

// History from before the account was opened keeps its earlier process date, and is not confirmed. A cancel is
// confirmed on the day on which it takes effect.
const selectConfirmed = statement<ConfirmedText>(
  'select-confirmed-activity',
  `select ${columns}, ${movedColumns('$4')}, activity.to_sec_no from clearing.activity
   where account_number = $1 and entered_on = $2 and process_date >= $3 and ${isKnownLine('sequence')} and ${isUntil}
     and ${isConfirmed} and not (correction = 'C' and sequence = any (array(
       select cancel.sequence from ${cancelsBeforeOriginals('$1')} and original.entered_on > $2)))
   order by sequence`,
)
const selectConfirmedCancels = statement<ConfirmedText>(
  'select-confirmed-cancels-before-originals',
  `select ${columns}, ${movedColumns('$4')}, activity.to_sec_no from clearing.activity
   where account_number = $1 and entered_on < $2 and sequence = any (array(
     select cancel.sequence from ${cancelsBeforeOriginals('$1')} and original.entered_on = $2
       and original.process_date >= $3 and ${isKnownLine('original.sequence')} and ($6::date is null or original.trade_date <= $6)))
     and ${isConfirmed}
   order by sequence`,
)

export interface AskedPages {
  readonly kind: 'trades' | 'others'
  readonly field: DateField
  readonly accountNumber: string
  readonly dateFrom: string
  readonly dateTo: string
  /** The sequence of the last line known in the view; null for all. */
  readonly lines: number | null
  /** The day whose close the view shows; null for now. */
  readonly knownOn: string | null
  /** The last day of the view; null for now. */
  readonly until: string | null
}

export function pageActivity(
  tx: Tx,
  { kind, field, accountNumber, dateFrom, dateTo, lines, knownOn, until }: AskedPages,
  rowsMax: number,
): AsyncIterable<ActivityText[]> {
  return tx.pages(selects[kind][field], [accountNumber, dateFrom, dateTo, lines, knownOn, until], rowsMax)
}

/**
 * The lines of a day for its confirmation, in the order in which they were booked, and then the earlier cancels whose
 * originals came on the day.
 */
export async function* pageConfirmed(
  tx: Tx,
  {
    accountNumber,
    day,
    lines,
    knownOn,
    until,
  }: Omit<AskedPages, 'kind' | 'field' | 'dateFrom' | 'dateTo'> & { readonly day: string },
  rowsMax: number,
): AsyncIterable<ConfirmedText[]> {
  const values = [accountNumber, day, day, lines, knownOn, until]
  yield* tx.pages(selectConfirmed, values, rowsMax)
  const cancels = await tx.rows(selectConfirmedCancels, values)
  if (cancels.length > 0) yield cancels
}
