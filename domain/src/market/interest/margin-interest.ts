/**
 * Margin interest: the cost of a debit in the nights after a close, and what lines leave of the interest that was
 * accrued.
 */
import { type Decimal, max, min, ZERO } from '../../decimal.ts'
import { addDays, type CalendarDate } from '../calendar/day.ts'
import { dailyDebitInterest } from './accrued.ts'

/** Interest of nights in US dollars. `rates` has the rate of each night in percent a year. A credit earns nothing. */
export function interestOfNights(debit: Decimal, rates: readonly Decimal[]): Decimal {
  return rates.reduce((interest, rate) => interest + dailyDebitInterest(debit, rate), ZERO)
}

/** Consecutive nights at one rate. */
export interface NightsAtRate {
  /** The day on which the first night begins. */
  readonly from: CalendarDate
  /** The day on which the last night begins. */
  readonly to: CalendarDate
  readonly nights: number
  /** Percent a year. */
  readonly rate: Decimal
}

/** Divides the nights from a day on by their rates. */
export function nightsByRate(from: CalendarDate, rates: readonly Decimal[]): NightsAtRate[] {
  const runs: NightsAtRate[] = []
  rates.forEach((rate, night) => {
    const day = addDays(from, night)
    const last = runs.at(-1)
    if (last?.rate === rate) runs[runs.length - 1] = { ...last, to: day, nights: last.nights + 1 }
    else runs.push({ from: day, to: day, nights: 1, rate })
  })
  return runs
}

/** What Interest lines charged and paid, US dollars. Cancelled charges are negative. */
export interface InterestLines {
  readonly charged: Decimal
  readonly paid: Decimal
}

/**
 * What lines leave of accrued interest. A charge takes at most what was accrued: the firm that charged more has
 * computed it otherwise. Accrued interest is negative if the interest of earlier nights became less than what was
 * charged for them. Then lines that pay interest to the account take at most this refund.
 */
export function interestLeft(accrued: Decimal, { charged, paid }: InterestLines): Decimal {
  if (accrued >= ZERO) return max(ZERO, accrued - charged)
  return min(ZERO, accrued + paid) - min(ZERO, charged)
}
