/** Whether a lot was held for more than a year. Books 3; IRS Publication 550, Holding Period; Revenue Ruling 66-7 for ends of months. */
import { yearOf } from './days.ts'

export type Term = 'Long' | 'Short'

/**
 * Long when held more than one year. The holding period begins the day after acquisition, so a lot is Long from the same
 * date of the next year plus one day; acquired on 28 February, from 1 March, also when a 29th lies between.
 * Short positions are always Short: what closes them is held no time at all (Publication 550, Short Sales).
 */
export function termOf(side: 'long' | 'short', holdingStart: string, closeDate: string): Term {
  if (side === 'short') return 'Short'
  const years = yearOf(closeDate) - yearOf(holdingStart)
  if (years !== 1) return years > 1 ? 'Long' : 'Short'
  const startDay = holdingStart.slice(5)
  const closeDay = closeDate.slice(5)
  if (closeDay === '02-29' && startDay === '02-28') return 'Short'
  return closeDay > startDay ? 'Long' : 'Short'
}
