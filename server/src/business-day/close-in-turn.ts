/** Closes a day after the one before it: a close that was begun and cut off is finished first. */
import type { BusinessDay, CloseRequest } from './close-day.ts'

/** Answers the day that was closed: the one that was asked for, or the one that was in its way. */
export const closeInTurn = async (
  businessDay: BusinessDay,
  request: CloseRequest & { readonly date: string },
): Promise<string> => {
  const outcome = await businessDay.close(request)
  if (outcome.kind === 'closed') return request.date
  const first = await businessDay.close({ ...request, date: outcome.openDay })
  if (first.kind === 'closed') return outcome.openDay
  throw new Error(`neither ${request.date} nor ${outcome.openDay} is the open business day`)
}
