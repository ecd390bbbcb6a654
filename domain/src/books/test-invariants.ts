/** For tests: all invariants of the books at once, and the cost that the books hold. */
import { type Decimal, sum, ZERO } from '../decimal.ts'
import type { Departure } from './effects.ts'
import { type Entry, foldEntries } from './entry.ts'
import type { AccountFold } from './fold.ts'
import { verifyBalances, verifyLots, verifyStockRecord, verifyWashes } from './invariants.ts'

/** Every violation found in a fold, and between it and the entries of the same lines. */
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
 * Cost of everything: in the open lots, less what was closed and what left. Splits, mergers, spin-offs, changes of name and
 * transfers between account types leave it as it is; washes add what they disallow; purchases add what was paid.
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
