/**
 * The value of a quantity at a price, and the percentages of gains. Money is rounded to the minor unit of its currency,
 * half away from zero, once (Books 2).
 */

import { abs, type Decimal, divide, multiply, multiplyAll, ONE, ZERO } from '../../decimal.ts'

/** The factors that convert a price to money. */
export interface ValueTerms {
  /** Units of a contract: 100 for an option, else 1. */
  readonly multiplier: Decimal
  /** 100 where the price is a percentage of face, else 1. */
  readonly priceDivisor: Decimal
  /** Current face over original face of a pool, else 1. */
  readonly currentFactor: Decimal
}

const PERCENT_PLACES = 2
const UNIT_PLACES = 8
const PRICE_PLACES = 10

/** quantity × price × multiplier ÷ price divisor × factor, at `places` (Books 5). Negative for a short. */
export function lineValue(quantity: Decimal, price: Decimal, terms: ValueTerms, places: number): Decimal {
  if (terms.multiplier === ONE && terms.priceDivisor === ONE && terms.currentFactor === ONE) {
    return multiply(quantity, price, places)
  }
  return multiplyAll([quantity, price, terms.multiplier, terms.currentFactor], [terms.priceDivisor], places)
}

/** What the price multiplies: quantity × multiplier ÷ price divisor × factor, at 8 places. */
export function unitQuantityOf(quantity: Decimal, terms: ValueTerms): Decimal {
  if (terms.multiplier === ONE && terms.priceDivisor === ONE && terms.currentFactor === ONE) return quantity
  return multiplyAll([quantity, terms.multiplier, terms.currentFactor], [terms.priceDivisor], UNIT_PLACES)
}

/** The face on which a bond pays: quantity × multiplier × factor. */
export function currentFace(quantity: Decimal, terms: ValueTerms): Decimal {
  return multiplyAll([quantity, terms.multiplier, terms.currentFactor], [], 10)
}

/** Cost for one unit, never negative; 0 without units. */
export function unitCostOf(cost: Decimal, unitQuantity: Decimal): Decimal {
  return unitQuantity === ZERO ? ZERO : divide(abs(cost), abs(unitQuantity), UNIT_PLACES)
}

/** The price at which a quantity has the value of its cost. Undefined without units. */
export function costPrice(cost: Decimal, quantity: Decimal, terms: ValueTerms): Decimal | undefined {
  const units = unitQuantityOf(quantity, terms)
  return units === ZERO ? undefined : divide(abs(cost), abs(units), PRICE_PLACES)
}

/** An amount in percent of a base's magnitude, at 2 places; 0 when the base is 0. */
export function percentOf(amount: Decimal, base: Decimal): Decimal {
  return base === ZERO ? ZERO : divide(amount * 100n, abs(base), PERCENT_PLACES)
}
