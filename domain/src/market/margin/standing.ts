/**
 * The standing of a margin account, from its figures and its ledger: buying power, withdrawals, and open calls with
 * their ages.
 */

import { type Decimal, max, min, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { addMarketDays, marketDaysBetween } from '../calendar/settlement.ts'
import type { MarginAmounts } from '../valuation/summarize.ts'
import { buyingPowerOf } from './buying-power.ts'
import { MAINTENANCE_CALL_DAYS_MAX } from './calls.ts'
import type { MarginFigures } from './figures.ts'
import type { MarginLedger } from './ledger.ts'
import { EQUITY_MIN } from './stock-requirement.ts'

export interface MarginStanding extends MarginAmounts {
  /** SMA now. A gain of the day raises it at the close, not before. */
  readonly sma: Decimal
}

/** An open call of a margin account. */
export interface OpenCall {
  readonly kind: 'Fed' | 'Maintenance'
  readonly openedOn: CalendarDate
  readonly dueOn: CalendarDate
  /** Business days since it was opened. */
  readonly ageDays: number
  readonly outstanding: Decimal
  readonly overdue: boolean
}

/**
 * The amounts of position-summary. `ledger` includes today's events. The federal call is the call of the latest day
 * that has an open call; accumFedAmount is the sum of all open days. Books 5.
 */
export function marginStanding(figures: MarginFigures, ledger: MarginLedger): MarginStanding {
  const { sma } = ledger
  let accumFedAmount = ZERO
  for (const call of ledger.calls) accumFedAmount += call.outstanding
  return {
    sma,
    marginCashAvailable: max(ZERO, min(sma, figures.maintenanceExcess, aboveMinimumEquity(figures))),
    buyingPower: buyingPowerOf(sma, figures),
    fedCallAmount: ledger.calls.at(-1)?.outstanding ?? ZERO,
    accumFedAmount,
    maintCallAmount: figures.maintenanceCall,
    deficit: max(ZERO, -figures.equity),
  }
}

/**
 * What can leave without less than 2,000 of equity. The minimum applies to an account with a debit or a short position
 * (FINRA Rule 4210(b)). Without a short position, the account's own cash can leave: no debit follows.
 */
function aboveMinimumEquity({ equity, ownCash, requirements }: MarginFigures): Decimal {
  const above = equity - EQUITY_MIN
  return requirements.some(({ quantity }) => quantity < ZERO) ? above : max(ownCash, above)
}

/** The open calls as of a date, oldest first. A maintenance call that no close has found yet has age 0. */
export function openCalls(
  figures: Pick<MarginFigures, 'maintenanceCall'>,
  ledger: MarginLedger,
  today: CalendarDate,
): OpenCall[] {
  const calls = ledger.calls.map(({ openedOn, dueOn, outstanding }): OpenCall => {
    return {
      kind: 'Fed',
      openedOn,
      dueOn,
      ageDays: marketDaysBetween(openedOn, today),
      outstanding,
      overdue: today > dueOn,
    }
  })
  if (figures.maintenanceCall > ZERO) {
    const openedOn = ledger.maintenanceCall?.openedOn ?? today
    const dueOn = addMarketDays(openedOn, MAINTENANCE_CALL_DAYS_MAX)
    calls.push({
      kind: 'Maintenance',
      openedOn,
      dueOn,
      ageDays: marketDaysBetween(openedOn, today),
      outstanding: figures.maintenanceCall,
      overdue: today > dueOn,
    })
  }
  return calls.sort((a, b) => (a.openedOn === b.openedOn ? 0 : a.openedOn < b.openedOn ? -1 : 1))
}
