/** Closes a business day whose open items a second person has accepted. */
import type { BusinessDay } from '../business-day/close-day.ts'
import type { ClosePayload } from '../changes/close-day.ts'
import type { Clock } from '../clock.ts'
import { clearingFirmId } from '../store/firms.ts'

export async function closeApprovedDay(
  { date, by, traceId }: ClosePayload,
  { businessDay, clock }: { readonly businessDay: BusinessDay; readonly clock: Clock },
): Promise<void> {
  const request = { date, firmId: clearingFirmId, clientId: by, traceId, now: clock.now() }
  const outcome = await businessDay.close(request)
  if (outcome.kind !== 'closed') throw new Error(`${date} could not be closed: ${outcome.kind}`)
}
