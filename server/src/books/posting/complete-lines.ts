/**
 * Completes the lines of a batch that refer to an earlier line, in the books or earlier in the batch: cancels, rebills,
 * and lines without a known security, which may repeat a line. A cancel takes its missing facts from its original. A
 * line that refers to a stored line has the securities of that line if its identifiers named them then.
 */
import type { Tx } from '../../database/transaction.ts'
import { type LineSecurities, readKeptLines } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import type { Directory } from '../directory.ts'
import { type Booked, bookCancel, bookLine, type Original } from './book-line.ts'
import type { BookedLine } from './booked-line.ts'
import { differ, isNamedAsBefore, isNamedAsBooked, locatedAsBefore, securitiesOf } from './named-before.ts'
import { partOf, type ReadyLine } from './ready-line.ts'

export interface CompletedLines {
  readonly lines: readonly BookedLine[]
  readonly refused: readonly RefusedLine[]
}

/** A line that can be referred to. A line of the same batch has no record yet. */
type Earlier = Original & { readonly record?: string }
type EarlierLines = Map<string, Earlier>

/** The ids to which a line refers: of its original, and its own if it has no known security and may repeat a line. */
export function referencesOf(ready: ReadyLine): string[] {
  const { tagNo = '', externalId = '' } = partOf(ready).values
  if ('unnamed' in ready) return [tagNo, externalId]
  return 'cancel' in ready || ready.booked.line.rebills ? [tagNo] : []
}

/** Completes all lines. It reads nothing if no line refers to an earlier one. */
export async function completeLines(
  tx: Tx,
  lines: readonly ReadyLine[],
  securities: LineSecurities,
  directory: Directory,
): Promise<CompletedLines> {
  const references = lines.flatMap((ready) =>
    referencesOf(ready).map((externalId) => ({ firmId: partOf(ready).account.firmId, externalId })),
  )
  if (references.length === 0)
    return { lines: lines.map((ready) => (ready as { booked: BookedLine }).booked), refused: [] }
  const stored = await readKeptLines(tx, references, securities)
  const earlier: EarlierLines = new Map(stored.map((one) => [nameOf(one.firmId, one.line.externalId), one]))
  for (const ready of lines) if ('booked' in ready) learn(earlier, ready.booked)
  await directory.learnPast(securitiesOf(lines.flatMap((ready) => candidatesOf(ready, earlier))), tx)
  const completed: BookedLine[] = []
  const refused: RefusedLine[] = []
  for (const ready of lines) {
    const outcome = completeLine(ready, earlier, directory)
    if ('rejections' in outcome) {
      refused.push({ line: partOf(ready).source, rejections: outcome.rejections })
      continue
    }
    completed.push(outcome.booked)
    // A later line may name this cancel.
    learn(earlier, outcome.booked)
  }
  return { lines: completed, refused }
}

function nameOf(firmId: string, externalId: string): string {
  return `${firmId} ${externalId}`
}

function learn(earlier: EarlierLines, { account, line, processDate }: BookedLine): void {
  const name = nameOf(account.firmId, line.externalId)
  if (!earlier.has(name)) earlier.set(name, { line, processDate, accountNumber: account.accountNumber })
}

/** The lines that are there, in the order of `referencesOf`. */
function referredTo(ready: ReadyLine, earlier: EarlierLines): (Earlier | undefined)[] {
  const { firmId } = partOf(ready).account
  return referencesOf(ready).map((externalId) => earlier.get(nameOf(firmId, externalId)))
}

/** The lines whose securities a line may take: it has no known security, or corrects a line of another security. */
function candidatesOf(ready: ReadyLine, earlier: EarlierLines): Earlier[] {
  const [original, again] = referredTo(ready, earlier)
  // Only a cancel takes the securities of a line of the same batch.
  const isTaken = original?.record !== undefined || partOf(ready).values.cancelType === 'C'
  const originals = original !== undefined && isTaken ? [original] : []
  if ('unnamed' in ready) return again?.record === undefined ? originals : [again, ...originals]
  return originals.filter(({ line }) => {
    if ('booked' in ready) return differ(ready.booked.line, line)
    const { security, toSecurity } = ready.cancel
    return (
      (security !== undefined && security.booked.key !== line.security?.key) ||
      (toSecurity !== undefined && toSecurity.booked.key !== line.toSecurity?.key)
    )
  })
}

function completeLine(ready: ReadyLine, earlier: EarlierLines, directory: Directory): Booked {
  const { values } = partOf(ready)
  const candidates = candidatesOf(ready, earlier)
  if ('booked' in ready) {
    const { booked } = ready
    // A rebill may correct the security, so that it must name the original as the original was booked.
    const before = candidates.find(({ record = '' }) => isNamedAsBooked(values, record))
    if (before === undefined) return { booked }
    const { security } = before.line
    return bookLine(locatedAsBefore(booked, { line: { ...booked.line, security } }, directory))
  }
  const [original] = referredTo(ready, earlier)
  const before = candidates.find((one) => isNamedAsBefore(values, one, directory))
  if ('unnamed' in ready) {
    if (before === undefined) return ready.unnamed
    const located = locatedAsBefore(ready.unnamed, before, directory)
    return values.cancelType === 'C' ? bookCancel(located, original) : bookLine(located)
  }
  if (before !== undefined) return bookCancel(locatedAsBefore(ready.cancel, before, directory), original)
  const ofOriginal = original?.line.security && directory.security(original.line.security.key)
  return bookCancel({ ...ready.cancel, security: ready.cancel.security ?? ofOriginal }, original)
}
