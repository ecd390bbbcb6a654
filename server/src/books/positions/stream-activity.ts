/**
 * The activity of an account in a range of dates and in a view, as JSON text. It is read and written in
 * pages.
 */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected, Streamed } from '../../answers.ts'
import type { Tx } from '../../database/transaction.ts'
import { type ActivityText, type AskedPages, pageActivity } from '../../store/books/activity.ts'
import { readClosingNames } from '../../store/books/results.ts'
import { renderRecord } from '../activity-record.ts'
import { type AnsweredLine, readAmounts, withoutQuantity } from './moved-amounts.ts'
import { MovedSecurities, type MovedSecurity, withoutDescription } from './moved-securities.ts'
import { readRestated } from './restated-lines.ts'
import { chooseView } from './view.ts'

/**
 * The number of rows read and written together. Pages of this size are garbage before the second young
 * collection. With 1,000 rows many survived it, and the heap grew by 100 MB.
 */
const pageRowsMax = 100

export interface ActivityRange {
  readonly accountNumber: string
  readonly dateFrom: string
  readonly dateTo: string
}

export function checkRange({ dateFrom, dateTo }: ActivityRange): Rejection[] {
  if (dateFrom > dateTo) return [reject('ERR.1025', 'dateFrom', 'dateFrom must not be after dateTo.')]
  const year = String(Number(dateFrom.slice(0, 4)) + limits.activityRangeYearsMax).padStart(4, '0')
  // No date is later than the year 9999.
  return year.length === 4 && dateTo > `${year}${dateFrom.slice(4)}`
    ? [reject('ERR.1025', 'dateTo', `The range must be at most ${limits.activityRangeYearsMax} years.`)]
    : []
}

export interface AskedActivity extends ActivityRange {
  readonly dateField?: string | undefined
  readonly asOf?: string | undefined
  readonly knownAt?: string | undefined
}

export async function streamActivity(
  tx: Tx,
  kind: 'trades' | 'others',
  asked: AskedActivity,
  now: Date,
): Promise<Rejected | Streamed> {
  const rejections = checkRange(asked)
  if (rejections.length > 0) return new Rejected(rejections)
  const { accountNumber, dateFrom, dateTo, dateField = 'processDate' } = asked
  const seen = await seeActivity(tx, asked, now)
  if (seen instanceof Rejected) return seen
  const field = dateField as AskedPages['field']
  const pagesOf = { kind, accountNumber, dateFrom, dateTo, ...seen, field }
  if (field !== 'enteredOn') return new Streamed('activity', pages(tx, pagesOf))
  const restated = await readRestated(tx, pagesOf)
  return new Streamed('activity', pages(tx, pagesOf), () => ({ restated }))
}

type Seen = Pick<AskedPages, 'lines' | 'knownOn' | 'until'>
const everything: Seen = { lines: null, knownOn: null, until: null }

async function seeActivity(
  tx: Tx,
  { accountNumber, asOf, knownAt }: AskedActivity,
  now: Date,
): Promise<Seen | Rejected> {
  if (asOf === undefined && knownAt === undefined) return everything
  const view = await chooseView(tx, accountNumber, { asOf, knownAt }, now)
  if (view === undefined || view instanceof Rejected) return view ?? everything
  const { known, isPast, day } = view
  return { lines: known?.lines ?? null, knownOn: known?.on ?? null, until: isPast ? day : null }
}

async function* pages(tx: Tx, asked: AskedPages): AsyncGenerator<string> {
  const securities = new MovedSecurities(asked.knownOn)
  const source = pageActivity(tx, asked, pageRowsMax)[Symbol.asyncIterator]()
  let coming = source.next()
  try {
    for (let page = await coming; page.done !== true; page = await coming) {
      const rows = page.value
      // The next page and the facts for this page are requested in one turn of the event loop and travel together.
      coming = source.next()
      // The rejection is handled at the next await; until then it must not count as unhandled.
      coming.catch(() => undefined)
      const closed = readClosingNames(tx, asked, rows.map(idOf))
      const [lines, names] = await Promise.all([readAmounts(tx, rows, asked), closed])
      const moved = await securities.name(tx, lines)
      yield lines.map((line, at) => renderText(line, names[at] ?? [], moved[at] ?? [])).join(',')
    }
  } finally {
    // When a reader disconnects, a page can still be in flight.
    await coming.catch(() => undefined)
    await source.return?.()
  }
}

function idOf({ external_id }: ActivityText): string {
  return external_id
}

function renderText(
  { row, values, amounts, isWithoutEffect }: AnsweredLine<ActivityText>,
  closings: readonly string[],
  moved: readonly MovedSecurity[],
): string {
  return renderRecord(row.record, values, {
    enteredOn: row.entered_on,
    externalId: row.external_id,
    cancelled: row.corrections?.includes('C') === true,
    rebilled: row.corrections?.includes('R') === true,
    isWithoutEffect,
    fxRate: row.fx_rate ?? undefined,
    amounts: isWithoutEffect ? withoutQuantity(amounts) : amounts,
    closings: closings.length === 0 ? '[]' : JSON.stringify(closings),
    securitiesMoved: moved.length === 0 ? '[]' : JSON.stringify(moved.map(withoutDescription)),
  })
}
