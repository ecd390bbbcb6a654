/** What a margin account may do and owes now: its figures and its ledger together, and its open calls with their ages. */

import { type Decimal, max, min, multiplyDivide, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { addMarketDays, marketDaysBetween } from '../calendar/settlement.ts'
import type { MarginAmounts } from '../valuation/summarize.ts'
import type { MarginFigures } from './figures.ts'
import type { MarginLedger } from './ledger.ts'
import { FULL_PERCENT } from './stock-requirement.ts'

export interface MarginStanding extends MarginAmounts {
  /** SMA now: the ledger's, or the Regulation T excess when that is larger. */
  readonly sma: Decimal
}

/** A call as it is shown and worked. */
export interface OpenCall {
  readonly kind: 'RegT' | 'Maintenance'
  readonly openedOn: CalendarDate
  readonly dueOn: CalendarDate
  /** Business days since it was opened. */
  readonly ageDays: number
  readonly outstanding: Decimal
  readonly overdue: boolean
}

/** A maintenance deficiency must be met within fifteen business days (FINRA Rule 4210(f)(6)). */
const MAINTENANCE_CALL_DAYS_MAX = 15

const MONEY_PLACES = 2

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

/**
 * What the account can buy of marginable stock: twice the SMA, whose half Regulation T asks for, and no more than the
 * maintenance excess carries at the account's rate (four times as much at 25 percent). While a maintenance call is open there
 * is no excess, and nothing. Not below 0. Books 5.
 */
export function buyingPowerOf(
  sma: Decimal,
  { maintenanceExcess, longPercent }: Pick<MarginFigures, 'maintenanceExcess' | 'longPercent'>,
): Decimal {
  const carried = multiplyDivide(maintenanceExcess, FULL_PERCENT, longPercent, MONEY_PLACES)
  return max(ZERO, min(sma * 2n, carried))
}

/** The open calls, oldest first, as of a date. A maintenance call that is only now found has age 0. */
export function openCalls(
  figures: Pick<MarginFigures, 'maintenanceCall'>,
  ledger: MarginLedger,
  today: CalendarDate,
): OpenCall[] {
  const calls = ledger.calls.map(({ openedOn, dueOn, outstanding }): OpenCall => {
    return {
      kind: 'RegT',
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
