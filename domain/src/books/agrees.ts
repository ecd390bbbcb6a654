/** Whether an amount of a feed is the one that the books compute. Books 2. */
import { abs, DECIMAL_PLACES, type Decimal } from '../decimal.ts'

/** The accepted difference in minor units: feeds round once more or once less than the books. */
const TOLERANCE_UNITS = 1n

/** Whether two amounts differ by at most one minor unit of a currency with `moneyPlaces` decimal places. */
export function agrees(given: Decimal, computed: Decimal, moneyPlaces: number): boolean {
  const unit = 10n ** BigInt(DECIMAL_PLACES - moneyPlaces)
  return abs(given - computed) <= TOLERANCE_UNITS * unit
}
