/**
 * Day trades of a margin account: positions that are opened and closed in one security on one day. A position that was
 * held overnight and is closed before anything is opened that day is not a day trade (FINRA Rule 4210(f)(8)(B)(i) and
 * its interpretations; Regulatory Notice 21-13).
 */

import { type Decimal, min, multiplyDivide, ZERO } from '../../decimal.ts'
import { addDays, type CalendarDate } from '../calendar/day.ts'
import { previousMarketDay } from '../calendar/settlement.ts'

/** A trade of the margin account, in the order of execution. */
export interface DayTrade {
  readonly date: CalendarDate
  readonly secNo: string
  readonly opens: boolean
  readonly side: 'long' | 'short'
  /** Neither is negative. US dollars. */
  readonly quantity: Decimal
  readonly amount: Decimal
}

export interface TradingOfDay {
  /** Number of day trades. Several openings that several closings close count once. */
  readonly count: number
  /** Average cost of opening the part that was closed within the day. */
  readonly cost: Decimal
}

interface Opened {
  quantity: Decimal
  amount: Decimal
  /** Whether the latest trade of this side closed. */
  closing: boolean
}

/** The day trades among the trades of one day. */
export function dayTradesOf(trades: readonly DayTrade[]): TradingOfDay {
  const opened = new Map<string, Opened>()
  let count = 0
  let cost = ZERO
  for (const { secNo, side, opens, quantity, amount } of trades) {
    const name = `${secNo} ${side}`
    const held = opened.get(name) ?? { quantity: ZERO, amount: ZERO, closing: false }
    opened.set(name, held)
    if (opens) {
      held.quantity += quantity
      held.amount += amount
      held.closing = false
      continue
    }
    const both = min(held.quantity, quantity)
    if (both === ZERO) continue
    if (!held.closing) count += 1
    const closed = multiplyDivide(held.amount, both, held.quantity, 2)
    cost += closed
    held.quantity -= both
    held.amount -= closed
    held.closing = true
  }
  return { count, cost }
}

/** Four day trades in five business days, when they are more than six percent of the trades of those days. */
const DAY_TRADES_MIN = 4
const WINDOW_DAYS = 5
const SHARE_OF_TRADES_PERCENT = 6
/** A customer remains a pattern day trader for this number of days after the last such window (docs/books.md). */
const DESIGNATION_DAYS = 90
/** Calendar days that always contain five business days. */
const WINDOW_CALENDAR_DAYS = 14

/** The first trade date that can affect the designation on a day. */
export function patternDayTradesFrom(date: CalendarDate): CalendarDate {
  return addDays(date, -DESIGNATION_DAYS - WINDOW_CALENDAR_DAYS)
}

/**
 * Whether the account is a pattern day trader on a date. `trades` are those since `patternDayTradesFrom`; days can be
 * in any order.
 */
export function isPatternDayTrader(trades: readonly DayTrade[], date: CalendarDate): boolean {
  const days = [...Map.groupBy(trades, (trade) => trade.date)].map(([day, ofDay]) => {
    return { day, trades: ofDay.length, dayTrades: dayTradesOf(ofDay).count }
  })
  for (let end = date; end >= addDays(date, -DESIGNATION_DAYS); end = previousMarketDay(end)) {
    const start = windowStart(end)
    let dayTrades = 0
    let all = 0
    for (const one of days) {
      if (one.day < start || one.day > end) continue
      dayTrades += one.dayTrades
      all += one.trades
    }
    if (dayTrades >= DAY_TRADES_MIN && dayTrades * 100 > all * SHARE_OF_TRADES_PERCENT) return true
  }
  return false
}

function windowStart(end: CalendarDate): CalendarDate {
  let start = end
  for (let left = WINDOW_DAYS - 1; left > 0; left -= 1) start = previousMarketDay(start)
  return start
}
