/**
 * Sets aside the lines of a batch whose trade date is after the business date, and corrections of such lines. They are
 * stored as received and posted on their date.
 */
import { reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { startOfEasternDay } from '../../store/books/calendar.ts'
import { readKnownIds } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { putPending, readPending } from '../../store/books/pending.ts'
import { readSuspensions } from '../../store/books/suspensions.ts'
import { holdBusinessDay, readBusinessDay } from '../../store/business-day.ts'
import { queue } from '../../store/jobs.ts'
import { NumberText } from '../lines/raw-line.ts'
import { LineReader } from '../lines/read-line.ts'
import { type ActivityValues, activityShape } from '../lines/shapes.ts'
import { isClosed, whyClosed } from '../posting/suspended.ts'

/** The facts of a line that determine whether it has to wait. */
export interface DatedLine {
  readonly source: number
  readonly firmId: string
  readonly accountNumber: string
  readonly values: ActivityValues
  readonly members: Readonly<Record<string, unknown>>
  /** The numbers of the securities that the identifiers of the line name now. A cancel finds them again later. */
  readonly found: { readonly secNo: string | undefined; readonly toSecNo: string | undefined }
  /** Whether the identifiers name no security, or several. Then the line can only correct a pending line. */
  readonly isUnnamed: boolean
}

export interface SetAside<Line> {
  /** The lines to post now. */
  readonly left: readonly Line[]
  readonly pending: number
  readonly duplicates: number
  readonly conflicts: readonly RefusedLine[]
  /** Lines of closed accounts. */
  readonly refused: readonly RefusedLine[]
}

/** A line that is pending or becomes pending. */
interface Waiting {
  readonly accountNumber: string
  readonly tradeDate: string
  readonly values: ActivityValues
}

const reader = new LineReader(activityShape)

/** `seen` is a business date that was open before. The date only advances. */
export async function setAside<Line>(
  tx: Tx,
  lines: readonly Line[],
  datedOf: (line: Line) => DatedLine,
  { loadId, seen, now }: { readonly loadId: string; readonly seen: string; readonly now: Date },
): Promise<SetAside<Line>> {
  const mayWait = lines.filter((line) => (datedOf(line).values.tradeDate ?? '') > seen).map(datedOf)
  // Prevents a close from beginning before the lines are stored. The close would post the due lines without
  // them.
  if (mayWait.length > 0) holdBusinessDay(tx)
  const firmIds = [...new Set(lines.map((line) => datedOf(line).firmId))]
  const [businessDate, kept, known] = await Promise.all([
    mayWait.length > 0 ? readBusinessDay(tx, now) : seen,
    readPending(tx, firmIds),
    readKnown(tx, mayWait),
  ])
  if (kept.length === 0 && mayWait.length === 0)
    return { left: lines, pending: 0, duplicates: 0, conflicts: [], refused: [] }
  const waiting = new Map<string, Waiting>(
    kept.map((line) => [
      nameOf(line.firmId, line.externalId),
      { ...line, values: valuesOfPending(line.content) },
    ]),
  )
  const left: Line[] = []
  const conflicts: RefusedLine[] = []
  const added: Parameters<typeof putPending>[2][number][] = []
  let duplicates = 0
  for (const line of lines) {
    const dated = datedOf(line)
    const { source, firmId, accountNumber, values } = dated
    const externalId = values.externalId ?? ''
    const name = nameOf(firmId, externalId)
    const before = waiting.get(name)
    if (before !== undefined) {
      const fields = membersOtherwise(values, before.values)
      if (fields.length === 0) duplicates += 1
      else conflicts.push({ line: source, rejections: fields.map((field) => conflict(externalId, field)) })
      continue
    }
    const corrected = waiting.get(nameOf(firmId, values.tagNo ?? ''))
    const day = dayOf(values, accountNumber, corrected)
    const mustResolve = dated.isUnnamed && corrected === undefined
    if (day <= businessDate || known.has(name) || mustResolve) left.push(line)
    else {
      added.push({ source, firmId, externalId, accountNumber, tradeDate: day, content: contentOf(dated) })
      waiting.set(name, { accountNumber, tradeDate: day, values })
    }
  }
  const closed = await readClosed(tx, added)
  const stored = added.filter(({ accountNumber }) => !closed.has(accountNumber))
  const refused = added
    .filter(({ accountNumber }) => closed.has(accountNumber))
    .map(({ source }) => ({ line: source, rejections: [whyClosed] }))
  putPending(tx, loadId, stored)
  for (const day of new Set(stored.map(({ tradeDate }) => tradeDate))) queuePosting(tx, day)
  return { left, pending: stored.length, duplicates, conflicts, refused }
}

async function readClosed(
  tx: Tx,
  lines: readonly { readonly accountNumber: string }[],
): Promise<Set<string>> {
  if (lines.length === 0) return new Set()
  const accounts = [...new Set(lines.map(({ accountNumber }) => accountNumber))]
  const suspended = await readSuspensions(tx, accounts)
  return new Set(suspended.filter((one) => isClosed([one])).map(({ account_number }) => account_number))
}

/**
 * The job that posts due lines. It serves books whose days are not closed, and closes whose process ended
 * early.
 */
export const postDueTask = 'post-due-lines'

function queuePosting(tx: Tx, day: string): void {
  queue(tx, { task: postDueTask, payload: {}, key: `${postDueTask} ${day}`, due: startOfEasternDay(day) })
}

/** A correction waits for the line that it names. */
function dayOf(
  { tradeDate = '' }: ActivityValues,
  accountNumber: string,
  named: Waiting | undefined,
): string {
  if (named === undefined || named.accountNumber !== accountNumber) return tradeDate
  return tradeDate > named.tradeDate ? tradeDate : named.tradeDate
}

function nameOf(firmId: string, externalId: string): string {
  return `${firmId} ${externalId}`
}

async function readKnown(tx: Tx, lines: readonly DatedLine[]): Promise<Set<string>> {
  const ofFirms = [...Map.groupBy(lines, ({ firmId }) => firmId)].map(async ([firmId, ofFirm]) => {
    const ids = await readKnownIds(
      tx,
      firmId,
      ofFirm.map(({ values }) => values.externalId ?? ''),
    )
    return [...ids].map((id) => nameOf(firmId, id))
  })
  return new Set((await Promise.all(ofFirms)).flat())
}

/**
 * The line as received, with the numbers of its securities: until its day, an identifier may pass to another security.
 */
function contentOf({ members, values, found }: DatedLine): string {
  const numbers: { secNo?: string; toSecNo?: string } = {}
  if (values.secNo === undefined && found.secNo !== undefined) numbers.secNo = found.secNo
  if (values.toSecNo === undefined && found.toSecNo !== undefined) numbers.toSecNo = found.toSecNo
  return JSON.stringify({ ...members, ...numbers }, (_name, value) =>
    value instanceof NumberText ? value.text : value,
  )
}

/** The values of a pending line as the feed gave them, and the numbers of its securities. */
export function valuesOfPending(content: string): ActivityValues {
  const reading = reader.read(JSON.parse(content))
  if ('rejections' in reading) throw new Error('a pending line can no longer be read')
  return reading.values
}

function membersOtherwise(values: ActivityValues, before: ActivityValues): string[] {
  const names = [...new Set([...Object.keys(values), ...Object.keys(before)])] as (keyof ActivityValues)[]
  // The numbers of the pending line may be those that the service found.
  const isFound = (name: keyof ActivityValues) =>
    (name === 'secNo' || name === 'toSecNo') && values[name] === undefined
  return names.filter((name) => !isFound(name) && plainOf(values[name]) !== plainOf(before[name]))
}

/** A text that is the same for each spelling of a value. */
function plainOf(value: unknown): string {
  const plain =
    typeof value === 'object' && value !== null && 'text' in value ? { ...value, text: '' } : value
  return JSON.stringify(plain, (_name, part) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
}

function conflict(externalId: string, field: string) {
  return reject(
    'ERR.2018',
    field,
    `A line with the externalId ${externalId} is stored with another ${field}, and waits for its trade date.`,
  )
}
