/** The activity of an account in a range of dates, as it is known or was, as JSON text read and written a page at a time. */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected, Streamed } from '../../answers.ts'
import { type Statement, statement, type Value } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { isKnown } from '../../store/books/known.ts'
import { renderRecord } from '../activity-record.ts'
import {
  type AmountRow,
  type AnsweredLine,
  amountColumns,
  knownLine,
  movedColumn,
  readAmounts,
} from './moved-amounts.ts'
import { findKnown } from './view.ts'

interface ActivityText extends AmountRow {
  readonly entered_on: string
  /** The corrections that name the line, each once: C, R, CR; null without any. */
  readonly corrections: string | null
  /** The rate of the trade date by the table, or the last before it, where the feed told none. */
  readonly fx_rate: string | null
}

// The lines known in the view, and of a line what else is: `$4` is the last line's sequence, `$5` the day of the close; null for all.
const isKnownLine = (sequence: string): string => knownLine('$4', sequence)
// A cancel itself can not be cancelled.
const columns = `${amountColumns}, activity.entered_on, (
    select string_agg(distinct named.correction::text, '') from clearing.correction as named
    where named.account_number = activity.account_number and named.tag_no = activity.external_id
      and activity.correction is distinct from 'C' and ${isKnownLine('named.sequence')}
  ) as corrections, case when currency <> 'USD' and fx_rate is null then (
    select trim_scale(rate)::text from clearing.fx_rate as told
    where told.currency = activity.currency and rate_date <= trade_date and ${isKnown('$5', 'told.')}
    order by rate_date desc limit 1
  ) end as fx_rate`
const dateColumns = {
  processDate: 'process_date',
  tradeDate: 'trade_date',
  settleDate: 'settle_date',
  enteredOn: 'entered_on',
} as const
type DateField = keyof typeof dateColumns

const selectBy = (kind: 'trade' | 'non-trade', field: DateField) =>
  statement<ActivityText>(
    `select-${kind}-activity-by-${dateColumns[field].replace('_', '-')}`,
    `select ${kind === 'trade' ? columns : `${columns}, ${movedColumn('$4')}`} from clearing.activity
     where account_number = $1 and ${dateColumns[field]} between $2 and $3 and ${isKnownLine('sequence')}
       and trans_type ${kind === 'trade' ? '=' : '<>'} 'Trade'
     order by ${dateColumns[field]}, sequence`,
  )
const selectsOf = (kind: 'trade' | 'non-trade') => ({
  processDate: selectBy(kind, 'processDate'),
  tradeDate: selectBy(kind, 'tradeDate'),
  settleDate: selectBy(kind, 'settleDate'),
  enteredOn: selectBy(kind, 'enteredOn'),
})
const selects = { trades: selectsOf('trade'), others: selectsOf('non-trade') }

/** Rows read and written together. They are dead before a second young collection sees them; of 1,000 many were not, and the heap grew by 100 MB. */
const pageRowsMax = 100

export interface ActivityRange {
  readonly accountNumber: string
  readonly dateFrom: string
  readonly dateTo: string
}

export const checkRange = ({ dateFrom, dateTo }: ActivityRange): Rejection[] => {
  if (dateFrom > dateTo) return [reject('ERR.1025', 'dateFrom', 'dateFrom must not be after dateTo.')]
  const year = String(Number(dateFrom.slice(0, 4)) + limits.activityRangeYearsMax).padStart(4, '0')
  // After the year 9999 there are no dates that could be too late.
  return year.length === 4 && dateTo > `${year}${dateFrom.slice(4)}`
    ? [reject('ERR.1025', 'dateTo', `The range must be at most ${limits.activityRangeYearsMax} years.`)]
    : []
}

export interface AskedActivity extends ActivityRange {
  readonly dateField?: string | undefined
  readonly knownAt?: string | undefined
}

export const streamActivity = async (
  tx: Tx,
  kind: 'trades' | 'others',
  asked: AskedActivity,
  now: Date,
): Promise<Rejected | Streamed> => {
  const rejections = checkRange(asked)
  if (rejections.length > 0) return new Rejected(rejections)
  const { accountNumber, dateFrom, dateTo, knownAt, dateField = 'processDate' } = asked
  const known = knownAt === undefined ? null : await findKnown(tx, accountNumber, knownAt, now)
  if (known instanceof Rejected) return known
  const values = [accountNumber, dateFrom, dateTo, known?.lines ?? null, known?.on ?? null]
  return new Streamed('activity', pages(tx, selects[kind][dateField as DateField], values))
}

async function* pages(
  tx: Tx,
  select: Statement<ActivityText>,
  values: readonly Value[],
): AsyncGenerator<string> {
  const [accountNumber, , , lines] = values as readonly [string, string, string, number | null]
  for await (const rows of tx.pages(select, values, pageRowsMax)) {
    yield (await readAmounts(tx, rows, { accountNumber, lines })).map(renderText).join(',')
  }
}

const renderText = ({ row, values, amounts }: AnsweredLine<ActivityText>): string =>
  renderRecord(row.record, values, {
    enteredOn: row.entered_on,
    cancelled: row.corrections?.includes('C') === true,
    rebilled: row.corrections?.includes('R') === true,
    fxRate: row.fx_rate ?? undefined,
    amounts,
  })
