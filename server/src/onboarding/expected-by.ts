/**
 * The time by which operations are expected to act on an item: one market day after it began to wait, as the inbox
 * counts. Items from a day without trading count from the beginning of the next market day.
 */
import type { OnboardingState } from '@clearing/domain'
import { addDays, type CalendarDate, isMarketDay } from '@clearing/domain/market'
import { easternDay, startOfEasternDay } from '../store/books/calendar.ts'

const dayMs = 86_400_000

function marketDayFrom(day: CalendarDate, step: 1 | -1): CalendarDate {
  let found = day
  while (!isMarketDay(found)) found = addDays(found, step)
  return found
}

/** The same time of the next market day. */
export function reviewDueBy(since: Date): Date {
  const day = easternDay(since)
  const counted = isMarketDay(day) ? since : startOfEasternDay(marketDayFrom(day, 1))
  const from = easternDay(counted)
  const next = marketDayFrom(addDays(from, 1), 1)
  return new Date(startOfEasternDay(next).getTime() + sinceMidnight(counted, from))
}

/** Items that began to wait before this time are late: the inverse of `reviewDueBy`. */
export function reviewLateBefore(now: Date): Date {
  const today = easternDay(now)
  const last = marketDayFrom(addDays(today, -1), -1)
  if (isMarketDay(today)) return new Date(startOfEasternDay(last).getTime() + sinceMidnight(now, today))
  // On a day without trading no further item becomes late, so items until the end of the market day before the last one
  // are late.
  return startOfEasternDay(addDays(marketDayFrom(addDays(last, -1), -1), 1))
}

/** Less than a day, even where a clock was set back. */
function sinceMidnight(at: Date, day: CalendarDate): number {
  return Math.min(at.getTime() - startOfEasternDay(day).getTime(), dayMs - 1)
}

/**
 * The time by which a waiting application is expected to continue. If the firm must answer, it is the
 * earliest due day. If operations decide, it is the time from which the inbox marks the application as late.
 * Null while the service works on it, and at the end.
 */
export function expectedBy({ currentState, followUps }: OnboardingState, since: string): string | null {
  if (currentState === 'ManualReview') return reviewDueBy(new Date(since)).toISOString()
  if (currentState !== 'ActionRequired') return null
  const waiting = followUps.filter(({ blocking }) => blocking !== false)
  const due = waiting.flatMap(({ status, dueBy }) =>
    (status === 'Open' || status === 'Rejected') && dueBy !== null ? [dueBy] : [],
  )
  if (due.length > 0) return due.sort()[0] ?? null
  const answered = waiting.flatMap(({ status, answers = [] }) =>
    status === 'Answered' ? [answers.at(-1)?.at ?? since] : [],
  )
  const last = answered.sort().at(-1)
  return last === undefined ? null : reviewDueBy(new Date(last)).toISOString()
}
