/**
 * Coupon dates counted back from maturity. When a bond matures on the last day of a month, every coupon is on the last
 * day of its month (31 CFR 356 Appendix B); they are the nominal dates, not moved for holidays.
 */

import { addMonths, type CalendarDate, isLastOfMonth, splitDate } from '../calendar/day.ts'
import type { CouponPeriod } from './day-count.ts'

/** Coupons a year; 0 for a bond without coupons. */
export type CouponFrequency = 0 | 1 | 2 | 4 | 12

const MONTHS_OF_YEAR = 12
const LAST_DAY = 31

/** The regular coupon period of a date: it starts on or before the date and ends after it. */
export function couponPeriod(
  date: CalendarDate,
  maturity: CalendarDate,
  frequency: Exclude<CouponFrequency, 0>,
): CouponPeriod {
  const step = MONTHS_OF_YEAR / frequency
  const matures = splitDate(maturity)
  const on = splitDate(date)
  const dayOfMonth = isLastOfMonth(matures) ? LAST_DAY : matures.day
  const monthsBack = (matures.year - on.year) * MONTHS_OF_YEAR + matures.month - on.month
  let periodsBack = Math.floor(monthsBack / step)
  // If the coupon date of the month has already passed, the period ends with the next one.
  if (addMonths(maturity, -periodsBack * step, dayOfMonth) <= date) periodsBack -= 1
  return {
    start: addMonths(maturity, -(periodsBack + 1) * step, dayOfMonth),
    end: addMonths(maturity, -periodsBack * step, dayOfMonth),
    couponsPerYear: frequency,
  }
}
