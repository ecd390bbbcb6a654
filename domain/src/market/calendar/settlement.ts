/**
 * When a trade settles, and by when it must be paid. Days are counted from the trade date, which can be any calendar
 * day: settlement days (market and banks open) or business days of Regulation T (market open).
 */

import type { SecurityKind } from '../security-kind.ts'
import { type CalendarDate, dateOfDay, dayNumber, splitDate } from './day.ts'
import { isBankDayNumber, isBondSettlement, isGoodFridayMorning, isMarketDayNumber } from './holidays.ts'

interface SettlementCycle {
  /** First trade date under the cycle. */
  readonly from: CalendarDate
  /** Settlement days after the trade date. */
  readonly days: number
  /** The cycle that the payment period counts, if it is another. */
  readonly paymentCycleDays?: number
}

/**
 * Standard cycle of stocks and corporate and municipal bonds (17 CFR 240.15c6-1(a) and its predecessors), newest first.
 * The change from five to three days took two steps with a double settlement day each (NASD Notice to Members 95-26):
 * trades of 2 and 5 June 1995 settled on 9 June, and those of 6 and 7 June on 12 June. The payment period followed the
 * rule, which was in force from 7 June (59 FR 59137).
 */
export const STANDARD_CYCLES: readonly SettlementCycle[] = [
  { from: '2024-05-28', days: 1 },
  { from: '2017-09-05', days: 2 },
  { from: '1995-06-07', days: 3 },
  { from: '1995-06-05', days: 4, paymentCycleDays: 5 },
  { from: '0001-01-01', days: 5 },
]

/** Options, mutual funds, Treasuries and debt of federal agencies settle on the next settlement day. */
const NEXT_DAY_CYCLE_DAYS = 1

/** Treasuries and agencies traded on a Good Friday (SIFMA). */
const GOOD_FRIDAY_CYCLE_DAYS = 2

/** Regulation T's payment period is the standard cycle plus two business days (12 CFR 220.2). */
const PAYMENT_DAYS_AFTER_CYCLE = 2

/** True when the New York Stock Exchange opens on that date. */
export function isMarketDay(date: CalendarDate): boolean {
  return isMarketDayNumber(dayNumber(date), splitDate(date).year)
}

/** True when the Federal Reserve Banks open on that date. */
export function isBankDay(date: CalendarDate): boolean {
  return isBankDayNumber(dayNumber(date), splitDate(date).year)
}

/**
 * True when securities of a kind settle on that date: the market and the banks are open (Books 4). Bonds have the days
 * of stocks: SIFMA recommends no settlement on a Good Friday either, also in years in which the bond market opens for
 * the morning.
 */
export function isSettlementDay(date: CalendarDate, kind: SecurityKind): boolean {
  const settlesApart = kind === 'Bond' || kind === 'Treasury' || kind === 'Agency'
  return isBankDay(date) && (isMarketDay(date) || (settlesApart && isBondSettlement(date)))
}

/** Settlement days between trade and settlement for a kind of security, by trade date. */
export function settlementCycleDays(tradeDate: CalendarDate, kind: SecurityKind): number {
  switch (kind) {
    case 'Option':
    case 'IndexOption':
    case 'Fund':
      return NEXT_DAY_CYCLE_DAYS
    case 'Treasury':
    case 'Agency':
      return isGoodFridayMorning(tradeDate) ? GOOD_FRIDAY_CYCLE_DAYS : NEXT_DAY_CYCLE_DAYS
    case 'Equity':
    case 'Bond':
      return standardCycle(tradeDate).days
    default:
      return kind satisfies never
  }
}

/** The regular-way settlement date of a trade (Books 4). */
export function settlementDate(tradeDate: CalendarDate, kind: SecurityKind): CalendarDate {
  return countForward(tradeDate, settlementCycleDays(tradeDate, kind), (date) => isSettlementDay(date, kind))
}

/**
 * The last day on which a purchase may be paid without an extension: the standard cycle plus two business days after
 * the trade date. A bank holiday with an open market counts, so the date can fall less than two days after a settlement
 * that the bank holiday delayed (12 CFR 220.2; NASD Notice to Members 95-77).
 */
export function regTPaymentDate(tradeDate: CalendarDate): CalendarDate {
  const { days, paymentCycleDays = days } = standardCycle(tradeDate)
  return countForward(tradeDate, paymentCycleDays + PAYMENT_DAYS_AFTER_CYCLE, isMarketDay)
}

/**
 * The market day that is a number of market days after a date. The date need not be a market day; 0 returns the date.
 */
export function addMarketDays(date: CalendarDate, days: number): CalendarDate {
  return countForward(date, days, isMarketDay)
}

/** The date, or the next day on which the market and the banks are open: a payment due on it arrives then. */
export function settlementDayFrom(date: CalendarDate): CalendarDate {
  return isSettlementDay(date, 'Equity')
    ? date
    : countForward(date, 1, (day) => isSettlementDay(day, 'Equity'))
}

/** Market days after `from` up to and including `to`; 0 when `to` is not later. The age of a call in business days. */
export function marketDaysBetween(from: CalendarDate, to: CalendarDate): number {
  const last = dayNumber(to)
  let count = 0
  for (let day = dayNumber(from) + 1; day <= last; day += 1) if (isMarketDay(dateOfDay(day))) count += 1
  return count
}

/** The last market day before a date. */
export function previousMarketDay(date: CalendarDate): CalendarDate {
  let day = dayNumber(date) - 1
  while (!isMarketDay(dateOfDay(day))) day -= 1
  return dateOfDay(day)
}

function standardCycle(tradeDate: CalendarDate): SettlementCycle {
  for (const cycle of STANDARD_CYCLES) if (tradeDate >= cycle.from) return cycle
  throw new RangeError(`${tradeDate} is before every settlement cycle`)
}

function countForward(
  from: CalendarDate,
  days: number,
  counts: (date: CalendarDate) => boolean,
): CalendarDate {
  let date = from
  let day = dayNumber(from)
  for (let left = days; left > 0; ) {
    day += 1
    date = dateOfDay(day)
    if (counts(date)) left -= 1
  }
  return date
}
