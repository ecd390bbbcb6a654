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
  const day = holdingStart.slice(4)
  const anniversary = `${yearOf(holdingStart) + 1}${day === '-02-28' ? '-02-29' : day}`
  return closeDate > anniversary ? 'Long' : 'Short'
}
