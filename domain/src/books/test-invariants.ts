/** For tests: all invariants of the books, and the total cost in the books. */
import { type Decimal, sum, ZERO } from '../decimal.ts'
import type { Departure } from './effects.ts'
import { type Entry, foldEntries } from './entry.ts'
import type { AccountFold } from './fold.ts'
import { verifyBalances, verifyLots, verifyStockRecord, verifyWashes } from './invariants.ts'

/** Every violation in a fold, and between a fold and the entries of the same lines. */
export function verifyBooks(fold: AccountFold, entries: readonly Entry[]): string[] {
  const balances = foldEntries(entries)
  return [
    ...verifyLots(fold),
    ...verifyBalances(fold, balances),
    ...verifyStockRecord(balances),
    ...verifyWashes(fold),
  ]
}

/**
 * The total cost: the cost of the open lots, less the cost of closed and transferred lots. Splits, mergers,
 * spin-offs, name changes and transfers between account types preserve it. Wash sales add the disallowed loss;
 * purchases add the price paid.
 */
export function costInBooks(fold: Pick<AccountFold, 'holdings'>): Decimal {
  let total = ZERO
  for (const { lots, inTransit } of fold.holdings.values()) {
    for (const lot of lots.flat()) total += lot.cost
    for (const { lot } of inTransit) total += lot.cost
  }
  return total
}

export function costOfDepartures(departures: readonly Departure[]): Decimal {
  return sum(departures.map(({ lot }) => lot.cost))
}
