/**
 * Day counts: the part of a year between two dates as an exact fraction, under each convention that bonds use. Dates
 * run from the first, which counts, up to but not including the second.
 */

import {
  type CalendarDate,
  dayNumber,
  dayNumberOf,
  daysBetween,
  daysInMonth,
  isLeapYear,
  splitDate,
  type YearMonthDay,
} from '../calendar/day.ts'

/**
 * `30/360` is the US (SIA) rule with the end of February; `30/360 Bond Basis` the ISDA rule without it; `ActAct` the
 * actual days over the coupon period (ICMA), as US treasuries count; `ActActISDA` splits by calendar year.
 */
export type DayCount = '30/360' | '30/360 Bond Basis' | 'ActAct' | 'ActActISDA' | 'Act360' | 'Act365'

/** A part of a year, as whole numbers: `days / basis`. */
export interface YearFraction {
  readonly days: number
  readonly basis: number
}

/** The regular coupon period a date falls in, and how many of them make a year. */
export interface CouponPeriod {
  readonly start: CalendarDate
  readonly end: CalendarDate
  readonly couponsPerYear: number
}

const DAYS_OF_360_YEAR = 360
const DAYS_OF_COMMON_YEAR = 365
const DAYS_OF_LEAP_YEAR = 366

/**
 * The part of a year from one date to another. `ActAct` needs the coupon period that holds them.
 * Authority: SIA Standard Securities Calculation Methods (30/360); MSRB Rule G-33(e) and FINRA Rule 11620 (30/360 Bond
 * Basis); ISDA 2006 Definitions 4.16; ICMA Rule 251 and 31 CFR 356 Appendix B (ActAct).
 */
export function yearFraction(
  dayCount: DayCount,
  from: CalendarDate,
  to: CalendarDate,
  period?: CouponPeriod,
): YearFraction {
  switch (dayCount) {
    case '30/360':
      return { days: days30360(from, to), basis: DAYS_OF_360_YEAR }
    case '30/360 Bond Basis':
      return { days: daysBondBasis(from, to), basis: DAYS_OF_360_YEAR }
    case 'Act360':
      return { days: daysBetween(from, to), basis: DAYS_OF_360_YEAR }
    case 'Act365':
      return { days: daysBetween(from, to), basis: DAYS_OF_COMMON_YEAR }
    case 'ActAct':
      if (period === undefined) throw new RangeError('ActAct counts over a coupon period')
      return {
        days: daysBetween(from, to),
        basis: period.couponsPerYear * daysBetween(period.start, period.end),
      }
    case 'ActActISDA':
      return actActIsda(from, to)
    default:
      return dayCount satisfies never
  }
}

/** Days by 30/360 US: the last day of February counts as the 30th, the 31st only after a 30th. */
export function days30360(from: CalendarDate, to: CalendarDate): number {
  const first = splitDate(from)
  const second = splitDate(to)
  const fromFebruaryEnd = isLastOfFebruary(first)
  const firstDay = fromFebruaryEnd ? 30 : Math.min(first.day, 30)
  let secondDay = second.day
  if (fromFebruaryEnd && isLastOfFebruary(second)) secondDay = 30
  if (secondDay === 31 && firstDay === 30) secondDay = 30
  return count30(first, firstDay, second, secondDay)
}

/** Days by 30/360 Bond Basis: the 31st counts as the 30th, at the end only after a 30th; February as it is. */
export function daysBondBasis(from: CalendarDate, to: CalendarDate): number {
  const first = splitDate(from)
  const second = splitDate(to)
  const firstDay = Math.min(first.day, 30)
  const secondDay = second.day === 31 && firstDay === 30 ? 30 : second.day
  return count30(first, firstDay, second, secondDay)
}

function count30(from: YearMonthDay, fromDay: number, to: YearMonthDay, toDay: number): number {
  return (to.year - from.year) * DAYS_OF_360_YEAR + (to.month - from.month) * 30 + toDay - fromDay
}

function isLastOfFebruary(date: YearMonthDay): boolean {
  return date.month === 2 && date.day === daysInMonth(date.year, 2)
}

function actActIsda(from: CalendarDate, to: CalendarDate): YearFraction {
  let day = dayNumber(from)
  const last = dayNumber(to)
  let { year } = splitDate(from)
  let leapDays = 0
  let commonDays = 0
  while (day < last) {
    const yearEnd = dayNumberOf(year + 1, 1, 1)
    const part = Math.min(last, yearEnd) - day
    if (isLeapYear(year)) leapDays += part
    else commonDays += part
    day += part
    year += 1
  }
  return {
    days: commonDays * DAYS_OF_LEAP_YEAR + leapDays * DAYS_OF_COMMON_YEAR,
    basis: DAYS_OF_COMMON_YEAR * DAYS_OF_LEAP_YEAR,
  }
}
