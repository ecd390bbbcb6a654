/**
 * Calendar dates as `yyyy-MM-dd` text, which sorts by date: the number of days between two dates, and date arithmetic.
 */

/** Days from one date to another. Negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

/** The date `days` after a date, or before it when `days` is negative. */
export function addDays(date: string, days: number): string {
  const day = dayNumber(date) + days
  const known = texts.get(day)
  if (known !== undefined) return known
  const text = dateOfDay(day)
  if (texts.size < TEXTS_MAX) texts.set(day, text)
  return text
}

/** Cache of the texts of day numbers, because the books ask for the same dates repeatedly. */
const texts = new Map<number, string>()
const TEXTS_MAX = 50_000

/** The year of a date. */
export function yearOf(date: string): number {
  return twoDigits(date, 0) * 100 + twoDigits(date, 2)
}

const DAYS_OF_400_YEARS = 146_097
const DAYS_TO_0000_03_01 = 719_468

/**
 * Proleptic Gregorian day number; 1970-01-01 is 0. Years begin on 1 March, so that the leap day is the last day of a
 * year.
 */
function dayNumber(date: string): number {
  const month = twoDigits(date, 5)
  const year = yearOf(date) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + twoDigits(date, 8) - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * DAYS_OF_400_YEARS + yearOfEra * 365 + leapDays + dayOfYear - DAYS_TO_0000_03_01
}

/**
 * The number at a position of the text, read by character: slicing and parsing took most of the time of a wash sale.
 */
function twoDigits(text: string, place: number): number {
  return text.charCodeAt(place) * 10 + text.charCodeAt(place + 1) - 11 * CODE_OF_0
}

const CODE_OF_0 = 48

function dateOfDay(day: number): string {
  const shifted = day + DAYS_TO_0000_03_01
  const era = Math.floor(shifted / DAYS_OF_400_YEARS)
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${pad(Math.floor(year / 100))}${pad(year % 100)}-${pad(month)}-${pad(dayOfMonth)}`
}

function pad(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
