/** The items of position-detail: the position's item for each lot, with the quantity, value and gain of the lot. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { findCurrency, lineValue, type PortfolioPosition, type ValuedLine } from '@clearing/domain/market'

const usualPlaces = 2

/** Quantities and values of the lots add up to those of the position exactly. */
export function valueLots({ position, security, lots }: ValuedLine): PortfolioPosition[] {
  const places = findCurrency(security.currency)?.places ?? usualPlaces
  let quantity: Decimal = ZERO
  let valued: Decimal = ZERO
  return lots.map(({ unrealizedGainLoss }) => {
    quantity += unrealizedGainLoss.quantity
    // The difference of two rounded running values, as the domain computes for US dollars.
    const until = lineValue(quantity, position.price, security, places)
    const marketValue = until - valued
    valued = until
    return {
      ...position,
      marketValue,
      marketUsdeValue: unrealizedGainLoss.value,
      marketValueFactor: marketValue,
      marketUsdeValueFactor: unrealizedGainLoss.value,
      quantity: unrealizedGainLoss.quantity,
      unitQuantity: unrealizedGainLoss.unitQuantity,
      gainLoss: unrealizedGainLoss.gainLoss,
      unrealizedGainLoss,
    }
  })
}
