/**
 * Whether a lot was held for more than one year. Books 3; IRS Publication 550, Holding Period; Revenue Ruling 66-7 for
 * the last days of months.
 */
import { yearOf } from '../market/calendar/day.ts'

export type Term = 'Long' | 'Short'

/**
 * Long when held for more than one year. The holding period begins on the day after acquisition, so a lot is Long from
 * the day after the same date of the next year. A lot acquired on 28 February is Long from 1 March, also in a leap
 * year. Short positions are Short, because the property that closes them is delivered at once (Publication 550, Short
 * Sales). `short-beside.ts` has the losses on them that are Long.
 */
export function termOf(side: 'long' | 'short', holdingStart: string, closeDate: string): Term {
  if (side === 'short') return 'Short'
  const day = holdingStart.slice(4)
  const anniversary = `${yearOf(holdingStart) + 1}${day === '-02-28' ? '-02-29' : day}`
  return closeDate > anniversary ? 'Long' : 'Short'
}
