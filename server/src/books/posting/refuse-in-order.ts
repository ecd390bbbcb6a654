/** Finds, among lines that go on top of what an account holds, those that cannot be taken: they lead beyond what the books can hold, or contradict it. */
import {
  applyLine,
  cashBeyond,
  contradictsPosition,
  effectsBeyond,
  type HoldingState,
} from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import type { Rejection } from '@clearing/protocol'
import type { AccountBooks } from '../../store/books/accounts.ts'
import { type CashOfAccount, nameOfCash } from '../../store/books/balances.ts'
import type { KeptHolding } from '../../store/books/holdings.ts'
import { byPlace, cashOf, entryOf } from './account-change.ts'
import type { BookedLine } from './booked-line.ts'
import { holdingsBeyond, movesHolding } from './post-in-order.ts'

/** A line that is left out, and why. */
export interface RefusedBooking {
  readonly booked: BookedLine
  readonly rejection: Rejection
}

/** What the lines go on top of. */
export interface Base {
  readonly books: AccountBooks
  readonly businessDate: string
  /** By secNo. */
  readonly kept: ReadonlyMap<string, KeptHolding>
  readonly cash: CashOfAccount
}

/** Takes one line on top of the other as far as they fit; the others fit without those that are answered. */
export function refuseInOrder(
  { books, businessDate, kept, cash }: Base,
  lines: readonly BookedLine[],
): RefusedBooking[] {
  const { lotMethod } = books
  const holdings = new Map<string, HoldingState>()
  for (const [secNo, { state }] of kept) holdings.set(secNo, state)
  const balances = new Map(cash)
  const refused: RefusedBooking[] = []
  for (const booked of lines.toSorted(byPlace)) {
    const { line } = booked
    const applied = movesHolding(line) ? applyLine(holdings, line, { lotMethod }) : undefined
    const name = nameOfCash(line.acctType, line.currency)
    const moved = cashOf(entryOf(line, applied?.movements ?? [], businessDate))
    const balance = (balances.get(name) ?? ZERO) + moved
    const ofHoldings =
      applied &&
      (effectsBeyond(applied) ??
        holdingsBeyond(applied.holdings.values()) ??
        contradictsPosition(applied.breaks))
    const rejection = ofHoldings ?? cashBeyond(balance)
    if (rejection !== undefined) {
      refused.push({ booked, rejection })
      continue
    }
    for (const [secNo, state] of applied?.holdings ?? []) holdings.set(secNo, state)
    balances.set(name, balance)
  }
  return refused
}
