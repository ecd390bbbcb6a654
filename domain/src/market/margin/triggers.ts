/** At which market value a maintenance call starts: the cushion that an account still has. */

import { type Decimal, decimal, divide } from '../../decimal.ts'

const HUNDRED = decimal('100')
const VALUE_PLACES = 2

/** The long market value at which a debit balance comes to a call: debit ÷ (1 − rate). */
export function longCallValue(debit: Decimal, maintenancePercent: Decimal, places = VALUE_PLACES): Decimal {
  return divide(debit * 100n, HUNDRED - maintenancePercent, places)
}

/** The short market value at which a credit balance comes to a call: credit ÷ (1 + rate). */
export function shortCallValue(credit: Decimal, maintenancePercent: Decimal, places = VALUE_PLACES): Decimal {
  return divide(credit * 100n, HUNDRED + maintenancePercent, places)
}
