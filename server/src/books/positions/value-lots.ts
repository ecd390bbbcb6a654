/** The items of position-detail: a position's item for each of its lots, with the lot's own quantity, value and gain. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { findCurrency, lineValue, type PortfolioPosition, type ValuedLine } from '@clearing/domain/market'

const usualPlaces = 2

/** Quantities and values of the lots add up to the position's exactly. */
export function valueLots({ position, security, lots }: ValuedLine): PortfolioPosition[] {
  const places = findCurrency(security.currency)?.places ?? usualPlaces
  let quantity: Decimal = ZERO
  let valued: Decimal = ZERO
  return lots.map(({ unrealizedGainLoss }) => {
    quantity += unrealizedGainLoss.quantity
    // The step of the rounded running value, as the domain takes for US dollars.
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
