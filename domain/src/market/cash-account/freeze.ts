/**
 * When a cash account must pay at once: for 90 calendar days after a sale before payment, unless the purchase is paid
 * within its period (12 CFR 220.8(c)), and after the third good-faith violation within twelve months (a custom of
 * brokers).
 */

import { addDays, addMonths, type CalendarDate, daysBetween } from '../calendar/day.ts'
import type { CashViolation } from './line.ts'

/** 12 CFR 220.8(c)(1). */
const FREEZE_DAYS = 90
const VIOLATIONS_UNTIL_FREEZE = 3
const VIOLATION_MONTHS = 12
/** More than the 90 days of a freeze, and the weeks in which purchases are followed. */
const FREEZE_AND_WEEKS_MONTHS = 6

/** The privilege of delaying payment is withdrawn on the days after `from`, up to and including `until`. */
export interface Freeze {
  readonly from: CalendarDate
  readonly until: CalendarDate
  readonly cause: 'FreeRiding' | 'GoodFaith'
}

/**
 * Whether a violation matters for the freezes of a day or of the weeks before it, in which purchases are followed. It
 * can be one of three that caused a freeze, and the freeze outlasts its twelve months.
 */
export function isKept({ soldOn }: Pick<CashViolation, 'soldOn'>, day: CalendarDate): boolean {
  return soldOn <= day && soldOn > addMonths(day, -VIOLATION_MONTHS - FREEZE_AND_WEEKS_MONTHS)
}

/** Whether a violation is one of the twelve months that end on a day. */
function countsOn({ soldOn }: Pick<CashViolation, 'soldOn'>, day: CalendarDate): boolean {
  return soldOn <= day && soldOn > addMonths(day, -VIOLATION_MONTHS)
}

/** Good-faith violations of the twelve months that end on a day; free riding that was paid in time is one. */
export function goodFaithViolations(
  violations: readonly CashViolation[],
  day: CalendarDate,
): CashViolation[] {
  return violations.filter((one) => isGoodFaith(one) && countsOn(one, day))
}

/** The freezes that violations cause, in the order of their days. */
export function freezesOf(violations: readonly CashViolation[]): Freeze[] {
  const freezes: Freeze[] = []
  for (const one of violations) {
    const isThird = goodFaithViolations(violations, one.soldOn).length >= VIOLATIONS_UNTIL_FREEZE
    if (isGoodFaith(one) && !isThird) continue
    const cause = isGoodFaith(one) ? 'GoodFaith' : 'FreeRiding'
    freezes.push({ from: one.soldOn, until: addDays(one.soldOn, FREEZE_DAYS), cause })
  }
  return freezes.sort((a, b) => daysBetween(b.from, a.from))
}

/** Whether purchases of a day must be paid on that day. */
export function isFrozen(violations: readonly CashViolation[], day: CalendarDate): boolean {
  return freezesOf(violations).some(({ from, until }) => from < day && day <= until)
}

function isGoodFaith({ kind, paidOn }: CashViolation): boolean {
  return kind === 'GoodFaith' || paidOn !== null
}
