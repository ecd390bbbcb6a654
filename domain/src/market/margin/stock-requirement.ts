/**
 * What must be kept against stocks, bonds and funds: Regulation T at the purchase or short sale, FINRA Rule 4210 and the
 * house from then on. Amounts are on top of a short's own value, since equity has that value already taken off.
 */

import { abs, type Decimal, decimal, max, min, multiply, multiplyDivide, ZERO } from '../../decimal.ts'
import { FINRA_RATES, type HouseRates, type MarginPosition } from './position.ts'

const MONEY_PLACES = 2

/** Regulation T: 50 percent of a margin security, 100 of any other (12 CFR 220.12(a), (e)). */
export const REG_T_MARGINABLE_PERCENT = decimal('50')
export const FULL_PERCENT = decimal('100')
/** Regulation T: a short sale of stock needs 50 percent on top of its proceeds (12 CFR 220.12(c)). */
export const REG_T_SHORT_PERCENT = decimal('50')

/** FINRA Rule 4210(c)(2), (3): a stock sold short at 5.00 and above, and below. */
const SHORT_PRICE_TIER = decimal('5')
const SHORT_PER_SHARE_MIN = decimal('5')
const LOW_SHORT_PER_SHARE_MIN = decimal('2.5')

/** The least equity of a margin account (FINRA Rule 4210(b)). */
export const EQUITY_MIN = decimal('2000')

/** A percentage of an amount, at the cent. */
export function percentOfAmount(amount: Decimal, percent: Decimal): Decimal {
  return multiplyDivide(amount, percent, FULL_PERCENT, MONEY_PLACES)
}

/** Maintenance of a long position: the larger of FINRA's 25 percent and the house's rate; all of what is not marginable. */
export function longMaintenancePercent(position: MarginPosition, rates: HouseRates): Decimal {
  if (!position.marginable) return FULL_PERCENT
  const percent = max(rates.longPercent, position.houseLongPercent ?? ZERO)
  return min(percent, FULL_PERCENT)
}

/** Regulation T percentage of a long position. */
export function longRegTPercent(marginable: boolean): Decimal {
  return marginable ? REG_T_MARGINABLE_PERCENT : FULL_PERCENT
}

/**
 * Maintenance of a short stock by its price: at 5.00 and above the larger of the rate (30 percent) and 5.00 a share, below
 * the larger of 100 percent and 2.50 a share (FINRA Rule 4210(c)(2), (3)). For bonds, priced in percent, 5.00 a unit is the
 * rule's 5 percent of principal (4210(c)(4)).
 */
export function shortMaintenance(
  unitQuantity: Decimal,
  price: Decimal,
  marketValue: Decimal,
  ratePercent: Decimal,
): Decimal {
  const units = abs(unitQuantity)
  const value = abs(marketValue)
  if (price >= SHORT_PRICE_TIER) {
    return max(percentOfAmount(value, ratePercent), multiply(units, SHORT_PER_SHARE_MIN, MONEY_PLACES))
  }
  return max(value, multiply(units, LOW_SHORT_PER_SHARE_MIN, MONEY_PLACES))
}

/** Initial margin of a short stock on top of its proceeds: the larger of Regulation T's half and the maintenance by price. */
export function shortInitial(unitQuantity: Decimal, price: Decimal, marketValue: Decimal): Decimal {
  return max(
    percentOfAmount(abs(marketValue), REG_T_SHORT_PERCENT),
    shortMaintenance(unitQuantity, price, marketValue, FINRA_RATES.shortPercent),
  )
}

/** What a trade needs in SMA: half of a marginable purchase, all of another, the initial margin of a short sale. */
export function tradeRequirement(trade: {
  readonly side: 'Purchase' | 'ShortSale'
  /** Cost, or proceeds. */
  readonly amount: Decimal
  readonly unitQuantity: Decimal
  readonly price: Decimal
  readonly marginable: boolean
}): Decimal {
  switch (trade.side) {
    case 'Purchase':
      return percentOfAmount(abs(trade.amount), longRegTPercent(trade.marginable))
    case 'ShortSale':
      return shortInitial(trade.unitQuantity, trade.price, trade.amount)
    default:
      return trade.side satisfies never
  }
}
