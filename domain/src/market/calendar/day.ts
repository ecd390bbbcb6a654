/**
 * Calendar days as 'yyyy-MM-dd' texts and as day numbers (days since 1970-01-01, proleptic Gregorian). Pure arithmetic:
 * no time zone, no clock. Texts compare with `<` in the order of the days they name.
 */

/** A real calendar day, `yyyy-MM-dd`. */
export type CalendarDate = string

export interface YearMonthDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

export const SUNDAY = 0
export const MONDAY = 1
export const THURSDAY = 4
export const FRIDAY = 5
export const SATURDAY = 6

const DAYS_BEFORE_MONTH = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const CODE_OF_0 = 48

/** The three numbers of a date. The text is trusted to be a date. */
export function splitDate(date: CalendarDate): YearMonthDay {
  return { year: yearOf(date), month: twoDigits(date, 5), day: twoDigits(date, 8) }
}

/** The year of a date. */
export function yearOf(date: CalendarDate): number {
  return twoDigits(date, 0) * 100 + twoDigits(date, 2)
}

/**
 * The number at a position of the text, read by character: slicing and parsing took most of the time of a wash sale.
 */
function twoDigits(text: string, place: number): number {
  return text.charCodeAt(place) * 10 + text.charCodeAt(place + 1) - 11 * CODE_OF_0
}

export function joinDate(year: number, month: number, day: number): CalendarDate {
  return `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

export function isLastOfMonth(date: YearMonthDay): boolean {
  return date.day === daysInMonth(date.year, date.month)
}

/** The number of days from 1970-01-01 to a day that is given by its three numbers. */
export function dayNumberOf(year: number, month: number, day: number): number {
  const past = year - 1
  const daysBeforeYear = past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400)
  const leapDay = month > 2 && isLeapYear(year) ? 1 : 0
  return daysBeforeYear + (DAYS_BEFORE_MONTH[month] ?? 0) + leapDay + day - 719_163
}

/** Days since 1970-01-01 (0); negative before. */
export function dayNumber(date: CalendarDate): number {
  return dayNumberOf(yearOf(date), twoDigits(date, 5), twoDigits(date, 8))
}

/** The date of a day number. */
export function dateOfDay(day: number): CalendarDate {
  // Counting years from March puts the leap day last, so that month lengths follow one formula.
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return joinDate(year, month, dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1)
}

/** 0 Sunday to 6 Saturday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Cache of the texts of day numbers, because the books ask for the same dates repeatedly. */
const texts = new Map<number, CalendarDate>()
const TEXTS_MAX = 50_000

/** The date a number of calendar days later (earlier when negative). */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  const day = dayNumber(date) + days
  const known = texts.get(day)
  if (known !== undefined) return known
  const text = dateOfDay(day)
  if (texts.size < TEXTS_MAX) texts.set(day, text)
  return text
}

/** Calendar days from one date to another; negative when the second is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from)
}

/**
 * The date a number of months later (earlier when negative), on `dayOfMonth` (default: the same day) or, where that
 * month is shorter, its last day.
 */
export function addMonths(date: CalendarDate, months: number, dayOfMonth?: number): CalendarDate {
  const { year, month, day } = splitDate(date)
  const monthIndex = year * 12 + month - 1 + months
  const newYear = Math.floor(monthIndex / 12)
  const newMonth = monthIndex - newYear * 12 + 1
  return joinDate(newYear, newMonth, Math.min(dayOfMonth ?? day, daysInMonth(newYear, newMonth)))
}
