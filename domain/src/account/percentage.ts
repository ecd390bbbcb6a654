/** Percentages of an account: at most three digits before the point and two after it. */
import { type Decimal, parseDecimal, renderDecimal } from '../decimal.ts'
import type { Beneficiary } from './record.ts'

const percentLimits = { places: 2, integerDigits: 3 }

/** Undefined if the percentage is absent, deleted or cannot be read. */
export function readPercentage(text: string | null | undefined): Decimal | undefined {
  const parsed = parseDecimal(text ?? '', percentLimits)
  return typeof parsed === 'bigint' ? parsed : undefined
}

/** The beneficiary with two decimals in its percentage. One that cannot be read stays as it is. */
export function completePercentage(beneficiary: Beneficiary): Beneficiary {
  const percent = readPercentage(beneficiary.percentageAllocation)
  return percent === undefined
    ? beneficiary
    : { ...beneficiary, percentageAllocation: renderDecimal(percent, 2) }
}
