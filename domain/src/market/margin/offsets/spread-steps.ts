/**
 * Spreads and straddles of options (FINRA Rule 4210(f)(2)(H); Regulatory Notice 12-44). A spread requires its largest
 * loss, and long options are paid for in full. Of an uncovered call and an uncovered put on one underlying the larger
 * side counts.
 */

import { abs, type Decimal, max, min, multiply, ZERO } from '../../../decimal.ts'
import {
  addRequirement,
  compare,
  type Holdings,
  type LongOption,
  mostNeededFirst,
  type Portion,
  type ShortOption,
  UNIT_PLACES,
} from './holdings.ts'

/**
 * Pairs each short option with long options of its side that expire no earlier: the smallest loss first, then the
 * nearest exercise price.
 */
export function spreadInPairs({ shorts, longs, portions }: Holdings): void {
  for (const short of shorts) {
    if (short.left === ZERO) continue
    const fitting = longs
      .filter((long) => long.left > ZERO && protects(long, short))
      .map((long) => ({ long, loss: pairLoss(long, short) }))
      .sort((a, b) => compare(a.loss, b.loss) || nearestFirst(a.long, b.long, short))
    for (const { long, loss } of fitting) {
      const contracts = min(short.left, long.left)
      if (contracts === ZERO || loss >= short.premium + short.charge) continue
      short.left -= contracts
      long.left -= contracts
      portions.push({ short, contracts, full: loss, isSpread: true })
    }
  }
}

function protects({ contract, position }: LongOption, short: ShortOption): boolean {
  return (
    contract.putCall === short.contract.putCall &&
    position.multiplier === short.position.multiplier &&
    contract.expiration >= short.contract.expiration
  )
}

function pairLoss({ contract }: LongOption, short: ShortOption): Decimal {
  const { strike, putCall } = short.contract
  const distance = putCall === 'Call' ? contract.strike - strike : strike - contract.strike
  return multiply(max(ZERO, distance), short.position.multiplier, UNIT_PLACES)
}

/** The long option that other shorts can spare best: nearest exercise price, then nearest expiration. */
function nearestFirst(a: LongOption, b: LongOption, { contract: { strike } }: ShortOption): number {
  return (
    compare(abs(a.contract.strike - strike), abs(b.contract.strike - strike)) ||
    compare(a.contract.expiration, b.contract.expiration)
  )
}

/**
 * Takes the options of each expiration together as one spread of any shape (butterfly, condor, box): as many long as
 * short contracts of each side. What is left of the short options is then paired.
 */
export function spreadAsWhole(holdings: Holdings): void {
  const { shorts, longs } = holdings
  const groupOf = ({ contract, position }: LongOption | ShortOption) =>
    `${position.multiplier} ${contract.expiration}`
  const longsOf = Map.groupBy(longs, groupOf)
  for (const [name, ofGroup] of Map.groupBy(shorts, groupOf)) takeSpread(ofGroup, longsOf.get(name) ?? [])
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
  let uncovered = ZERO
  for (const { option, contracts } of sold) {
    uncovered += multiply(option.premium + option.charge, contracts, UNIT_PLACES)
  }
  let loss = largestLoss(sold, bought)
  if (loss >= uncovered) return
  for (const { option, contracts } of bought) option.left -= contracts
  for (const { option, contracts } of sold) {
    option.left -= contracts
    const full = min(loss, multiply(option.premium + option.charge, contracts, UNIT_PLACES))
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
    if (taken === ZERO) continue
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

/**
 * The largest loss by intrinsic values, which is at one of the exercise prices. One pass upwards for calls, one
 * downwards for puts.
 */
function largestLoss(sold: readonly Leg[], bought: readonly Leg[]): Decimal {
  const legs = [...sold, ...bought.map(({ option, contracts }) => ({ option, contracts: -contracts }))]
  legs.sort((a, b) => compare(a.option.contract.strike, b.option.contract.strike))
  const multiplier = legs[0]?.option.position.multiplier ?? ZERO
  const ofCalls = lossesAlong(legs, 'Call')
  const ofPuts = lossesAlong(legs.toReversed(), 'Put').reverse()
  let largest = ZERO
  ofCalls.forEach((loss, at) => {
    largest = max(largest, loss + (ofPuts[at] ?? ZERO))
  })
  return multiply(largest, multiplier, UNIT_PLACES)
}

/** At each leg the intrinsic value owed, for legs in the order in which options of the side come into the money. */
function lossesAlong(legs: readonly Leg[], side: 'Call' | 'Put'): Decimal[] {
  let owed = ZERO
  let inMoney = ZERO
  let before: Decimal | undefined
  return legs.map(({ option: { contract }, contracts }) => {
    owed += multiply(inMoney, abs(contract.strike - (before ?? contract.strike)), UNIT_PLACES)
    before = contract.strike
    if (contract.putCall === side) inMoney += contracts
    return owed
  })
}

/**
 * What no combination has taken is uncovered. Of calls and puts the side that requires more counts, contract by
 * contract.
 */
export function requireTheRest({ shorts, portions }: Holdings): void {
  for (const short of shorts) {
    if (short.left === ZERO) continue
    const full = short.premium + short.charge
    portions.push({ short, contracts: short.left, full, isSpread: false })
  }
  requireLargerSide(portions)
}

/**
 * Contract by contract the side that requires more counts, with what the other side requires beside it. What has no
 * other side counts alone.
 */
function requireLargerSide(portions: readonly Portion[]): void {
  const puts = portionsOf(portions, 'Put')
  let at = 0
  for (const call of portionsOf(portions, 'Call')) {
    for (let put = puts[at]; put !== undefined && call.contracts > ZERO; put = puts[at]) {
      const contracts = min(call.contracts, put.contracts)
      call.contracts -= contracts
      put.contracts -= contracts
      const [ofCall, ofPut] = [besideOther(call, put), besideOther(put, call)]
      const callCounts = call.full + ofPut >= put.full + ofCall
      addRequirement(call.short, contracts, callCounts ? call.full : ofCall)
      addRequirement(put.short, contracts, callCounts ? ofPut : put.full)
      if (put.contracts === ZERO) at += 1
    }
  }
  for (const { short, contracts, full } of portions) addRequirement(short, contracts, full)
}

/**
 * What one contract requires beside one of the other side that counts in full: an uncovered option its premium, and a
 * spread nothing where only one of both can lose. With the exercise price of the put above that of the call both lose
 * between them, together as much as the prices differ.
 */
function besideOther({ short, full, isSpread }: Portion, other: Portion): Decimal {
  if (!isSpread) return short.premium
  const [one, two] = [short.contract, other.short.contract]
  const both = one.putCall === 'Put' ? one.strike - two.strike : two.strike - one.strike
  const loss = multiply(both, short.position.multiplier, UNIT_PLACES)
  return max(ZERO, min(full, loss - other.full))
}

/** Sorted by the excess of the requirement alone over that beside another option, largest first. */
function portionsOf(portions: readonly Portion[], side: 'Call' | 'Put'): Portion[] {
  const more = ({ short, full, isSpread }: Portion) => (isSpread ? full : full - short.premium)
  return portions
    .filter(({ short }) => short.contract.putCall === side)
    .sort((a, b) => compare(more(b), more(a)) || mostNeededFirst(a.short, b.short))
}
