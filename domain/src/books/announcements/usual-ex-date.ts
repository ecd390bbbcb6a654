/** The ex-date that follows from a record date, or of a large distribution from its pay date. */
import { addDays } from '../../market/calendar/day.ts'
import { addMarketDays, settlementDate } from '../../market/calendar/settlement.ts'
import type { ActionOption } from './announcement.ts'

/** No settlement cycle and no run of holidays is longer. */
const DAYS_BEFORE_MAX = 20

/**
 * The first business day whose regular-way purchases settle after the record date, so that the buyer is not yet the
 * holder of record. Since 28 May 2024 that is the record date itself, or the business day before a record date on
 * which nothing settles (FINRA Rule 11140(b)(1)).
 */
export function usualExDate(recordDate: string): string {
  let day = addMarketDays(addDays(recordDate, -DAYS_BEFORE_MAX), 1)
  while (settlementDate(day, 'Equity') <= recordDate) day = addMarketDays(day, 1)
  return day
}

/**
 * On the first days of shorter settlement cycles nothing went ex (SR-NASDAQ-2017-084, Release 34-81446; Cboe notice
 * C2024051400).
 */
const DAYS_WITHOUT_EX_DATE: readonly string[] = ['2017-09-05', '2024-05-28']

/**
 * The first business day after the pay date (FINRA Rule 11140(b)(2)). Until then the shares are traded with a due bill:
 * who sells them gives the distribution to the buyer.
 */
export function largeExDate(payDate: string): string {
  const day = addMarketDays(payDate, 1)
  return DAYS_WITHOUT_EX_DATE.includes(day) ? addMarketDays(day, 1) : day
}

/** A large distribution adds at least one share for this number of shares: 25 percent. */
const HELD_FOR_ONE_MAX = 4n

/**
 * Whether an option distributes 25 percent or more of the security in its own shares. Of cash and of other securities
 * the percentage depends on their value, and a reverse split distributes nothing.
 */
export function isLargeDistribution({ type, ratio }: Pick<ActionOption, 'type' | 'ratio'>): boolean {
  if (ratio === undefined || (type !== 'Split' && type !== 'StockDividend')) return false
  const added = type === 'Split' ? ratio.received - ratio.held : ratio.received
  return added * HELD_FOR_ONE_MAX >= ratio.held
}
