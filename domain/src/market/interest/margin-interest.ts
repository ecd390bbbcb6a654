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

/** A line of interest of a margin account, US dollars. */
export interface InterestLine {
  readonly id: string
  /** Negative: a charge. */
  readonly amount: Decimal
  /**
   * For a cancel: the original, and what that took of the accrued interest. Undefined if this was not recorded: then a
   * charge took its whole amount, and a payment nothing.
   */
  readonly cancels?: { readonly id: string; readonly taken: Decimal | undefined } | undefined
}

export interface InterestLeft {
  /** Negative: a refund is owed. */
  readonly left: Decimal
  /** What each line took: positive for a charge, negative for a payment. Cancels and cancelled lines are absent. */
  readonly taken: ReadonlyMap<string, Decimal>
}

/**
 * What lines leave of accrued interest to which the interest of late nights is added. A charge takes at most what was
 * accrued: the firm that charged more has computed it otherwise. If charged nights cost less in the end, a refund is
 * owed, and a payment takes at most this refund: the rest is interest of another kind. A cancel gives back what its
 * original took.
 */
export function interestLeft(accrued: Decimal, late: Decimal, lines: readonly InterestLine[]): InterestLeft {
  const ids = new Set(lines.map(({ id }) => id))
  const cancelled = new Set(lines.map(({ cancels }) => cancels?.id))
  let before = accrued
  for (const { amount, cancels } of lines) {
    if (cancels !== undefined && !ids.has(cancels.id)) before += cancels.taken ?? max(ZERO, amount)
  }
  const counting = lines.filter(({ id, cancels }) => cancels === undefined && !cancelled.has(id))
  const taken = new Map<string, Decimal>()
  let owed = max(ZERO, before) + max(ZERO, late)
  for (const { id, amount } of counting.filter((line) => line.amount < ZERO)) {
    const charge = min(owed, -amount)
    owed -= charge
    taken.set(id, charge)
  }
  let left = owed + min(ZERO, before) + min(ZERO, late)
  for (const { id, amount } of counting.filter((line) => line.amount >= ZERO)) {
    const payment = min(amount, max(ZERO, -left))
    left += payment
    taken.set(id, -payment)
  }
  return { left, taken }
}
