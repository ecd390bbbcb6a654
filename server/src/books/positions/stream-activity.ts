/** The activity of an account in a range of dates, as JSON text read and written a page at a time. */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { type Outcome, Rejected, Streamed } from '../../context.ts'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { renderRecord } from '../activity-record.ts'

interface ActivityText {
  readonly record: string
  /** The corrections that name the line, each once: C, R, CR; null without any. */
  readonly corrections: string | null
  /** The cash that the line moved, where only the position told it. */
  readonly moved?: string | null
}

// A cancel itself can not be cancelled.
const columns = `activity.record, (
    select string_agg(distinct named.correction::text, '') from clearing.correction as named
    where named.account_number = activity.account_number and named.tag_no = activity.external_id
      and activity.correction is distinct from 'C'
  ) as corrections`
const range = `from clearing.activity
  where account_number = $1 and process_date between $2 and $3`

const selectTrades = statement<ActivityText>(
  'select-trade-activity',
  `select ${columns} ${range} and trans_type = 'Trade' order by process_date, sequence`,
)
// Corrections of late lines are in it; what takes a cancelled line back is not.
const moved = `case when net_amount is null and correction is distinct from 'C' then (
    select trim_scale(sum(leg.amount))::text
    from (
      select activity.ledger, activity.asset, activity.amount
      union all
      select ledger, asset, amount from clearing.entry
      where entry.account_number = activity.account_number and of_line = activity.sequence and kind in ('P', 'A')
    ) as posted cross join unnest(ledger, asset, amount) as leg (ledger, asset, amount)
    where leg.ledger = 'customer' and leg.asset = activity.currency
  ) end as moved`
const selectOthers = statement<ActivityText>(
  'select-non-trade-activity',
  `select ${columns}, ${moved} ${range} and trans_type <> 'Trade' order by process_date, sequence`,
)

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

export const streamActivity = (
  tx: Tx,
  kind: 'trades' | 'others',
  asked: ActivityRange,
): Outcome<'trade-activity'> => {
  const rejections = checkRange(asked)
  if (rejections.length > 0) return new Rejected(rejections)
  return new Streamed('activity', pages(tx, kind === 'trades' ? selectTrades : selectOthers, asked))
}

async function* pages(tx: Tx, select: typeof selectTrades, asked: ActivityRange): AsyncGenerator<string> {
  for await (const rows of tx.pages(
    select,
    [asked.accountNumber, asked.dateFrom, asked.dateTo],
    pageRowsMax,
  )) {
    yield rows.map(renderText).join(',')
  }
}

const renderText = ({ record, corrections, moved }: ActivityText): string =>
  renderRecord(
    record,
    corrections?.includes('C') === true,
    corrections?.includes('R') === true,
    moved ?? undefined,
  )
