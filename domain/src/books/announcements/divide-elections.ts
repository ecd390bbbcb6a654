/** Divides the shares of a holder among the options of an announcement. */
import { abs, type Decimal, min, ZERO } from '../../decimal.ts'
import type { Election } from './announcement.ts'

/**
 * The shares of each option, with the sign of the position. Elections count in their order and never for more than is
 * held; the default option gets what is left. It also gets the shares of void elections, so that an election after a
 * void one is for the same shares as before.
 */
export function divideElections(
  quantity: Decimal,
  elections: readonly Election[],
  defaultOption: string,
): ReadonlyMap<string, Decimal> {
  const shares = new Map<string, Decimal>()
  let left = abs(quantity)
  const give = (option: string, count: Decimal) => {
    if (count === ZERO) return
    shares.set(option, (shares.get(option) ?? ZERO) + (quantity < 0n ? -count : count))
    left -= count
  }
  for (const { option, quantity: wanted, void: isVoid } of elections)
    give(isVoid === undefined ? option : defaultOption, wanted === undefined ? left : min(wanted, left))
  give(defaultOption, left)
  return shares
}
