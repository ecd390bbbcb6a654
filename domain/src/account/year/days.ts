/** Days of the calendar as `yyyy-MM-dd`. */

export function dayAfter(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

/** The same day so many years later; 29 February is 1 March in a common year, as ages are counted. */
export function yearsAfter(day: string, years: number): string {
  const date = new Date(day)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.toISOString().slice(0, 10)
}
