/**
 * Puts lines in the order in which they count and settles corrections: cancelled lines are out, rebilled lines stand in
 * the place of what they correct. What remains is what the books would be had nothing been wrong or late. Books 1, Corrections.
 */
import { abs, ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { type BreakKind, type Effects, raiseBreak } from './effects.ts'

/** The date from which a line counts: the trade date; of a return of capital the record date, when the line has one. */
export function effectiveDate(line: ActivityLine): string {
  return line.transType === 'ReturnOfCapital' ? (line.asOfDate ?? line.tradeDate) : line.tradeDate
}

/** Order of two lines: by effective date, record dates at the end of their day, then by entry. */
export function compareLines(a: ActivityLine, b: ActivityLine): number {
  const dateOfA = effectiveDate(a)
  const dateOfB = effectiveDate(b)
  if (dateOfA !== dateOfB) return dateOfA < dateOfB ? -1 : 1
  const atEndOfDay = hasRecordDate(a)
  if (atEndOfDay !== hasRecordDate(b)) return atEndOfDay ? 1 : -1
  return a.sequence - b.sequence
}

function hasRecordDate(line: ActivityLine): boolean {
  return line.transType === 'ReturnOfCapital' && line.asOfDate !== undefined
}

/** Lines as they count, in order. Breaks are raised for corrections that don't fit. */
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
      complain(effects, 'UnknownOriginal', line, 'Cancels a line that is not in the books.')
    else if (original.cancels)
      complain(effects, 'CancelOfCancel', line, 'Cancels a cancel; send a rebill instead.')
    else if (cancelled.has(original.externalId)) {
      complain(effects, 'AlreadyCancelled', line, 'Cancels a line that was cancelled before.')
    } else {
      cancelled.add(original.externalId)
      if (disagrees(line, original)) {
        complain(
          effects,
          'CancelDisagrees',
          line,
          'The cancel tells another security, quantity or price than the line it takes back.',
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
      complain(effects, 'UnknownOriginal', line, 'Rebills a line that is not in the books.')
    for (const original of corrected) {
      if (cancelled.has(original.externalId)) replacedBy.set(original.externalId, line.externalId)
      else complain(effects, 'RebillWithoutCancel', line, 'Rebills a line that is not cancelled; both count.')
    }
    live.push(root === undefined ? line : { ...line, sequence: root.sequence })
  }
  return live.map((line) => {
    const lotId = line.lotId === undefined ? undefined : replacedBy.get(line.lotId)
    return lotId === undefined ? line : { ...line, lotId }
  })
}

/** Of a cancel that came before its original: one that comes later is looked at before it is taken. */
function disagrees(cancel: ActivityLine, original: ActivityLine): boolean {
  const { security, quantity, price } = cancel
  return (
    (security !== undefined && security.key !== original.security?.key) ||
    (quantity !== ZERO && abs(quantity) !== abs(original.quantity)) ||
    (price !== undefined && original.price !== undefined && price !== original.price)
  )
}

/** What a rebill corrects: the line it names, and, where that is a rebill itself, what that one corrected. */
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
