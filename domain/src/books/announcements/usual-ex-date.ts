/** The ex-date that follows from a record date. */
import { addDays } from '../../market/calendar/day.ts'
import { addMarketDays, settlementDate } from '../../market/calendar/settlement.ts'

/** No settlement cycle and no run of holidays is longer. */
const DAYS_BEFORE_MAX = 20

/**
 * The first business day whose regular-way purchases settle after the record date, so that the buyer is not yet the
 * holder of record. Since 28 May 2024 that is the record date itself, or the business day before a record date on
 * which nothing settles (FINRA Rule 11140(b)(1)). The exchange sets another date for distributions of 25 % or more
 * (FINRA Rule 11140(b)(2)). The announcement then gives it.
 */
export function usualExDate(recordDate: string): string {
  let day = addMarketDays(addDays(recordDate, -DAYS_BEFORE_MAX), 1)
  while (settlementDate(day, 'Equity') <= recordDate) day = addMarketDays(day, 1)
  return day
}
