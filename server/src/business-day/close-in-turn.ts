/** Closes a day after the one before it: a close that was begun and cut off is finished first. */
import type { BusinessDay, CloseRequest } from './close-day.ts'

/** Answers the day that was closed: the one that was asked for, or the one that was in its way. */
export async function closeInTurn(
  businessDay: BusinessDay,
  request: CloseRequest & { readonly date: string },
): Promise<string> {
  const outcome = await businessDay.close(request)
  if (outcome.kind === 'closed') return request.date
  if (outcome.kind !== 'notOpen') throw new Error(`${request.date} can not be closed: ${outcome.kind}`)
  const { openDay } = outcome
  const first = await businessDay.close({ ...request, date: openDay })
  if (first.kind === 'closed') return openDay
  throw new Error(`neither ${request.date} nor ${openDay} is the open business day`)
}
