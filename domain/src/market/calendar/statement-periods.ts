/**
 * The periods of account statements. A statement ends with the last business day of a month. An account that had
 * activity in the month gets one; at the end of a quarter, so does every account with a position, a balance or activity
 * since its last statement (FINRA Rule 2231(a): at least once in a calendar quarter).
 */

/** Days are `yyyy-MM-dd`. */
export interface DueFacts {
  /** Lines were booked since the last statement, or since the quarter began. */
  readonly booked: boolean
  /** The account has a position or a balance. */
  readonly holds: boolean
}

/** Whether the close of `day` ends a month: the next business day is in another one. */
export function endsMonth(day: string, nextDay: string): boolean {
  return day.slice(0, 7) !== nextDay.slice(0, 7)
}

/** Whether the month of a day is the last one of a calendar quarter. */
function isQuarterMonth(day: string): boolean {
  return Number(day.slice(5, 7)) % 3 === 0
}

export function isStatementDue(day: string, nextDay: string, facts: DueFacts): boolean {
  if (!endsMonth(day, nextDay)) return false
  return facts.booked || (facts.holds && isQuarterMonth(day))
}

/** The first day of the calendar quarter of a day. */
export function quarterStart(day: string): string {
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1
  return `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}
