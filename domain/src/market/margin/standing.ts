/** What a margin account may do and owes now: its figures and its ledger together, and its open calls with their ages. */

import { type Decimal, max, min, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { addMarketDays, marketDaysBetween } from '../calendar/settlement.ts'
import type { MarginAmounts } from '../valuation/summarize.ts'
import { buyingPowerOf } from './buying-power.ts'
import { type CallKind, MAINTENANCE_CALL_DAYS_MAX } from './calls.ts'
import type { MarginFigures } from './figures.ts'
import type { MarginLedger } from './ledger.ts'

export interface MarginStanding extends MarginAmounts {
  /** SMA now: the ledger's, or the Regulation T excess when that is larger. */
  readonly sma: Decimal
}

/** A call as it is shown and worked. */
export interface OpenCall {
  readonly kind: Exclude<CallKind, 'Cash'>
  readonly openedOn: CalendarDate
  readonly dueOn: CalendarDate
  /** Business days since it was opened. */
  readonly ageDays: number
  readonly outstanding: Decimal
  readonly overdue: boolean
}

/**
 * The amounts of position-summary. `ledger` has today's events posted. The federal call is that of the latest day that
 * still has one, all its purchases together; accumFedAmount adds all open days. Books 5.
 */
export function marginStanding(figures: MarginFigures, ledger: MarginLedger): MarginStanding {
  const sma = max(ledger.sma, figures.regTExcess)
  let accumFedAmount = ZERO
  for (const call of ledger.calls) accumFedAmount += call.outstanding
  return {
    sma,
    marginCashAvailable: max(ZERO, min(sma, figures.maintenanceExcess)),
    buyingPower: buyingPowerOf(sma, figures),
    fedCallAmount: ledger.calls.at(-1)?.outstanding ?? ZERO,
    accumFedAmount,
    maintCallAmount: figures.maintenanceCall,
  }
}

/** The open calls, oldest first, as of a date. A maintenance call that is only now found has age 0. */
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
  return calls.sort((a, b) => (a.openedOn < b.openedOn ? -1 : a.openedOn > b.openedOn ? 1 : 0))
}
