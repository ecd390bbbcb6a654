/**
 * Spreads of any shape (FINRA Rule 4210(f)(2)(H); Regulatory Notice 12-44). A spread requires its largest loss, and
 * long options are paid for in full.
 */

import { type Decimal, min, multiply, ZERO } from '../../../decimal.ts'
import { largestLoss } from '../../largest-loss.ts'
import {
  compare,
  type Holdings,
  isProtectedBy,
  type LongOption,
  type ShortOption,
  UNIT_PLACES,
  uncovered,
} from './holdings.ts'

/**
 * Takes the short options of each expiration with long options that expire no earlier as one spread of any shape
 * (butterfly, condor, box): as many long as short contracts of each side. The latest expiration comes first, because
 * the fewest long options fit it. What is left of the short options is then paired.
 */
export function spreadAsWhole({ shorts, longs }: Holdings): void {
  const groups = Map.groupBy(
    shorts,
    ({ contract, position }) => `${contract.expiration} ${position.multiplier}`,
  )
  for (const [, sold] of [...groups].sort(([a], [b]) => compare(b, a))) {
    const [first] = sold
    takeSpread(
      sold,
      longs.filter((long) => first !== undefined && isProtectedBy(first, long)),
    )
  }
}

interface Leg {
  readonly option: ShortOption | LongOption
  readonly contracts: Decimal
}

function takeSpread(shorts: readonly ShortOption[], longs: readonly LongOption[]): void {
  const sold: { readonly option: ShortOption; readonly contracts: Decimal }[] = []
  const bought: Leg[] = []
  for (const side of ['Call', 'Put'] as const) {
    const ofSide = shorts.filter(({ contract }) => contract.putCall === side)
    const cover = longs.filter(({ contract }) => contract.putCall === side).sort(mostValuableFirst)
    const contracts = min(sumOfLeft(ofSide), sumOfLeft(cover))
    sold.push(...takeLegs(ofSide, contracts))
    bought.push(...takeLegs(cover, contracts))
  }
  let apart = ZERO
  for (const { option, contracts } of sold) {
    apart += multiply(uncovered(option), contracts, UNIT_PLACES)
  }
  let loss = largestLossOf(sold, bought)
  if (loss >= apart) return
  for (const { option, contracts } of bought) option.left -= contracts
  for (const { option, contracts } of sold) {
    option.left -= contracts
    const full = min(loss, multiply(uncovered(option), contracts, UNIT_PLACES))
    loss -= full
    option.result.requirement += full
    option.result.onTop += full - multiply(option.premium, contracts, UNIT_PLACES)
  }
}

function sumOfLeft(options: readonly (ShortOption | LongOption)[]): Decimal {
  return options.reduce((sum, { left }) => sum + left, ZERO)
}

function takeLegs<T extends ShortOption | LongOption>(options: readonly T[], contracts: Decimal) {
  const legs: { readonly option: T; readonly contracts: Decimal }[] = []
  let wanted = contracts
  for (const option of options) {
    const taken = min(wanted, option.left)
    wanted -= taken
    legs.push({ option, contracts: taken })
  }
  return legs
}

/**
 * The call with the lowest and the put with the highest exercise price is worth the most at every price of the
 * underlying.
 */
function mostValuableFirst(a: LongOption, b: LongOption): number {
  const byStrike = compare(a.contract.strike, b.contract.strike)
  return a.contract.putCall === 'Call' ? byStrike : -byStrike
}

function largestLossOf(sold: readonly Leg[], bought: readonly Leg[]): Decimal {
  const multiplier = sold[0]?.option.position.multiplier ?? ZERO
  const legOf = ({ option: { contract }, contracts }: Leg, sign: bigint) => ({
    ...contract,
    sold: contracts * sign,
  })
  const legs = [...sold.map((leg) => legOf(leg, 1n)), ...bought.map((leg) => legOf(leg, -1n))]
  return multiply(largestLoss(legs), multiplier, UNIT_PLACES)
}
