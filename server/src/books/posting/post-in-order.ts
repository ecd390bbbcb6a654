/**
 * Posts lines that come after all lines in their holdings. Each is added on top, and no earlier posting
 * changes.
 */
import {
  type ActivityLine,
  contradictsPosition,
  dependsOnHolding,
  effectsBeyond,
  type HoldingState,
  HoldingsInOrder,
  holdingBeyond,
  type Movement,
  unitsReported,
} from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import type { Rejection } from '@clearing/protocol'
import type { KeptHolding } from '../../store/books/holdings.ts'
import {
  type AccountChange,
  advance,
  type ChangedHolding,
  cashOf,
  entryOf,
  inOrder,
  placeOfLine,
} from './account-change.ts'
import type { BookedLine } from './booked-line.ts'

/** Posts the lines, or returns why one of them cannot be booked. In that case the change must be discarded. */
export function postInOrder(
  change: AccountChange,
  kept: ReadonlyMap<string, KeptHolding>,
  lines: readonly BookedLine[],
): Rejection | undefined {
  const folding = new HoldingsInOrder((secNo) => kept.get(secNo)?.state, change.books.lotMethod)
  for (const booked of inOrder(lines)) {
    const { line } = booked
    if (!movesHolding(line)) {
      postEntry(change, booked, [])
      continue
    }
    const { effects, touched } = folding.add(line)
    // The sum of purchases is checked at the end. A corporate action multiplies, so it is checked at once.
    const beyond =
      effectsBeyond(effects) ??
      (dependsOnHolding(line.transType)
        ? (holdingsBeyond(touched.map((secNo) => folding.holding(secNo))) ??
          contradictsPosition(effects.breaks))
        : undefined)
    if (beyond !== undefined) return beyond
    for (const secNo of touched) {
      keepHolding(change, secNo, kept.get(secNo), folding.holding(secNo), line)
    }
    for (const of of effects.closings) change.closings.push({ of, gone: false })
    for (const of of effects.washes) change.washes.push({ of, gone: false })
    change.breaks.push(...effects.breaks)
    postEntry(change, booked, effects.movements)
  }
  return undefined
}

/** Whether the line depends on the holding or changes it. */
export function movesHolding(line: ActivityLine): boolean {
  return line.security !== undefined || line.transType === 'TransferOut'
}

/** The reason why the books cannot store one of the holdings; undefined when they can. */
export function holdingsBeyond(holdings: Iterable<HoldingState>): Rejection | undefined {
  for (const holding of holdings) {
    const beyond = holdingBeyond(holding)
    if (beyond !== undefined) return beyond
  }
  return undefined
}

function keepHolding(
  change: AccountChange,
  secNo: string,
  before: KeptHolding | undefined,
  after: HoldingState,
  line: ActivityLine,
): void {
  const place = placeOfLine(line)
  let changed: ChangedHolding | undefined = change.holdings.get(secNo)
  if (changed === undefined) {
    const { lastDate, lastAtDayEnd } = before ?? { lastDate: place.date, lastAtDayEnd: place.atDayEnd }
    changed = { before, after, lastDate, lastAtDayEnd }
    change.holdings.set(secNo, changed)
  }
  changed.after = after
  advance(changed, place)
}

/** Posts the entry of a line that is entered now. */
export function postEntry(change: AccountChange, booked: BookedLine, movements: readonly Movement[]): void {
  const { line } = booked
  const units = dependsOnHolding(line.transType) ? unitsReported(line, movements) : undefined
  if (units !== undefined) change.units.push({ ...units, lineId: line.externalId })
  const entry = entryOf(line, movements, change.businessDate)
  if (entry.legs.length === 0) return
  change.entries.push({ ofLine: line.sequence, causedBy: line.sequence, kind: 'P', entry })
  if (line.settleDate <= change.businessDate) return
  const amount = cashOf(entry)
  if (amount !== ZERO || line.transType === 'Trade') change.unsettled.push({ placed: booked, amount })
}
