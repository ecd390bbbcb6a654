/**
 * The factor of a pool on the days of a holder. A factor can be loaded after the day of its principal, or correct one
 * that was wrong. It then counts from an earlier day than that on which it was loaded (decision 297).
 */
import type { Decimal } from '../../decimal.ts'
import { addDays, type CalendarDate } from '../calendar/day.ts'

/** A factor that was loaded. */
export interface LoadedFactor {
  readonly factor: Decimal
  /** The business date of the load. `-infinity`: before the service stored dates. */
  readonly enteredOn: CalendarDate
}

/** A FactorChange of the holder. */
export interface FactorLine {
  /** The new factor. */
  readonly factor: Decimal
  readonly tradeDate: CalendarDate
}

export interface CountingFactor extends LoadedFactor {
  /** The first day on which it counts. Empty: all days. */
  readonly from: CalendarDate
}

/** Principal is repaid at most monthly: a change this soon after another one, without principal, is a correction. */
const correctedDaysMax = 15

/**
 * The factors that were loaded, each with the day from which it counts: the trade date of the holder's line with that
 * factor, if it was loaded after it. Without such a line, a correction counts from the same day as the factor that it
 * corrects. `loaded` is in the order of the loads.
 */
export function countFactors(
  loaded: readonly LoadedFactor[],
  lines: readonly FactorLine[],
): CountingFactor[] {
  const counting: CountingFactor[] = []
  for (const { factor, enteredOn } of loaded) {
    const before = counting.at(-1)
    const paid = lines
      .filter((line) => line.factor === factor)
      .reduce((last, { tradeDate }) => (tradeDate > last ? tradeDate : last), '')
    const corrects = before !== undefined && before.enteredOn >= addDays(enteredOn, -correctedDaysMax)
    const own = paid !== '' && paid < enteredOn ? paid : enteredOn
    const from = before === undefined ? '' : paid === '' && corrects ? before.from : own
    counting.push({ factor, enteredOn, from })
  }
  return counting
}

/** The factor on a day: the last one that counts on it. Undefined if none was loaded. */
export function factorOnDay(counting: readonly CountingFactor[], day: CalendarDate): Decimal | undefined {
  return counting.findLast(({ from }) => from <= day)?.factor
}

/**
 * The first closed day on which a factor counts that was loaded after the last close. Undefined if no close has used
 * another one.
 */
export function firstOtherFactor(
  counting: readonly CountingFactor[],
  closeDate: CalendarDate,
): CalendarDate | undefined {
  const [first, ...changes] = counting
  const days = changes
    .filter(({ enteredOn }) => enteredOn > closeDate)
    // No account held the pool before it was loaded.
    .map(({ from }) => (from === '' ? (first as CountingFactor).enteredOn : from))
  return days.filter((day) => day <= closeDate).sort()[0]
}
