/**
 * Uncovered options, and short options of both sides together (FINRA Rule 4210(f)(2)(H)): of calls and puts the side
 * that requires more counts.
 */

import { type Decimal, max, min, multiply, ZERO } from '../../../decimal.ts'
import {
  addRequirement,
  compare,
  type Holdings,
  isProtectedBy,
  type Portion,
  UNIT_PLACES,
  uncovered,
} from './holdings.ts'

/**
 * What no combination has taken is uncovered. Of calls and puts the side that requires more counts, contract by
 * contract.
 */
export function requireTheRest({ shorts, portions }: Holdings): void {
  for (const short of shorts) {
    portions.push({ short, contracts: short.left, full: uncovered(short) })
  }
  requireLargerSide(portions)
}

/**
 * Contract by contract the side that requires more counts, with what the other side requires beside it. What has no
 * other side counts alone.
 */
function requireLargerSide(portions: readonly Portion[]): void {
  const puts = portionsOf(portions, 'Put')
  for (const call of portionsOf(portions, 'Call')) {
    for (const put of puts) {
      if (call.contracts === ZERO) break
      if (combine(call, put)) takeTogether(call, put)
    }
    while (puts[0]?.contracts === ZERO) puts.shift()
  }
  for (const { short, contracts, full } of portions) addRequirement(short, contracts, full)
}

/** Two spreads count together if no long option of one expires before the short option of the other. */
function combine(one: Portion, two: Portion): boolean {
  if (one.long === undefined || two.long === undefined) return true
  return isProtectedBy(two.short, one.long) && isProtectedBy(one.short, two.long)
}

function takeTogether(call: Portion, put: Portion): void {
  const contracts = min(call.contracts, put.contracts)
  call.contracts -= contracts
  put.contracts -= contracts
  const [ofCall, ofPut] = [besideOther(call, put), besideOther(put, call)]
  const callCounts = call.full + ofPut >= put.full + ofCall
  addRequirement(call.short, contracts, callCounts ? call.full : ofCall)
  addRequirement(put.short, contracts, callCounts ? ofPut : put.full)
}

/**
 * What one contract requires beside one of the other side that counts in full: an uncovered option its premium, and a
 * spread nothing where only one of both can lose. With the exercise price of the put above that of the call both lose
 * between them, together as much as the prices differ.
 */
function besideOther({ short, full, long }: Portion, other: Portion): Decimal {
  if (long === undefined) return short.premium
  const [one, two] = [short.contract, other.short.contract]
  const both = one.putCall === 'Put' ? one.strike - two.strike : two.strike - one.strike
  const loss = multiply(both, short.position.multiplier, UNIT_PLACES)
  return max(ZERO, min(full, loss - other.full))
}

/** Sorted by the excess of the requirement alone over that beside another option, largest first. */
function portionsOf(portions: readonly Portion[], side: 'Call' | 'Put'): Portion[] {
  const more = ({ short, full, long }: Portion) => (long === undefined ? full - short.premium : full)
  return portions
    .filter(({ short }) => short.contract.putCall === side)
    .sort((a, b) => compare(more(b), more(a)) || compare(b.short.premium, a.short.premium))
}
