/**
 * Refuses new lines by rules that earlier releases did not have. A line that is stored, or waits for its day, was
 * accepted before: sent again, it is a duplicate or a conflict.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { readKnownIds } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { readPending } from '../../store/books/pending.ts'
import { readBusinessDay } from '../../store/business-day.ts'
import { hasInvisible } from '../lines/field.ts'
import type { ActivityValues } from '../lines/shapes.ts'
import { checkDatesAhead, later } from '../posting/dates-ahead.ts'
import { contradictingMarks } from '../posting/marks.ts'
import { partOf, type ReadyLine } from '../posting/ready-line.ts'

interface RefusedNew {
  readonly left: readonly ReadyLine[]
  readonly refused: readonly RefusedLine[]
}

interface NewLines {
  /** The lines waited for their day. They are refused as new lines are. */
  readonly areDue: boolean
  /** A business date that was open before. The date only advances. */
  readonly seen: string
  readonly now: Date
}

export async function refuseNew(
  tx: Tx,
  lines: readonly ReadyLine[],
  { areDue, seen, now }: NewLines,
): Promise<RefusedNew> {
  const doubtful = [...refusalsOf(lines, latestOf(seen, now)).keys()]
  if (doubtful.length === 0) return { left: lines, refused: [] }
  const [businessDate, accepted] = await Promise.all([
    readBusinessDay(tx, now),
    readAccepted(tx, doubtful, areDue),
  ])
  const fresh = doubtful.filter((line) => !accepted.has(nameOf(line)))
  const refused = refusalsOf(fresh, latestOf(businessDate, now))
  return {
    left: lines.filter((line) => !refused.has(line)),
    refused: [...refused].map(([line, rejections]) => ({ line: partOf(line).source, rejections })),
  }
}

/** On a day without a market, and while a close is late, today's date is after the business date. */
function latestOf(businessDate: string, now: Date): string {
  return later(businessDate, now.toISOString().slice(0, 10))
}

function refusalsOf(lines: readonly ReadyLine[], latest: string): Map<ReadyLine, readonly Rejection[]> {
  const refused = new Map<ReadyLine, readonly Rejection[]>()
  for (const line of lines) {
    const { values } = partOf(line)
    const rejections = [
      ...contradictingMarks(values),
      ...checkDatesAhead(values, latest),
      ...invisibleIds(values),
    ]
    if (rejections.length > 0) refused.set(line, rejections)
  }
  return refused
}

/** Ids that a new line brings. `tagNo` and `lotId` name stored lines, whose ids may have such characters. */
function invisibleIds(values: ActivityValues): Rejection[] {
  return (['externalId', 'orderId'] as const)
    .filter((name) => hasInvisible(values[name] ?? ''))
    .map((name) => reject('ERR.1016', name, `${name} contains a character that cannot be seen.`))
}

/** The names of the lines that are stored or wait. */
async function readAccepted(tx: Tx, lines: readonly ReadyLine[], areDue: boolean): Promise<Set<string>> {
  const byFirm = [...Map.groupBy(lines, (line) => partOf(line).account.firmId)]
  const [waiting, ...stored] = await Promise.all([
    areDue
      ? []
      : readPending(
          tx,
          byFirm.map(([firmId]) => firmId),
        ),
    ...byFirm.map(async ([firmId, ofFirm]) => {
      const ids = await readKnownIds(tx, firmId, ofFirm.map(idOf))
      return [...ids].map((id) => `${firmId} ${id}`)
    }),
  ])
  return new Set([...waiting.map(({ firmId, externalId }) => `${firmId} ${externalId}`), ...stored.flat()])
}

function idOf(line: ReadyLine): string {
  return partOf(line).values.externalId ?? ''
}

function nameOf(line: ReadyLine): string {
  return `${partOf(line).account.firmId} ${idOf(line)}`
}
