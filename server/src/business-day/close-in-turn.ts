/** Closes a day after the previous one. It first completes a close that was interrupted. */
import type { BusinessDay, CloseRequest } from './close-day.ts'

/** Returns the day that was closed: the requested one, or one that had to be completed first. */
export async function closeInTurn(
  businessDay: BusinessDay,
  request: CloseRequest & { readonly date: string },
): Promise<string> {
  const outcome = await businessDay.close(request)
  if (outcome.kind === 'closed') return request.date
  if (outcome.kind !== 'notOpen') throw new Error(`${request.date} cannot be closed:  ${outcome.kind}`)
  const { openDay } = outcome
  const first = await businessDay.close({ ...request, date: openDay })
  if (first.kind === 'closed') return openDay
  throw new Error(`neither ${request.date} nor ${openDay} is the open business day`)
}
