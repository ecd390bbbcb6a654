/**
 * Completes the lines of a batch that depend on an earlier line, in the books or earlier in the batch: a cancel takes
 * its missing facts from its original. A line that repeats or corrects a stored line has the securities of that line if
 * its identifiers named them then.
 */
import type { Tx } from '../../database/transaction.ts'
import { findLines, type KeptLine, type LineSecurities, readKeptLines } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import type { Directory } from '../directory.ts'
import { bookCancel, bookLine, type Original } from './book-line.ts'
import type { BookedLine } from './booked-line.ts'
import { differ, isNamedAsBefore, isNamedAsBooked, locatedAsBefore, securitiesOf } from './named-before.ts'
import { partOf, type ReadyLine } from './ready-line.ts'

export interface CompletedLines {
  readonly lines: readonly BookedLine[]
  readonly refused: readonly RefusedLine[]
}

type Originals = Map<string, Original>

/** Completes all lines. It reads nothing if no line is a correction and all lines name a security. */
export async function completeLines(
  tx: Tx,
  lines: readonly ReadyLine[],
  securities: LineSecurities,
  directory: Directory,
): Promise<CompletedLines> {
  const corrections = lines.flatMap((ready) => {
    const { account, values } = partOf(ready)
    const corrects = values.cancelType === 'C' || values.rebill === true
    return corrects ? [{ firmId: account.firmId, externalId: values.tagNo ?? '' }] : []
  })
  if (corrections.length === 0 && !lines.some((ready) => 'unnamed' in ready))
    return { lines: lines.map((ready) => (ready as { booked: BookedLine }).booked), refused: [] }
  const found = corrections.length === 0 ? [] : await findLines(tx, corrections, securities)
  const originals: Originals = new Map(
    found.map((original) => [nameOf(original.firmId, original.line.externalId), original]),
  )
  for (const ready of lines) if ('booked' in ready) learn(originals, ready.booked)
  const doubtful = lines.filter((ready) => isDoubtful(ready, originals))
  const stored = await readStored(tx, doubtful, securities)
  const before = doubtful.flatMap((ready) => originalOf(ready, originals) ?? [])
  await directory.learnPast(securitiesOf([...stored.values(), ...before]), tx)
  const completed: BookedLine[] = []
  const refused: RefusedLine[] = []
  for (const ready of lines) {
    const outcome = completeLine(ready, originals, stored, directory)
    if ('rejections' in outcome) {
      refused.push({ line: partOf(ready).source, rejections: outcome.rejections })
      continue
    }
    completed.push(outcome.booked)
    // A later line may name this cancel.
    learn(originals, outcome.booked)
  }
  return { lines: completed, refused }
}

function nameOf(firmId: string, externalId: string | undefined): string {
  return `${firmId} ${externalId}`
}

function learn(originals: Originals, { account, line, processDate }: BookedLine): void {
  const name = nameOf(account.firmId, line.externalId)
  if (!originals.has(name)) originals.set(name, { line, processDate, accountNumber: account.accountNumber })
}

function originalOf(ready: ReadyLine, originals: Originals): Original | undefined {
  const { account, values } = partOf(ready)
  return originals.get(nameOf(account.firmId, values.tagNo))
}

/** Whether a line has no known security, or corrects a line of another security. */
function isDoubtful(ready: ReadyLine, originals: Originals): boolean {
  if ('unnamed' in ready) return true
  if ('booked' in ready && !ready.booked.line.rebills) return false
  const original = originalOf(ready, originals)
  return original !== undefined && isOfAnother(ready, original)
}

function isOfAnother(ready: ReadyLine, { line }: Original): boolean {
  if ('booked' in ready) return differ(ready.booked.line, line)
  if ('unnamed' in ready) return true
  const { security, toSecurity } = ready.cancel
  return (
    (security !== undefined && security.booked.key !== line.security?.key) ||
    (toSecurity !== undefined && toSecurity.booked.key !== line.toSecurity?.key)
  )
}

/** The stored lines that the lines repeat or correct. */
async function readStored(
  tx: Tx,
  lines: readonly ReadyLine[],
  securities: LineSecurities,
): Promise<Map<string, KeptLine>> {
  const stored = new Map<string, KeptLine>()
  const ofFirms = Map.groupBy(lines.map(partOf), ({ account }) => account.firmId)
  for (const [firmId, ofFirm] of ofFirms) {
    const ids = new Set(ofFirm.flatMap(({ values }) => [values.externalId ?? '', values.tagNo ?? '']))
    for (const line of await readKeptLines(tx, firmId, [...ids], securities))
      stored.set(nameOf(firmId, line.line.externalId), line)
  }
  return stored
}

function completeLine(
  ready: ReadyLine,
  originals: Originals,
  stored: ReadonlyMap<string, KeptLine>,
  directory: Directory,
): ReturnType<typeof bookLine> {
  const original = originalOf(ready, originals)
  const { account, values } = partOf(ready)
  const kept = stored.get(nameOf(account.firmId, values.tagNo))
  if ('booked' in ready) {
    // A rebill may correct the security, so that it must name the original as the original was booked.
    const { booked } = ready
    const isSame = booked.line.rebills && kept !== undefined && isNamedAsBooked(values, kept.record)
    return isSame && differ(booked.line, kept.line)
      ? bookLine(
          locatedAsBefore(booked, { line: { ...booked.line, security: kept.line.security } }, directory),
        )
      : { booked }
  }
  if ('unnamed' in ready) {
    const again = stored.get(nameOf(account.firmId, values.externalId))
    const before = [again, kept, values.cancelType === 'C' ? original : undefined].find(
      (one) => one !== undefined && isNamedAsBefore(values, one, directory),
    )
    if (before === undefined) return ready.unnamed
    const located = locatedAsBefore(ready.unnamed, before, directory)
    return values.cancelType === 'C' ? bookCancel(located, original) : bookLine(located)
  }
  if (original !== undefined && isOfAnother(ready, original)) {
    const before = kept ?? original
    if (isNamedAsBefore(values, before, directory))
      return bookCancel(locatedAsBefore(ready.cancel, before, directory), original)
  }
  const ofOriginal = original?.line.security && directory.security(original.line.security.key)
  return bookCancel({ ...ready.cancel, security: ready.cancel.security ?? ofOriginal }, original)
}
