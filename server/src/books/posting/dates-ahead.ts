/**
 * The process date and the as-of date of a new line. A date that has not come is a mistake of the feed, and would hide
 * the line from a client that reads activity by processDate (decision 274).
 */
import { addMarketDays } from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { ActivityValues } from '../lines/shapes.ts'

/** `latest`: the later of the business date and today's date. A trade date after it is the day of a pending line. */
export function checkDatesAhead(values: ActivityValues, latest: string): Rejection[] {
  const { processDate, asOfDate, tradeDate = '' } = values
  if (processDate === undefined && asOfDate === undefined) return []
  const day = later(latest, tradeDate)
  const rejections: Rejection[] = []
  if (processDate !== undefined) {
    // Feeds date what came after their cut-off on the next business day.
    if (processDate > day && processDate > addMarketDays(day, 1)) {
      const most = `at most one business day after the business date and the trade date`
      rejections.push(
        reject('ERR.1024', 'processDate', `processDate must be ${most}: ${addMarketDays(day, 1)}.`),
      )
    }
    // Other lines can be processed before the day from which they count, such as a payment that is known before.
    if (processDate < tradeDate && isTrade(values))
      rejections.push(
        reject('ERR.1024', 'processDate', 'processDate of a trade must not be before tradeDate.'),
      )
  }
  if (asOfDate !== undefined && asOfDate > day) {
    const most = 'must not be after the business date and the trade date'
    rejections.push(reject('ERR.1024', 'asOfDate', `asOfDate ${most}: at most ${day}.`))
  }
  return rejections
}

/** A line with a side and without a kind is a trade. */
function isTrade({ transType, buySell }: ActivityValues): boolean {
  return transType === 'Trade' || (transType === undefined && buySell !== undefined)
}

export function later(one: string, other: string): string {
  return one > other ? one : other
}
