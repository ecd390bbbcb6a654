/** The standing of a cash account at the end of a day: its calls, the purchases to liquidate, and its freeze. */

import { type Decimal, ZERO } from '../../decimal.ts'
import { type CalendarDate, daysBetween } from '../calendar/day.ts'
import { type Freeze, freezesOf } from './freeze.ts'
import type { CashViolation, UnpaidPurchase } from './line.ts'
import { type CashPayments, DISREGARDED_MAX } from './payments.ts'

/** A call for the purchases whose payment period ended on one day. */
export interface CashCall {
  readonly issuedOn: CalendarDate
  /** Includes an extension. */
  readonly dueOn: CalendarDate
  readonly outstanding: Decimal
}

/** The calls at the end of a day, oldest first. Purchases whose unpaid rest may be disregarded have none. */
export function cashCalls({ unpaid }: Pick<CashPayments, 'unpaid'>, day: CalendarDate): CashCall[] {
  const calls = new Map<CalendarDate, CashCall>()
  for (const purchase of unpaid) {
    if (purchase.period > day || purchase.unpaid <= DISREGARDED_MAX) continue
    const call = calls.get(purchase.period) ?? {
      issuedOn: purchase.period,
      dueOn: purchase.dueOn,
      outstanding: ZERO,
    }
    calls.set(purchase.period, { ...call, outstanding: call.outstanding + purchase.unpaid })
  }
  return [...calls.values()].sort((a, b) => daysBetween(b.issuedOn, a.issuedOn))
}

/** The purchases that must be canceled or liquidated because their due date has passed (12 CFR 220.8(b)(4)). */
export function toLiquidate({ unpaid }: Pick<CashPayments, 'unpaid'>, day: CalendarDate): UnpaidPurchase[] {
  return unpaid.filter(({ dueOn }) => dueOn < day)
}

/** The freeze that lasts longest among those in force on a day. */
export function freezeOn(violations: readonly CashViolation[], day: CalendarDate): Freeze | undefined {
  return freezesOf(violations).findLast(({ from, until }) => from < day && day <= until)
}
