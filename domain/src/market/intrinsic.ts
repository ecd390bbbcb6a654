/** What an option is in the money. */
import { type Decimal, max, multiplyDivide, ZERO } from '../decimal.ts'
import type { OptionContract } from './security-kind.ts'

const PRICE_PLACES = 10

/**
 * What one unit of an option is in the money at a price of its underlying, never negative. A contract that has not been
 * adjusted to a change of its underlying counts in the units of its strike.
 */
export function intrinsicValue(
  { putCall, strike, units }: Pick<OptionContract, 'putCall' | 'strike' | 'units'>,
  underlyingPrice: Decimal,
): Decimal {
  const price = units
    ? multiplyDivide(underlyingPrice, units.received, units.held, PRICE_PLACES)
    : underlyingPrice
  return max(ZERO, putCall === 'Call' ? price - strike : strike - price)
}
