/**
 * By when a person is expected to act on what waits for operations: one market day, as the inbox counts it. What came on a day without
 * trading counts from the beginning of the next market day.
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

/** What came before this moment is late now: the inverse of `reviewDueBy`. */
export function reviewLateBefore(now: Date): Date {
  const today = easternDay(now)
  const last = marketDayFrom(addDays(today, -1), -1)
  if (isMarketDay(today)) return new Date(startOfEasternDay(last).getTime() + sinceMidnight(now, today))
  // Nothing becomes late on a day without trading: late is what came until the end of the market day before the last one.
  return startOfEasternDay(addDays(marketDayFrom(addDays(last, -1), -1), 1))
}

/** Less than a day also where a clock was set back. */
function sinceMidnight(at: Date, day: CalendarDate): number {
  return Math.min(at.getTime() - startOfEasternDay(day).getTime(), dayMs - 1)
}

/**
 * By when an application that waits is expected to go on: the earliest day by which the firm must answer, or, where operations decide,
 * the time at which the inbox counts it as late. Null while the service works by itself, and at the end.
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
