/**
 * The yield to maturity of a bond at a dollar price, as a confirmation states it (17 CFR 240.10b-10(a)(5)): the
 * formulas of MSRB Rule G-33(b), which compound with the coupons. A bond without coupons compounds twice a year. A
 * yield is no amount of money, so it is found by bisection in binary floating point and rounded once.
 */
import { type Decimal, decimal, renderDecimal, roundTo, ZERO } from '../../decimal.ts'
import { type CalendarDate, daysBetween, splitDate } from '../calendar/day.ts'
import type { BondTerms } from './accrued.ts'
import { type CouponFrequency, couponPeriod } from './coupon-dates.ts'
import { type DayCount, type YearFraction, yearFraction } from './day-count.ts'

/** G-33(d): yields are shown to a thousandth of a percent. */
const YIELD_PLACES = 3
const PAR = 100
const MONTHS_OF_YEAR = 12
const DAYS_OF_360_YEAR = 360
/** Per year. Beyond these, a price is no price of a bond. */
const YIELD_MIN = -0.99
const YIELD_MAX = 100
/** Far below what is shown. */
const PRECISION = 1e-12
const FLOAT_PLACES = 10

/**
 * The yield in percent a year of a price in percent of face value, without accrued interest. Undefined if the bond has
 * been repaid at the settlement, if no yield between −99 % and 10,000 % gives this price, or if the rule has no
 * formula: for coupons that are not counted by 30/360 or by the actual days of the period.
 */
export function yieldToMaturity(
  terms: BondTerms,
  price: Decimal,
  settlement: CalendarDate,
): Decimal | undefined {
  if (settlement >= terms.maturityDate || price <= ZERO) return undefined
  const priceAt = priceOf(terms, settlement)
  if (priceAt === undefined) return undefined
  const wanted = toFloat(price)
  const isBetween = priceAt(YIELD_MIN) > wanted && priceAt(YIELD_MAX) < wanted
  if (!isBetween) return undefined
  let [low, high] = [YIELD_MIN, YIELD_MAX]
  while (high - low > PRECISION) {
    const middle = (low + high) / 2
    if (priceAt(middle) > wanted) low = middle
    else high = middle
  }
  return roundTo(decimal((low * PAR).toFixed(FLOAT_PLACES)), YIELD_PLACES)
}

function toFloat(value: Decimal): number {
  return Number(renderDecimal(value))
}
function part({ days, basis }: YearFraction): number {
  return days / basis
}

/** The price at a yield, which falls as the yield rises. */
function priceOf(terms: BondTerms, settlement: CalendarDate): ((yearly: number) => number) | undefined {
  const { couponFrequency, couponRate, dayCount } = terms
  if (couponFrequency !== 0)
    return isOf360(dayCount) || dayCount === 'ActAct'
      ? withCoupons(terms, couponFrequency, settlement)
      : undefined
  return couponRate === ZERO
    ? withCoupons({ ...terms, dayCount: isOf360(dayCount) ? dayCount : 'ActAct' }, 2, settlement)
    : atMaturity(terms, settlement)
}

/** G-33(b)(i)(A): all interest is paid at maturity. */
function atMaturity(
  { couponRate, dayCount, issueDate, maturityDate }: BondTerms,
  settlement: CalendarDate,
): ((yearly: number) => number) | undefined {
  if (issueDate === undefined || issueDate > settlement) return undefined
  const count = dayCount === 'ActAct' ? 'ActActISDA' : dayCount
  const rate = toFloat(couponRate)
  const paid = PAR + rate * part(yearFraction(count, issueDate, maturityDate))
  const accrued = rate * part(yearFraction(count, issueDate, settlement))
  const left = part(yearFraction(count, settlement, maturityDate))
  return (yearly) => paid / Math.max(1 + left * yearly, Number.EPSILON) - accrued
}

/** G-33(b)(i)(B). */
function withCoupons(
  { couponRate, dayCount, maturityDate }: BondTerms,
  frequency: Exclude<CouponFrequency, 0>,
  settlement: CalendarDate,
): (yearly: number) => number {
  const period = couponPeriod(settlement, maturityDate, frequency)
  const passed = yearFraction(dayCount, period.start, settlement, period)
  const days = isOf360(dayCount) ? DAYS_OF_360_YEAR / frequency : daysBetween(period.start, period.end)
  /** The part of the period that is left. */
  const left = 1 - passed.days / days
  const rate = toFloat(couponRate)
  const [coupon, accrued] = [rate / frequency, rate * part(passed)]
  const coupons = periodsBetween(period.end, maturityDate, frequency) + 1
  if (coupons === 1)
    return (yearly) => (PAR + coupon) / Math.max(1 + (left * yearly) / frequency, Number.EPSILON) - accrued
  return (yearly) => {
    const growth = Math.log1p(yearly / frequency)
    /** The coupons at the end of the period are worth as many of them. */
    const worth = growth === 0 ? coupons : Math.expm1(-coupons * growth) / Math.expm1(-growth)
    return (coupon * worth + PAR * Math.exp(-(coupons - 1) * growth)) * Math.exp(-left * growth) - accrued
  }
}

function isOf360(dayCount: DayCount): boolean {
  return dayCount === '30/360' || dayCount === '30/360 Bond Basis'
}

function periodsBetween(first: CalendarDate, last: CalendarDate, frequency: number): number {
  const [from, to] = [splitDate(first), splitDate(last)]
  return ((to.year - from.year) * MONTHS_OF_YEAR + to.month - from.month) / (MONTHS_OF_YEAR / frequency)
}
