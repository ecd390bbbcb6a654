/** The rates of the nights between two business days. */
import type { Decimal } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import { type MarginRate, marginRateOn } from '../../config/margin-rate.ts'
import type { DayClose } from '../../store/business-day.ts'

/** The rate of each night from the closed day to the next: that of the day on which the night begins. */
export function nightRates(
  { closeDate, nextDate }: Pick<DayClose, 'closeDate' | 'nextDate'>,
  rates: readonly MarginRate[],
): Decimal[] {
  const nights: Decimal[] = []
  for (let night = closeDate; night < nextDate; night = addDays(night, 1)) {
    nights.push(marginRateOn(rates, night))
  }
  return nights
}
