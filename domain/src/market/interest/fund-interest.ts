/** What a money-market fund earns between its payments: its yield a year, simple, over 365 days, for each night it is held. */

import { type Decimal, multiplyAll, wholeDecimal } from '../../decimal.ts'

/** Parts of a cent are kept until the fund pays. */
export const FUND_INTEREST_PLACES = 4
const PERCENT_DAYS = wholeDecimal(36_500)

/** Interest of a value at a yearly percentage for some nights. */
export function fundInterest(value: Decimal, yieldPercent: Decimal, nights: number): Decimal {
  return multiplyAll([value, yieldPercent, wholeDecimal(nights)], [PERCENT_DAYS], FUND_INTEREST_PLACES)
}
