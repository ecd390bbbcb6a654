/**
 * Trading within the day. Until 2026-06-03 a day-trading buying power is fixed at the previous close: twice the
 * maintenance excess, since 2001-09-28 four times (FINRA Rule 4210(f)(8)(B) and its predecessors), with 25,000 of
 * equity for a pattern day trader. Since 2026-06-04 there is neither. The rule is the largest deficit of the day after
 * a transaction that reduces the intraday margin level (FINRA Rule 4210(d)(2); Regulatory Notice 26-10).
 */

import { type Decimal, decimal, divide, max, min, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { EQUITY_MIN } from './stock-requirement.ts'

export type DayTradingRule = 'TwoTimes' | 'FourTimes' | 'IntradayMargin'

/** The rules, the newest first, from the first day of each. */
const RULES: readonly {
  readonly from: CalendarDate
  readonly rule: DayTradingRule
  readonly source: string
}[] = [
  {
    from: '2026-06-04',
    rule: 'IntradayMargin',
    // Until 2027-10-20, a member may keep the rule before for accounts of its choice. The service does not.
    source: 'FINRA Rule 4210(a)(17) to (19), (d)(2); SR-FINRA-2025-017, 91 FR 20731; Regulatory Notice 26-10',
  },
  {
    from: '2001-09-28',
    rule: 'FourTimes',
    source: 'FINRA Rule 4210(f)(8)(B) and its predecessors; NASD Notice to Members 01-26',
  },
  { from: '0001-01-01', rule: 'TwoTimes', source: 'NASD Rule 2520(f)(8)(B) until 2001-09-27' },
]
const PATTERN_DAY_TRADER_EQUITY_MIN = decimal('25000')

/** The rule in force on a date. */
export function dayTradingRule(date: CalendarDate): DayTradingRule {
  return RULES.find(({ from }) => date >= from)?.rule ?? 'TwoTimes'
}

/**
 * The amount that can be bought and sold again within the day. Under the older rules it is a multiple of the
 * maintenance excess at the previous close, and 0 for a pattern day trader with less than 25,000 of equity. Under the
 * rule of 2026 it is the present excess ÷ the maintenance rate (four times the excess at 25 percent). An account with
 * less than 2,000 of equity pays in full (FINRA Rule 4210(b)). Never negative.
 */
export function dayTradingBuyingPower(account: {
  readonly date: CalendarDate
  /** At the previous close; since 2026-06-04, now. */
  readonly maintenanceExcess: Decimal
  readonly equity: Decimal
  /** The rate of the excess, in percent. */
  readonly maintenancePercent: Decimal
  readonly patternDayTrader: boolean
  /** What can pay for purchases in full. */
  readonly ownFunds: Decimal
}): Decimal {
  const power = leveragedPower(account)
  return account.equity < EQUITY_MIN ? max(ZERO, min(power, account.ownFunds)) : power
}

function leveragedPower(account: Omit<Parameters<typeof dayTradingBuyingPower>[0], 'ownFunds'>): Decimal {
  const excess = max(ZERO, account.maintenanceExcess)
  const rule = dayTradingRule(account.date)
  switch (rule) {
    case 'TwoTimes':
      return excess * 2n
    case 'FourTimes':
      return account.patternDayTrader && account.equity < PATTERN_DAY_TRADER_EQUITY_MIN ? ZERO : excess * 4n
    case 'IntradayMargin':
      return divide(excess * 100n, account.maintenancePercent, 2)
    default:
      return rule satisfies never
  }
}

/** The call for day trades beyond the buying power that the day began with. */
export function dayTradeCall(startOfDayBuyingPower: Decimal, dayTradeCost: Decimal): Decimal {
  return max(ZERO, dayTradeCost - startOfDayBuyingPower)
}

/**
 * A change of the intraday margin level, which is the amount that the customer could withdraw and still meet
 * maintenance.
 */
export interface LevelChange {
  /** US dollars: less than 0 for a purchase, a short sale or a withdrawal. */
  readonly amount: Decimal
  /**
   * Whether it is a purchase, a sale, the outcome of an option or a withdrawal. Only these create a deficit (FINRA Rule
   * 4210(a)(18)). A fee or interest moves the level alone, as the market does.
   */
  readonly isTransaction: boolean
}

/**
 * The day's intraday margin deficit: the lowest level after a transaction that reduced it, as a positive amount; 0 when
 * the level never went below 0. `openingLevel` is the maintenance excess before the day.
 */
export function intradayMarginDeficit(openingLevel: Decimal, changes: readonly LevelChange[]): Decimal {
  let level = openingLevel
  let deficit = ZERO
  for (const { amount, isTransaction } of changes) {
    level += amount
    if (isTransaction && amount < ZERO && -level > deficit) deficit = -level
  }
  return deficit
}
