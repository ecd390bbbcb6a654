/** Positions of a margin account at the price of a trade. */
import { type Decimal, multiply, ZERO } from '@clearing/domain/decimal'
import { intrinsicValue, type MarginPosition } from '@clearing/domain/market'
import type { MarketFacts } from './market-facts.ts'

const usdPlaces = 2

/**
 * `price`: US dollars for one unit. Undefined: the price of `facts`. `recentUnits`: of a mutual fund, those that were
 * bought within the last 30 days.
 */
export function positionAtPrice(
  secNo: string,
  quantity: Decimal,
  price: Decimal | undefined,
  facts: MarketFacts,
  recentUnits?: Decimal,
): MarginPosition {
  const position = facts.marginPosition(secNo, quantity, recentUnits)
  if (price === undefined) return position
  const { unitQuantity } = position
  const marketValue = multiply(unitQuantity, price, usdPlaces)
  return { ...position, price, marketValue, ...facts.equityOf(secNo, { unitQuantity, price }) }
}

/** What one unit of an option is in the money, US dollars. Zero without a price of the underlying. */
export function intrinsicPrice(
  secNo: string,
  facts: MarketFacts,
  underlyingPrice = facts.marginPosition(secNo, ZERO).underlyingPrice,
): Decimal {
  const { option } = facts.security(secNo)
  if (option === undefined || underlyingPrice === undefined) return ZERO
  return intrinsicValue(option, underlyingPrice)
}
