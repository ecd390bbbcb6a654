/**
 * Interest on bonds: what has accrued since the last coupon date up to but not including
 * settlement (Books 4). Rounded once, to the places that the caller asks for.
 */

import { type Decimal, divide, max, multiplyAll, wholeDecimal, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { type CouponFrequency, couponPeriod } from './coupon-dates.ts'
import { type DayCount, type YearFraction, yearFraction } from './day-count.ts'

export interface BondTerms {
  /** Percent of face value a year: 4.5 for four and a half percent. */
  readonly couponRate: Decimal
  /** 0 with a rate: the interest is paid at maturity, and accrues from the issue date. */
  readonly couponFrequency: CouponFrequency
  readonly dayCount: DayCount
  readonly maturityDate: CalendarDate
  /** First day on which interest accrues (dated date); a first period that starts with it may be short. */
  readonly issueDate?: CalendarDate | undefined
}

const HUNDRED = wholeDecimal(100)
const MONEY_PLACES = 2

/** Interest of a face value at a yearly rate (percent) for a part of a year. */
export function interestFor(
  face: Decimal,
  ratePercent: Decimal,
  fraction: YearFraction,
  places = MONEY_PLACES,
): Decimal {
  return multiplyAll(
    [face, ratePercent, wholeDecimal(fraction.days)],
    [HUNDRED, wholeDecimal(fraction.basis)],
    places,
  )
}

/**
 * The part of a year for which interest has accrued on a settlement date. Null if none has accrued or the bond is
 * repaid.
 */
export function accruedFraction(terms: BondTerms, settlement: CalendarDate): YearFraction | null {
  if (settlement >= terms.maturityDate) return null
  if (terms.couponFrequency === 0) return fractionSinceIssue(terms, settlement)
  const period = couponPeriod(settlement, terms.maturityDate, terms.couponFrequency)
  const start =
    terms.issueDate !== undefined && terms.issueDate > period.start ? terms.issueDate : period.start
  if (settlement <= start) return null
  return yearFraction(terms.dayCount, start, settlement, period)
}

/**
 * A security that pays its interest at maturity has no coupon periods: all days since its issue count (MSRB Rule
 * G-33(a), (b)(i)(A)). Actual days are counted by calendar years then.
 */
function fractionSinceIssue(
  { issueDate, dayCount }: BondTerms,
  settlement: CalendarDate,
): YearFraction | null {
  if (issueDate === undefined || settlement <= issueDate) return null
  return yearFraction(dayCount === 'ActAct' ? 'ActActISDA' : dayCount, issueDate, settlement)
}

/**
 * Interest accrued on a face value (negative for a short position) from the last coupon date, or the issue date in the
 * first period, up to but not including settlement. For a pool, the face is the current one (original × factor).
 */
export function accruedInterest(
  face: Decimal,
  terms: BondTerms,
  settlement: CalendarDate,
  places = MONEY_PLACES,
): Decimal {
  const fraction = accruedFraction(terms, settlement)
  return fraction === null ? ZERO : interestFor(face, terms.couponRate, fraction, places)
}

/** Current yield in percent: a year's coupon over the price, both in percent of face. 0 without a price. */
export function currentYield(couponRate: Decimal, price: Decimal, places = MONEY_PLACES): Decimal {
  return price === ZERO ? ZERO : divide(couponRate * 100n, price, places)
}

/** Simple interest of one day on a debit balance at a yearly percentage over 360 days, as margin loans are charged. */
export function dailyDebitInterest(debit: Decimal, ratePercent: Decimal, places = MONEY_PLACES): Decimal {
  return interestFor(max(debit, ZERO), ratePercent, { days: 1, basis: 360 }, places)
}
