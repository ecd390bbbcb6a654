/** Days of the calendar as `yyyy-MM-dd`. */

const dayMs = 86_400_000

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
}

/** The same day so many years later; 29 February is 1 March in a common year, as ages are counted. */
export function yearsAfter(day: string, years: number): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return new Date(Date.UTC(Number(year) + years, Number(month) - 1, Number(date))).toISOString().slice(0, 10)
}
