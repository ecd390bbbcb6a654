/**
 * Calls for intraday margin deficits. The customer satisfies a deficit as promptly as possible. It is outstanding until
 * it is satisfied, or until the end of the fifteenth business day. Who makes a practice of not satisfying deficits in
 * five business days may not increase a debit or a short position for 90 days (FINRA Rule 4210(d)(2)(C), (D)).
 */

import { type Decimal, max, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { addMarketDays, marketDaysBetween, previousMarketDay } from '../calendar/settlement.ts'

const DUE_DAYS = 5
const OUTSTANDING_DAYS_MAX = 15
/**
 * A deficit counts for a practice if it exceeds the smaller of this percentage of the account's equity and this amount
 * in US dollars (4210(d)(2)(D)).
 */
export const MINOR_DEFICIT = { equityPercent: 5, amount: 1000 } as const

/** The intraday margin deficit of a day. */
export interface IntradayDeficit {
  readonly date: CalendarDate
  readonly amount: Decimal
  /** The intraday margin level at the close of that day. */
  readonly level: Decimal
}

/** A close after the day of a deficit. */
export interface LaterClose {
  readonly level: Decimal
  /** Deposits less withdrawals since the day of the deficit. */
  readonly netDeposits: Decimal
}

export interface IntradayCall {
  readonly dueOn: CalendarDate
  readonly ageDays: number
  /** `Ended`: not satisfied, and no longer outstanding. */
  readonly state: 'Open' | 'Met' | 'Ended'
  readonly outstanding: Decimal
}

/**
 * A deficit at a close. Either the net deposits since its day satisfy it, or the rise of the level from the close of
 * its day to a later one. `later` are the closes after its day until this one. A deficit that one of them has
 * satisfied stays satisfied.
 */
export function intradayCall(
  { date, amount, level }: IntradayDeficit,
  later: readonly LaterClose[],
  today: CalendarDate,
): IntradayCall {
  const ageDays = marketDaysBetween(date, today)
  const left = later.map((close) => amount - max(ZERO, max(close.netDeposits, close.level - level)))
  const isMet = amount <= ZERO || left.some((rest) => rest <= ZERO)
  const isOver = ageDays >= OUTSTANDING_DAYS_MAX
  return {
    dueOn: intradayDueOn(date),
    ageDays,
    state: isMet ? 'Met' : isOver ? 'Ended' : 'Open',
    outstanding: isMet ? ZERO : (left.at(-1) ?? amount),
  }
}

/** The close by which a deficit must be satisfied. */
export function intradayDueOn(date: CalendarDate): CalendarDate {
  return addMarketDays(date, DUE_DAYS)
}

/** The first day whose deficit can be outstanding at the close of a day. */
export function firstOutstanding(today: CalendarDate): CalendarDate {
  let day = today
  for (let count = 0; count < OUTSTANDING_DAYS_MAX; count += 1) day = previousMarketDay(day)
  return day
}

/** The business days after a day until another. */
export function marketDaysAfter(date: CalendarDate, until: CalendarDate): CalendarDate[] {
  const days: CalendarDate[] = []
  for (let day = addMarketDays(date, 1); day <= until; day = addMarketDays(day, 1)) days.push(day)
  return days
}
