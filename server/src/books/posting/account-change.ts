/** The changes that a batch of lines makes in the books of one account, before they are written. */
import {
  type AcctType,
  type ActivityLine,
  type Break,
  type Closing,
  compareLines,
  type Entry,
  effectiveDate,
  type HoldingState,
  type Movement,
  postActivity,
  type ReportedUnits,
  type Wash,
} from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import type { AccountBooks } from '../../store/books/accounts.ts'
import type { EntryKind } from '../../store/books/entries.ts'
import type { KeptHolding } from '../../store/books/holdings.ts'
import type { BookedLine } from './booked-line.ts'

/** The sequence and location of the line. */
export interface PlacedLine {
  readonly line: ActivityLine
  readonly processDate: string
}

export interface PlannedEntry {
  readonly ofLine: number
  readonly causedBy: number
  readonly kind: EntryKind
  readonly entry: Entry
}

/** The latest revision of a record with revisions, or its removal. */
export interface Revision<T> {
  readonly of: T
  readonly gone: boolean
}

/** What a line moved in cash, and in securities by secNo. */
export interface MovedByLine {
  readonly cash: Decimal
  readonly units: ReadonlyMap<string, Decimal>
}

/** A line of which the service has stated what it moved, and states it differently now. */
export interface RestatedLine {
  readonly line: ActivityLine
  readonly before: MovedByLine
  readonly after: MovedByLine
}

/** A holding after the lines, with the order position of its last line. */
export interface ChangedHolding {
  readonly before: KeptHolding | undefined
  after: HoldingState
  lastDate: string
  lastAtDayEnd: boolean
}

export interface AccountChange {
  readonly books: AccountBooks
  /** The entries, in the order of entry. */
  readonly lines: readonly BookedLine[]
  readonly businessDate: string
  readonly entries: PlannedEntry[]
  /** Holdings by secNo. */
  readonly holdings: Map<string, ChangedHolding>
  readonly closings: Revision<Closing>[]
  readonly washes: Revision<Wash>[]
  readonly breaks: Break[]
  /** Ids of breaks that the books no longer raise. */
  readonly resolved: string[]
  readonly links: (readonly [secNo: string, other: string])[]
  /** The cash that lines move when they settle. Undefined for a line that no longer settles. */
  readonly unsettled: { readonly placed: PlacedLine; readonly amount: Decimal | undefined }[]
  /** Lines that were booked before and whose amounts the new lines change. */
  readonly restated: RestatedLine[]
  /** The changes of units that new lines report. */
  readonly units: (ReportedUnits & { readonly lineId: string })[]
}

export function emptyChange(
  books: AccountBooks,
  lines: readonly BookedLine[],
  businessDate: string,
): AccountChange {
  return {
    books,
    lines,
    businessDate,
    entries: [],
    holdings: new Map(),
    closings: [],
    washes: [],
    breaks: [],
    resolved: [],
    links: [],
    unsettled: [],
    restated: [],
    units: [],
  }
}

/** The order position of a line, without its order of entry. */
export interface LinePlace {
  readonly date: string
  /** A record date takes effect at the end of its day. */
  readonly atDayEnd: boolean
  /** An announced action takes effect at the start of its day. */
  readonly atDayStart: boolean
}

export function placeOfLine(line: ActivityLine): LinePlace {
  return {
    date: effectiveDate(line),
    atDayEnd: line.transType === 'ReturnOfCapital' && line.asOfDate !== undefined,
    atDayStart: line.startOfDay !== undefined,
  }
}

/** Whether a line belongs before the last line folded into a holding. */
export function isBefore(place: LinePlace, last: { lastDate: string; lastAtDayEnd: boolean }): boolean {
  if (place.date !== last.lastDate) return place.date < last.lastDate
  return place.atDayStart || (last.lastAtDayEnd && !place.atDayEnd)
}

/** Advances the last order position. */
export function advance(last: ChangedHolding, place: LinePlace): void {
  if (isBefore(place, last)) return
  last.lastDate = place.date
  last.lastAtDayEnd = place.atDayEnd
}

/** The lines in the order in which they are folded. */
export function inOrder(lines: readonly BookedLine[]): readonly BookedLine[] {
  for (let at = 1; at < lines.length; at += 1) {
    if (byPlace(lines[at - 1] as BookedLine, lines[at] as BookedLine) > 0) return lines.toSorted(byPlace)
  }
  return lines
}

function byPlace(a: BookedLine, b: BookedLine): number {
  return compareLines(a.line, b.line)
}

/** The entry of a line, posted on the business date. */
export function entryOf(line: ActivityLine, movements: readonly Movement[], businessDate: string): Entry {
  return postActivity(line, movements, line.settleDate <= businessDate)
}

/** The customer's cash in an entry. */
export function cashOf(entry: Entry): Decimal {
  let cash = ZERO
  for (const { ledger, asset, amount } of entry.legs) {
    if (ledger === 'customer' && asset.kind === 'cash') cash += amount
  }
  return cash
}

/** What an entry moved for the customer. */
export function movedBy(entry: Entry): MovedByLine {
  const units = new Map<string, Decimal>()
  for (const { ledger, asset, amount } of entry.legs) {
    if (ledger !== 'customer' || asset.kind === 'cash') continue
    units.set(asset.securityKey, (units.get(asset.securityKey) ?? ZERO) + amount)
  }
  return { cash: cashOf(entry), units }
}

/** The securities of which two quantities differ. */
export function changedUnits(before: MovedByLine, after: MovedByLine) {
  return [...new Set([...before.units.keys(), ...after.units.keys()])]
    .map((secNo) => ({
      secNo,
      before: before.units.get(secNo) ?? ZERO,
      after: after.units.get(secNo) ?? ZERO,
    }))
    .filter((units) => units.before !== units.after)
}

/** Cash of an account type in a currency. */
export interface CashSum {
  readonly acctType: AcctType
  readonly currency: string
  amount: Decimal
}

/** The customer's cash that entries move. There are few sums, and a map costs more than a scan. */
export function sumCash(entries: readonly PlannedEntry[]): CashSum[] {
  const sums: CashSum[] = []
  for (const { entry } of entries) {
    for (const { ledger, acctType, asset, amount } of entry.legs) {
      if (ledger !== 'customer' || asset.kind !== 'cash') continue
      const { currency } = asset
      const sum = sumOf(sums, acctType, currency)
      if (sum === undefined) sums.push({ acctType, currency, amount })
      else sum.amount += amount
    }
  }
  return sums
}

function sumOf(sums: readonly CashSum[], acctType: AcctType, currency: string): CashSum | undefined {
  for (const sum of sums) if (sum.acctType === acctType && sum.currency === currency) return sum
  return undefined
}
