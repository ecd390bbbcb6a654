/**
 * Dividends, interest and distributions of gains whose netAmount contradicts their quantity and cashPerShare. Books 1,
 * Breaks.
 */
import { type Decimal, max, min, multiply, renderDecimal, ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { agrees } from './agrees.ts'
import { placesOf } from './complete-activity.ts'
import { type Effects, raiseBreak } from './effects.ts'

/**
 * Checks a netAmount that stands beside quantity and cashPerShare. Feeds may pay it after tax withheld, so that it may
 * be lower than computed. A line in account type 3 is paid by the account, whatever the sign of its quantity.
 */
export function checkDistribution(effects: Effects, line: ActivityLine): void {
  const { cashPerShare, netAmount, quantity, security } = line
  if (security === undefined || cashPerShare === undefined || netAmount === undefined) return
  if (quantity === ZERO) return
  const places = placesOf(line)
  const fees = line.commission + line.secFee
  const computed = multiply(cashPerShare, quantity, places) - fees
  if (isBetweenNothingAnd(computed, netAmount, places)) return
  const paidByShort = multiply(cashPerShare, quantity < 0n ? quantity : -quantity, places) - fees
  if (line.acctType === 3 && isBetweenNothingAnd(paidByShort, netAmount, places)) return
  raiseBreak(
    effects,
    'CashDisagrees',
    line,
    ZERO,
    `netAmount is ${renderDecimal(netAmount, 2)}, and quantity × cashPerShare less commission and fees comes to ${renderDecimal(computed, 2)}. Tax withheld can make it lower, but not higher, and not of the other sign. Correct the line that is wrong: cancel and rebill this one.`,
  )
}

function isBetweenNothingAnd(computed: Decimal, given: Decimal, places: number): boolean {
  if (agrees(given, computed, places)) return true
  return given >= min(computed, ZERO) && given <= max(computed, ZERO)
}
