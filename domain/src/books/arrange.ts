/**
 * Sorts lines into the order in which they take effect and applies corrections: a cancelled line is removed, and a
 * rebill takes the place of the line that it corrects. The result is as if no line had been wrong or late. Books 1,
 * Corrections.
 */
import { abs, ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { type BreakKind, type Effects, raiseBreak } from './effects.ts'

/** The date on which a line takes effect: the trade date, or the record date of a return of capital that has one. */
export function effectiveDate(line: ActivityLine): string {
  return line.transType === 'ReturnOfCapital' ? (line.asOfDate ?? line.tradeDate) : line.tradeDate
}

/**
 * Orders two lines by effective date, then by entry. An announced action takes effect at the start of its day, a record
 * date at the end.
 */
export function compareLines(a: ActivityLine, b: ActivityLine): number {
  const dateOfA = effectiveDate(a)
  const dateOfB = effectiveDate(b)
  if (dateOfA !== dateOfB) return dateOfA < dateOfB ? -1 : 1
  const partOfDay = partOfDayOf(a) - partOfDayOf(b)
  if (partOfDay !== 0) return partOfDay
  return a.sequence - b.sequence
}

/** -1 at the start of the day, 1 at its end. */
function partOfDayOf(line: ActivityLine): number {
  if (line.startOfDay !== undefined) return -1
  return line.transType === 'ReturnOfCapital' && line.asOfDate !== undefined ? 1 : 0
}

/** The lines that take effect, in order. A correction that does not fit raises a break. */
export function arrangeLines(lines: readonly ActivityLine[], effects: Effects): readonly ActivityLine[] {
  const live = lines.some((line) => line.cancels || line.rebills) ? settleCorrections(lines, effects) : lines
  for (let index = 1; index < live.length; index += 1) {
    const before = live[index - 1]
    const line = live[index]
    if (before !== undefined && line !== undefined && compareLines(before, line) > 0)
      return live.toSorted(compareLines)
  }
  return live
}

function settleCorrections(arrived: readonly ActivityLine[], effects: Effects): ActivityLine[] {
  const lines = arrived.toSorted(bySequence)
  const byId = new Map(lines.map((line) => [line.externalId, line]))
  const cancelled = new Set<string>()
  for (const line of lines.filter((candidate) => candidate.cancels)) {
    const original = line.tagNo === undefined ? undefined : byId.get(line.tagNo)
    if (original === undefined)
      complain(
        effects,
        'UnknownOriginal',
        line,
        'Cancels a line that is not in the books, so it has no effect. Load the line that it names, or tell the feed that its tagNo is wrong.',
      )
    else if (original.cancels)
      complain(
        effects,
        'CancelOfCancel',
        line,
        'Cancels a cancel, so it has no effect. Send a rebill of the original line instead.',
      )
    else if (cancelled.has(original.externalId)) {
      complain(
        effects,
        'AlreadyCancelled',
        line,
        'Cancels a line that was cancelled before, so it has no effect. Ask the feed which line it meant to cancel.',
      )
    } else {
      cancelled.add(original.externalId)
      if (disagrees(line, original)) {
        complain(
          effects,
          'CancelDisagrees',
          line,
          'The cancel states another security, quantity or price than the line that it cancels. If another line was meant, rebill this one and cancel that one.',
        )
      }
    }
  }
  const replacedBy = new Map<string, string>()
  const live: ActivityLine[] = []
  for (const line of lines) {
    if (line.cancels || cancelled.has(line.externalId)) continue
    if (!line.rebills) {
      live.push(line)
      continue
    }
    const corrected = originalsOf(line, byId)
    const root = corrected[corrected.length - 1]
    if (root === undefined)
      complain(
        effects,
        'UnknownOriginal',
        line,
        'Rebills a line that is not in the books; it counts as a new line. Load the line that it names and its cancel, or tell the feed that its tagNo is wrong.',
      )
    for (const original of corrected) {
      if (cancelled.has(original.externalId)) replacedBy.set(original.externalId, line.externalId)
      else
        complain(
          effects,
          'RebillWithoutCancel',
          line,
          'Rebills a line that is not cancelled; both count. Load the cancel of the original, or cancel the rebill.',
        )
    }
    live.push(root === undefined ? line : { ...line, sequence: root.sequence })
  }
  return live.map((line) => {
    const lotId = line.lotId === undefined ? undefined : replacedBy.get(line.lotId)
    return lotId === undefined ? line : { ...line, lotId }
  })
}

/** A cancel that arrived before its original. An original that arrives later is checked before it is cancelled. */
function disagrees(cancel: ActivityLine, original: ActivityLine): boolean {
  const { security, quantity, price } = cancel
  return (
    (security !== undefined && security.key !== original.security?.key) ||
    (quantity !== ZERO && abs(quantity) !== abs(original.quantity)) ||
    (price !== undefined && original.price !== undefined && price !== original.price)
  )
}

/**
 * The lines that a rebill corrects: the line that it names and, if that line is a rebill too, the lines that that one
 * corrects.
 */
function originalsOf(rebill: ActivityLine, byId: ReadonlyMap<string, ActivityLine>): ActivityLine[] {
  const originals: ActivityLine[] = []
  let line: ActivityLine = rebill
  while (line.rebills && line.tagNo !== undefined) {
    const original = byId.get(line.tagNo)
    if (original === undefined || original === rebill || original.cancels || originals.includes(original))
      break
    originals.push(original)
    line = original
  }
  return originals
}

function bySequence(a: ActivityLine, b: ActivityLine): number {
  return a.sequence - b.sequence
}

function complain(effects: Effects, kind: BreakKind, line: ActivityLine, reason: string): void {
  raiseBreak(effects, kind, line, ZERO, reason)
}
