/**
 * Folds all lines of some securities again because a line was late or corrects another, and posts the
 * difference. Cancelled lines are reversed, lines that a late line affects are adjusted, and results get a
 * new revision. Nothing is overwritten.
 */
import {
  type AccountFold,
  type ActivityLine,
  type Break,
  type Closing,
  contradictsPosition,
  correctingEntry,
  dependsOnHolding,
  type Entry,
  effectsBeyond,
  emptyHolding,
  foldAccount,
  isBesideFold,
  makeEntry,
  postActivity,
  reverseEntry,
  type Wash,
} from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import type { Rejection } from '@clearing/protocol'
import { nameOfBreak, nameOfOpenBreak, type OpenBreak } from '../../store/books/breaks.ts'
import type { KeptHolding } from '../../store/books/holdings.ts'
import { nameOfClosing, nameOfWash } from '../../store/books/results.ts'
import {
  type AccountChange,
  advance,
  type ChangedHolding,
  cashOf,
  changedUnits,
  entryOf,
  type MovedByLine,
  movedBy,
  type PlacedLine,
  placeOfLine,
} from './account-change.ts'
import { type BookedLine, keysOf, noSecurity } from './booked-line.ts'
import { postEntry } from './post-in-order.ts'
import { type LinesElsewhere, withoutRebilledElsewhere } from './rebilled-elsewhere.ts'

/** The current state in the books of the lines of the securities. */
export interface KeptBooks {
  readonly securities: ReadonlySet<string>
  readonly lines: readonly PlacedLine[]
  /** By secNo. */
  readonly holdings: ReadonlyMap<string, KeptHolding>
  readonly closings: readonly Closing[]
  readonly washes: readonly Wash[]
  readonly breaks: readonly OpenBreak[]
  /** By sequence: the postings of the lines that `linesToCompare` returns. */
  readonly postings: ReadonlyMap<number, Entry>
  /** The lines of other accounts that lines of the securities rebill. */
  readonly elsewhere: LinesElsewhere
}

/** Ids of lines that have been cancelled. A cancel cannot be cancelled. */
export function cancelledIds(lines: readonly ActivityLine[]): Map<string, ActivityLine> {
  const byId = new Map(lines.map((line) => [line.externalId, line]))
  const cancelled = new Map<string, ActivityLine>()
  for (const line of lines.toSorted((a, b) => a.sequence - b.sequence)) {
    if (!line.cancels || line.tagNo === undefined) continue
    const original = byId.get(line.tagNo)
    if (original !== undefined && !original.cancels && !cancelled.has(line.tagNo))
      cancelled.set(line.tagNo, line)
  }
  return cancelled
}

/**
 * Booked lines whose posting may change: the lines that new cancels name, and the lines whose amounts depend
 * on the position.
 */
export function linesToCompare(kept: readonly PlacedLine[], fresh: readonly BookedLine[]): PlacedLine[] {
  const named = new Set(fresh.filter(({ line }) => line.cancels).map(({ line }) => line.tagNo))
  return kept.filter(
    ({ line }) => !line.cancels && (named.has(line.externalId) || dependsOnHolding(line.transType)),
  )
}

/**
 * Posts the difference, or returns why one of the new lines cannot be booked. In that case the change must be
 * discarded.
 */
export function refold(
  change: AccountChange,
  kept: KeptBooks,
  fresh: readonly BookedLine[],
): Rejection | undefined {
  const lines = [...kept.lines.map(({ line }) => line), ...fresh.map(({ line }) => line)]
  const fold = foldAccount(lines, { lotMethod: change.books.lotMethod, endsBeyond: true })
  const entered = new Set(fresh.map(({ line }) => line.externalId))
  const beyond =
    fold.beyond ??
    effectsBeyond(fold) ??
    contradictsPosition(fold.breaks.filter(({ lineId }) => entered.has(lineId)))
  if (beyond !== undefined) return beyond
  const cancelled = cancelledIds(lines)
  const movements = Map.groupBy(fold.movements, ({ lineId }) => lineId)
  for (const booked of fresh) {
    const { line } = booked
    if (line.cancels) continue
    const cancel = cancelled.get(line.externalId)
    if (cancel !== undefined) {
      if (!entered.has(cancel.externalId)) restateCancel(change, cancel, line)
      continue
    }
    postEntry(change, booked, movements.get(line.externalId) ?? [])
  }
  const cause = Math.min(...fresh.map(({ line }) => line.sequence))
  for (const placed of linesToCompare(kept.lines, fresh)) {
    const { line } = placed
    const before = kept.postings.get(line.sequence) ?? makeEntry(line.externalId, [])
    const cancel = cancelled.get(line.externalId)
    if (cancel !== undefined) takeBack(change, placed, before, cancel.sequence)
    else if (dependsOnHolding(line.transType)) {
      adjust(
        change,
        placed,
        before,
        entryOf(line, movements.get(line.externalId) ?? [], change.businessDate),
        cause,
      )
    }
  }
  reviseHoldings(change, kept, fold, lines)
  revise(kept.closings, fold.closings, nameOfClosing, change.closings)
  revise(kept.washes, fold.washes, nameOfWash, change.washes)
  const breaks = withoutRebilledElsewhere(fold.breaks, lines, kept.elsewhere)
  reviseBreaks(change, kept.breaks, breaks, cancelled)
  return undefined
}

function takeBack(change: AccountChange, placed: PlacedLine, before: Entry, cancelledBy: number): void {
  if (before.legs.length === 0) return
  const entry = reverseEntry(before, before.lineId)
  change.entries.push({ ofLine: placed.line.sequence, causedBy: cancelledBy, kind: 'C', entry })
  if (placed.line.settleDate > change.businessDate) change.unsettled.push({ placed, amount: undefined })
}

/** Until its line arrives, a cancel moves nothing. A line that depends on the position then moves nothing either. */
function restateCancel(change: AccountChange, cancel: ActivityLine, line: ActivityLine) {
  if (dependsOnHolding(line.transType)) return
  noteRestated(change, cancel, movesNothing, movedBy(reverseEntry(postActivity(line), line.externalId)))
}

const movesNothing = { cash: ZERO, units: new Map<string, never>() }

function noteRestated(
  change: AccountChange,
  line: ActivityLine,
  before: MovedByLine,
  after: MovedByLine,
): void {
  if (before.cash !== after.cash || changedUnits(before, after).length > 0)
    change.restated.push({ line, before, after })
}

function adjust(change: AccountChange, placed: PlacedLine, before: Entry, after: Entry, cause: number): void {
  const entry = correctingEntry(before, after)
  if (entry.legs.length === 0) return
  change.entries.push({ ofLine: placed.line.sequence, causedBy: cause, kind: 'A', entry })
  noteRestated(change, placed.line, movedBy(before), movedBy(after))
  if (placed.line.settleDate <= change.businessDate) return
  const amount = cashOf(after)
  change.unsettled.push({ placed, amount: amount === ZERO ? undefined : amount })
}

function reviseHoldings(
  change: AccountChange,
  kept: KeptBooks,
  fold: AccountFold,
  lines: readonly ActivityLine[],
): void {
  for (const line of lines) {
    if (line.cancels) continue
    const place = placeOfLine(line)
    for (const secNo of keysOf(line)) {
      if (secNo === noSecurity) continue
      let changed: ChangedHolding | undefined = change.holdings.get(secNo)
      if (changed === undefined) {
        const before = kept.holdings.get(secNo)
        const security = line.security?.key === secNo ? line.security : line.toSecurity
        if (security === undefined) throw new Error(`line ${line.externalId} does not name security ${secNo}`)
        const after = fold.holdings.get(secNo) ?? emptyHolding(security)
        changed = { before, after, lastDate: place.date, lastAtDayEnd: place.atDayEnd }
        change.holdings.set(secNo, changed)
      }
      advance(changed, place)
    }
  }
}

/** Adds the revisions that lead from the old state to the new one. */
function revise<T extends object>(
  was: readonly T[],
  is: readonly T[],
  nameOf: (of: T) => string,
  revisions: { readonly of: T; readonly gone: boolean }[],
): void {
  const before = new Map(was.map((of) => [nameOf(of), of]))
  for (const of of is) {
    const name = nameOf(of)
    const old = before.get(name)
    before.delete(name)
    if (old === undefined || !isSame(old, of)) revisions.push({ of, gone: false })
  }
  for (const of of before.values()) revisions.push({ of, gone: true })
}

/** Whether two results of a fold, such as lots or closings, have the same members. */
export function isSame<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((member) => a[member] === b[member])
}

function reviseBreaks(
  change: AccountChange,
  open: readonly OpenBreak[],
  breaks: readonly Break[],
  cancelled: ReadonlyMap<string, unknown>,
): void {
  // Breaks that the fold does not raise remain until their line is cancelled.
  const folded = open.filter(({ kind, external_id }) => !isBesideFold(kind) || cancelled.has(external_id))
  const left = Map.groupBy(folded, nameOfOpenBreak)
  for (const found of breaks) {
    if (left.get(nameOfBreak(found))?.pop() === undefined) change.breaks.push(found)
  }
  for (const gone of left.values()) change.resolved.push(...gone.map(({ break_id }) => break_id))
}
