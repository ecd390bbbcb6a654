/** What a margin account can buy of each class of securities without a call. Spent in full, each amount leaves none. */

import { type Decimal, decimal, max, min, multiplyDivide, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import type { DebtClass } from '../type-name.ts'
import { debtMarginOn } from './debt-margin.ts'
import type { MarginFigures } from './figures.ts'
import { EQUITY_MIN, FULL_PERCENT } from './stock-requirement.ts'

/** Percent of the price that a purchase requires: by Regulation T at first, by the house from then on. */
export interface PurchasePercents {
  readonly initial: Decimal
  readonly maintenance: Decimal
}

export interface ClassBuyingPower {
  /** `MarginSecurity` is stock and funds with loan value; debt counts at its longest maturity. */
  readonly securityClass: 'MarginSecurity' | 'NonMargin' | 'MutualFund' | 'Option' | DebtClass
  readonly initialPercent: Decimal
  readonly maintenancePercent: Decimal
  /** US dollars, not negative. */
  readonly amount: Decimal
}

const MONEY_PLACES = 2
const HALF = decimal('50')

type Account = Pick<MarginFigures, 'equity' | 'ownCash' | 'maintenanceExcess' | 'longPercent'>

/**
 * What the account can buy at these percentages: no more than SMA covers of the initial requirement, and no more than
 * the maintenance excess carries. While a maintenance call is open there is no excess, and the amount is 0. An account
 * with less than 2,000 of equity pays in full (FINRA Rule 4210(b)).
 */
export function buyingPowerAt(
  sma: Decimal,
  { equity, ownCash, maintenanceExcess }: Account,
  { initial, maintenance }: PurchasePercents,
): Decimal {
  const ofSma = multiplyDivide(sma, FULL_PERCENT, initial, MONEY_PLACES)
  const carried = multiplyDivide(maintenanceExcess, FULL_PERCENT, maintenance, MONEY_PLACES)
  const paid = equity < EQUITY_MIN ? ownCash : ofSma
  return max(ZERO, min(ofSma, carried, paid))
}

/** Buying power of stock: twice the SMA, and four times the maintenance excess at a rate of 25 percent. */
export function buyingPowerOf(sma: Decimal, account: Account): Decimal {
  return buyingPowerAt(sma, account, { initial: HALF, maintenance: account.longPercent })
}

const DEBT_CLASSES: readonly DebtClass[] = [
  ...(['Treasury', 'Agency', 'HighlyRatedSovereign'] as const),
  ...(['Municipal', 'InvestmentGrade', 'OtherDebt'] as const),
]

/** The buying power of every class on a day. */
export function buyingPowers(sma: Decimal, account: Account, today: CalendarDate): ClassBuyingPower[] {
  const full = { initial: FULL_PERCENT, maintenance: FULL_PERCENT }
  const classes: readonly (readonly [ClassBuyingPower['securityClass'], PurchasePercents])[] = [
    ['MarginSecurity', { initial: HALF, maintenance: account.longPercent }],
    ['NonMargin', full],
    ['MutualFund', full],
    ['Option', full],
    ...DEBT_CLASSES.map((name) => {
      const { percent } = debtMarginOn(name, undefined, today)
      return [name, { initial: percent, maintenance: percent }] as const
    }),
  ]
  return classes.map(([securityClass, percents]) => ({
    securityClass,
    initialPercent: percents.initial,
    maintenancePercent: percents.maintenance,
    amount: buyingPowerAt(sma, account, percents),
  }))
}
