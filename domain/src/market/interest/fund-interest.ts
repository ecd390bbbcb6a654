/**
 * Interest of a money-market fund between its payments: simple interest at its yearly yield over 365 days, for each
 * night.
 */

import { type Decimal, multiplyAll, wholeDecimal } from '../../decimal.ts'

/** Fractions of a cent are kept until the fund pays. */
export const FUND_INTEREST_PLACES = 4
const PERCENT_DAYS = wholeDecimal(36_500)

/** Interest of a value at a yearly percentage for some nights. */
export function fundInterest(value: Decimal, yieldPercent: Decimal, nights: number): Decimal {
  return multiplyAll([value, yieldPercent, wholeDecimal(nights)], [PERCENT_DAYS], FUND_INTEREST_PLACES)
}
