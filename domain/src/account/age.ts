/** Ages of persons, in whole years. */
import { limits } from '@clearing/protocol/values'
import { addDays, joinDate, splitDate } from '../market/calendar/day.ts'

/** The age from which a person acts alone, also as an owner (Reading 3.6). */
export const adultAgeYears = limits.ownerAgeYearsMin

/**
 * Age in whole years on a day, both `yyyy-MM-dd`; a person born on 29 February is a year older on 1 March of a common
 * year.
 */
export function ageOn(birthDate: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

/**
 * The day on which a person reaches an age, `yyyy-MM-dd`: for 29 February, 1 March of a common year, as `ageOn` counts.
 */
export function birthdayAt(birthDate: string, ageYears: number): string {
  const { year, month, day } = splitDate(birthDate)
  return addDays(joinDate(year + ageYears, month, 1), day - 1)
}
