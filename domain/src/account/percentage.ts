/** The percentage of a beneficiary: at most three digits before the point and two after it. */
import { type Decimal, parseDecimal, renderDecimal } from '../decimal.ts'
import type { Beneficiary } from './record.ts'

const percentLimits = { places: 2, integerDigits: 3 }

/** Undefined if it is absent or cannot be read. */
export function percentOf({ percentageAllocation }: Beneficiary): Decimal | undefined {
  const parsed = parseDecimal(percentageAllocation ?? '', percentLimits)
  return typeof parsed === 'bigint' ? parsed : undefined
}

/** The percentage with two decimals. One that cannot be read stays as it is. */
export function completePercentage(beneficiary: Beneficiary): Beneficiary {
  const percent = percentOf(beneficiary)
  return percent === undefined
    ? beneficiary
    : { ...beneficiary, percentageAllocation: renderDecimal(percent, 2) }
}
