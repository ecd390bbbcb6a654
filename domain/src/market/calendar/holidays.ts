/**
 * The days on which the New York Stock Exchange and the banks through which securities settle are closed all day. Rules
 * for 1985 and later, which also apply after 2030 unless a rule changes, and the special closings that no rule covers.
 */

import {
  type CalendarDate,
  dayNumber,
  dayNumberOf,
  daysInMonth,
  FRIDAY,
  MONDAY,
  SATURDAY,
  SUNDAY,
  THURSDAY,
  weekdayOf,
} from './day.ts'

export interface SpecialClosing {
  readonly date: CalendarDate
  readonly reason: string
  /** The source that says that bonds settled on that day. Without one they did not. */
  readonly bondsSettled?: string
}

/** Full days on which the exchange was closed outside its holiday rule (NYSE, Holidays and Special Closings). */
export const NYSE_SPECIAL_CLOSINGS: readonly SpecialClosing[] = [
  { date: '1985-09-27', reason: 'Hurricane Gloria' },
  { date: '1994-04-27', reason: 'Funeral of President Nixon' },
  { date: '2001-09-11', reason: 'Attack on the World Trade Center' },
  { date: '2001-09-12', reason: 'Attack on the World Trade Center' },
  { date: '2001-09-13', reason: 'Attack on the World Trade Center' },
  { date: '2001-09-14', reason: 'Attack on the World Trade Center' },
  { date: '2004-06-11', reason: 'National day of mourning for President Reagan' },
  { date: '2007-01-02', reason: 'National day of mourning for President Ford' },
  { date: '2012-10-29', reason: 'Hurricane Sandy' },
  { date: '2012-10-30', reason: 'Hurricane Sandy' },
  { date: '2018-12-05', reason: 'National day of mourning for President George H. W. Bush' },
  {
    date: '2025-01-09',
    reason: 'National day of mourning for President Carter',
    bondsSettled: 'SIFMA, Unscheduled Close Market Matrix: fixed income and Fedwire open for settlement',
  },
]

/**
 * A Good Friday on which bonds were traded until noon and nothing settled, because the employment report came out that
 * morning.
 */
interface MorningOfGoodFriday {
  readonly date: CalendarDate
  readonly source: string
}

/**
 * Treasuries and debt of federal agencies that were traded on these days settle in two days, and not in one. The
 * notices of 2015 and 2026 call this past practice, which the other rows follow.
 */
export const GOOD_FRIDAY_MORNINGS: readonly MorningOfGoodFriday[] = [
  { date: '2010-04-02', source: 'SIFMA, 2010 and 2011 holiday recommendations (early close)' },
  { date: '2012-04-06', source: 'SIFMA, 2012-03-21 (early close; T+2)' },
  { date: '2015-04-03', source: 'SIFMA, 2015-03-09 (early close; T+2)' },
  { date: '2021-04-02', source: 'SIFMA, 2021 and 2022 holiday recommendations, 2020-12-15 (early close)' },
  { date: '2023-04-07', source: 'early close of SIFMA as pandas_market_calendars lists it' },
  { date: '2026-04-03', source: 'SIFMA, 2026-03-20 (early close; T+2)' },
]

/** Weekdays outside the rule of the banks on which nothing settled and the markets were open. */
const BANK_SPECIAL_CLOSINGS: readonly Omit<SpecialClosing, 'bondsSettled'>[] = [
  { date: '1984-02-13', reason: "Lincoln's Birthday (NASD Notice to Members 84-10)" },
]

const FIRST_MARTIN_LUTHER_KING_DAY_NYSE = 1998
const FIRST_MARTIN_LUTHER_KING_DAY_BANKS = 1986
const FIRST_JUNETEENTH = 2022

/** True when bonds settled although the exchange was closed. */
export function isBondSettlement(date: CalendarDate): boolean {
  return NYSE_SPECIAL_CLOSINGS.some((closing) => closing.date === date && closing.bondsSettled !== undefined)
}

/** True on a Good Friday on which the bond market opened for the morning. */
export function isGoodFridayMorning(date: CalendarDate): boolean {
  return GOOD_FRIDAY_MORNINGS.some((morning) => morning.date === date)
}

interface YearClosings {
  readonly nyse: ReadonlySet<number>
  readonly banks: ReadonlySet<number>
}

// Computed once per year. The result depends on the year alone.
const closingsByYear = new Map<number, YearClosings>()

/** True when the day is a weekday and the stock market opens. */
export function isMarketDayNumber(day: number, year: number): boolean {
  return isWeekday(day) && !closingsOf(year).nyse.has(day)
}

/** True when the day is a weekday and the Federal Reserve Banks open. */
export function isBankDayNumber(day: number, year: number): boolean {
  return isWeekday(day) && !closingsOf(year).banks.has(day)
}

function closingsOf(year: number): YearClosings {
  let closings = closingsByYear.get(year)
  if (closings === undefined) {
    closings = { nyse: nyseClosings(year), banks: bankClosings(year) }
    closingsByYear.set(year, closings)
  }
  return closings
}

function nyseClosings(year: number): Set<number> {
  const closings = new Set<number>()
  closings.add(sundayOnMonday(dayNumberOf(year, 1, 1)))
  if (year >= FIRST_MARTIN_LUTHER_KING_DAY_NYSE) closings.add(nthWeekday(year, 1, MONDAY, 3))
  closings.add(nthWeekday(year, 2, MONDAY, 3))
  closings.add(goodFriday(year))
  closings.add(lastMonday(year, 5))
  if (year >= FIRST_JUNETEENTH) closings.add(observed(dayNumberOf(year, 6, 19)))
  closings.add(observed(dayNumberOf(year, 7, 4)))
  closings.add(nthWeekday(year, 9, MONDAY, 1))
  closings.add(nthWeekday(year, 11, THURSDAY, 4))
  closings.add(observed(dayNumberOf(year, 12, 25)))
  for (const { date } of NYSE_SPECIAL_CLOSINGS) closings.add(dayNumber(date))
  return closings
}

function bankClosings(year: number): Set<number> {
  const closings = new Set<number>()
  closings.add(sundayOnMonday(dayNumberOf(year, 1, 1)))
  if (year >= FIRST_MARTIN_LUTHER_KING_DAY_BANKS) closings.add(nthWeekday(year, 1, MONDAY, 3))
  closings.add(nthWeekday(year, 2, MONDAY, 3))
  closings.add(lastMonday(year, 5))
  if (year >= FIRST_JUNETEENTH) closings.add(sundayOnMonday(dayNumberOf(year, 6, 19)))
  closings.add(sundayOnMonday(dayNumberOf(year, 7, 4)))
  closings.add(nthWeekday(year, 9, MONDAY, 1))
  closings.add(nthWeekday(year, 10, MONDAY, 2))
  closings.add(sundayOnMonday(dayNumberOf(year, 11, 11)))
  closings.add(nthWeekday(year, 11, THURSDAY, 4))
  closings.add(sundayOnMonday(dayNumberOf(year, 12, 25)))
  for (const { date } of BANK_SPECIAL_CLOSINGS) closings.add(dayNumber(date))
  return closings
}

/** A holiday on Saturday is observed on Friday, one on Sunday on Monday (NYSE Rule 7.2). */
function observed(day: number): number {
  const weekday = weekdayOf(day)
  return weekday === SATURDAY ? day - 1 : weekday === SUNDAY ? day + 1 : day
}

/**
 * A holiday on Sunday is observed on Monday, and one on Saturday is not moved: the rule of the banks, and of the
 * exchange for New Year's Day.
 */
function sundayOnMonday(day: number): number {
  return weekdayOf(day) === SUNDAY ? day + 1 : day
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = dayNumberOf(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7
}

function lastMonday(year: number, month: number): number {
  const last = dayNumberOf(year, month, daysInMonth(year, month))
  return last - ((weekdayOf(last) - MONDAY + 7) % 7)
}

/** Two days before Easter Sunday, by the Gregorian computus. */
function goodFriday(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const moonCorrection = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30
  const weekdayShift =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const lateMoon = Math.floor((golden + 11 * epact + 22 * weekdayShift) / 451)
  const march = epact + weekdayShift - 7 * lateMoon + 114
  return dayNumberOf(year, Math.floor(march / 31), (march % 31) + 1) - 2
}

function isWeekday(day: number): boolean {
  const weekday = weekdayOf(day)
  return weekday >= MONDAY && weekday <= FRIDAY
}
