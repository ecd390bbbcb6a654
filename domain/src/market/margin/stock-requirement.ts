/**
 * What stocks, bonds and funds require: Regulation T at the purchase or short sale, FINRA Rule 4210 and the house from
 * then on. Amounts are on top of a short's own value, since equity has that value already deducted.
 */

import { abs, type Decimal, decimal, max, multiplyDivide, ONE, ZERO } from '../../decimal.ts'
import { type EquityMarginRow, equityMarginOn, equityPercents, equityRequirement } from './equity-margin.ts'
import { FINRA_RATES } from './position.ts'

const MONEY_PLACES = 2

export const FULL_PERCENT = decimal('100')
/** Regulation T: a short sale of stock requires 50 percent on top of its proceeds (12 CFR 220.12(c)). */
export const REG_T_SHORT_PERCENT = decimal('50')

/** The least equity of a margin account (FINRA Rule 4210(b)). */
export const EQUITY_MIN = decimal('2000')

/** A percentage of an amount, at the cent. */
export function percentOfAmount(amount: Decimal, percent: Decimal): Decimal {
  return multiplyDivide(amount, percent, FULL_PERCENT, MONEY_PLACES)
}

/** Regulation T percentage of a long position: the row of its class, or 100 percent without loan value. */
export function longRegTPercent(marginable: boolean, row?: EquityMarginRow, leverage?: Decimal): Decimal {
  const counts = row ?? equityMarginOn(marginable ? 'MarginSecurity' : 'NonMargin', 'Long', ZERO)
  return equityPercents(counts, leverage ?? ONE, ZERO).initial
}

/**
 * Maintenance of a short stock by its price: at 5.00 and above the larger of the rate (30 percent) and 5.00 a share,
 * below the larger of 100 percent and 2.50 a share (FINRA Rule 4210(c)(2), (3)). For bonds, priced in percent, 5.00 a
 * unit is the rule's 5 percent of principal (4210(c)(4)). The rate counts at 5.00 and above alone.
 */
export function shortMaintenance(
  { unitQuantity, price, marketValue }: ShortStock,
  ratePercent: Decimal,
  row: EquityMarginRow = equityMarginOn('MarginSecurity', 'Short', price),
  leverage: Decimal = ONE,
): Decimal {
  const { house } = equityPercents(row, leverage, row.priceFrom > ZERO ? ratePercent : ZERO)
  return equityRequirement(row, house, unitQuantity, marketValue)
}

export interface ShortStock {
  readonly unitQuantity: Decimal
  readonly price: Decimal
  readonly marketValue: Decimal
}

/**
 * Initial margin of a short stock on top of its proceeds: the larger of Regulation T's half and the maintenance by
 * price.
 */
export function shortInitial(short: ShortStock, row?: EquityMarginRow, leverage?: Decimal): Decimal {
  return max(
    percentOfAmount(abs(short.marketValue), REG_T_SHORT_PERCENT),
    shortMaintenance(short, FINRA_RATES.shortPercent, row, leverage),
  )
}

export interface StockTrade {
  readonly side: 'Purchase' | 'ShortSale'
  /** Cost, or proceeds. */
  readonly amount: Decimal
  readonly unitQuantity: Decimal
  readonly price: Decimal
  readonly marginable: boolean
  /** The row of the security's class, and the multiple of a leveraged fund. */
  readonly equity?: EquityMarginRow | undefined
  readonly leverage?: Decimal | undefined
}

/** What a trade requires in SMA: half of a marginable purchase, all of another, the initial margin of a short sale. */
export function tradeRequirement(trade: StockTrade): Decimal {
  const { side, amount, unitQuantity, price, marginable, equity, leverage } = trade
  switch (side) {
    case 'Purchase':
      return percentOfAmount(abs(amount), longRegTPercent(marginable, equity, leverage))
    case 'ShortSale':
      return shortInitial({ unitQuantity, price, marketValue: amount }, equity, leverage)
    default:
      return side satisfies never
  }
}
