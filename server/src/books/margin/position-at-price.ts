/** A position of a margin account at the price of a trade. */
import { type Decimal, multiply } from '@clearing/domain/decimal'
import type { MarginPosition } from '@clearing/domain/market'
import type { MarketFacts } from './market-facts.ts'

const usdPlaces = 2

/** `price`: US dollars for one unit. Undefined: the price of `facts`. */
export function positionAtPrice(
  secNo: string,
  quantity: Decimal,
  price: Decimal | undefined,
  facts: MarketFacts,
): MarginPosition {
  const position = facts.marginPosition(secNo, quantity)
  if (price === undefined) return position
  const { unitQuantity } = position
  const marketValue = multiply(unitQuantity, price, usdPlaces)
  return { ...position, price, marketValue, ...facts.equityOf(secNo, { unitQuantity, price }) }
}
