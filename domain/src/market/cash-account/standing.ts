/** What a cash account owes and may do at the end of a day: its calls, what is to be liquidated, and its freeze. */

import { type Decimal, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { type Freeze, freezesOf } from './freeze.ts'
import type { CashViolation, UnpaidPurchase } from './line.ts'
import { type CashPayments, DISREGARDED_MAX } from './payments.ts'

/** A call for the purchases whose payment period ended on one day. */
export interface CashCall {
  readonly issuedOn: CalendarDate
  /** Later with an extension. */
  readonly dueOn: CalendarDate
  readonly outstanding: Decimal
}

/** The calls at the end of a day, oldest first: of each purchase more is unpaid than may be disregarded. */
export function cashCalls({ unpaid }: Pick<CashPayments, 'unpaid'>, day: CalendarDate): CashCall[] {
  const calls = new Map<CalendarDate, CashCall>()
  for (const purchase of unpaid) {
    if (purchase.period > day || purchase.unpaid <= DISREGARDED_MAX) continue
    const call = calls.get(purchase.period) ?? {
      issuedOn: purchase.period,
      dueOn: purchase.dueOn,
      outstanding: ZERO,
    }
    const dueOn = purchase.dueOn > call.dueOn ? purchase.dueOn : call.dueOn
    calls.set(purchase.period, { ...call, dueOn, outstanding: call.outstanding + purchase.unpaid })
  }
  return [...calls.values()].sort((a, b) => (a.issuedOn < b.issuedOn ? -1 : 1))
}

/** The purchases that are to be canceled or liquidated: their time has passed (12 CFR 220.8(b)(4)). */
export function toLiquidate({ unpaid }: Pick<CashPayments, 'unpaid'>, day: CalendarDate): UnpaidPurchase[] {
  return unpaid.filter((one) => one.dueOn < day && one.unpaid > DISREGARDED_MAX)
}

/** The freeze that lasts longest among those in force on a day. */
export function freezeOn(violations: readonly CashViolation[], day: CalendarDate): Freeze | undefined {
  return freezesOf(violations).findLast(({ from, until }) => from < day && day <= until)
}
