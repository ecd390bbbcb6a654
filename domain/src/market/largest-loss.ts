/** The largest loss of options on one underlying that expire together, by what they are in the money. */
import { abs, type Decimal, max, multiply, ZERO } from '../decimal.ts'

const UNIT_PLACES = 10

export interface Leg {
  readonly putCall: 'Put' | 'Call'
  readonly strike: Decimal
  /** Contracts sold; negative for contracts held. */
  readonly sold: Decimal
}

/**
 * The largest loss for one unit of a contract, which is at one of the exercise prices or at 0, never negative. If more
 * calls are sold than held, the loss has no limit, and that at the highest exercise price is returned. One pass upwards
 * for calls, one downwards for puts.
 */
export function largestLoss(legs: readonly Leg[]): Decimal {
  const sorted = legs.toSorted((a, b) => (a.strike < b.strike ? -1 : a.strike > b.strike ? 1 : 0))
  const upwards: readonly Leg[] = [{ putCall: 'Put', strike: ZERO, sold: ZERO }, ...sorted]
  const ofCalls = lossesAlong(upwards, 'Call')
  const ofPuts = lossesAlong(upwards.toReversed(), 'Put').reverse()
  let largest = ZERO
  ofCalls.forEach((loss, at) => {
    largest = max(largest, loss + (ofPuts[at] ?? ZERO))
  })
  return largest
}

/** At each leg the intrinsic value owed, for legs in the order in which options of the side come into the money. */
function lossesAlong(legs: readonly Leg[], side: Leg['putCall']): Decimal[] {
  let owed = ZERO
  let inMoney = ZERO
  let before: Decimal | undefined
  return legs.map(({ putCall, strike, sold }) => {
    owed += multiply(inMoney, abs(strike - (before ?? strike)), UNIT_PLACES)
    before = strike
    if (putCall === side) inMoney += sold
    return owed
  })
}
