/** The interest of a close divided by its rates, as lists and statements show it. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { interestOfNights, type NightsAtRate, nightsByRate } from '@clearing/domain/market'
import type { MarginInterest } from '../../store/margin-interest.ts'

export interface NightsWithInterest extends NightsAtRate {
  /** The difference if the nights were computed again. */
  readonly interest: Decimal
}

export function divideNights({ ofDate, debit, debitBefore, rates }: MarginInterest): NightsWithInterest[] {
  return nightsByRate(ofDate, rates).map((nights) => {
    const same = Array.from({ length: nights.nights }, () => nights.rate)
    const interest = interestOfNights(debit, same) - interestOfNights(debitBefore ?? ZERO, same)
    return { ...nights, interest }
  })
}
