/**
 * Finds, among lines that are added on top of a holding, the lines that cannot be booked: they exceed the
 * range of the books or contradict the holding.
 */
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
import { cashOf, entryOf, inOrder } from './account-change.ts'
import type { BookedLine } from './booked-line.ts'
import { holdingsBeyond, movesHolding } from './post-in-order.ts'

/** A line that is left out, and the reason. */
export interface RefusedBooking {
  readonly booked: BookedLine
  readonly rejection: Rejection
}

/** The state to which the lines are added. */
export interface Base {
  readonly books: AccountBooks
  readonly businessDate: string
  /** By secNo. */
  readonly kept: ReadonlyMap<string, KeptHolding>
  readonly cash: CashOfAccount
}

/** Adds lines one by one and returns those that do not fit. The others fit without them. */
export function refuseInOrder(
  { books, businessDate, kept, cash }: Base,
  lines: readonly BookedLine[],
): RefusedBooking[] {
  const { lotMethod } = books
  const holdings = new Map<string, HoldingState>()
  for (const [secNo, { state }] of kept) holdings.set(secNo, state)
  const balances = new Map(cash)
  const refused: RefusedBooking[] = []
  for (const booked of inOrder(lines)) {
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
