/** The events by which every firm learns of an announcement. */
import type { Announcement } from '@clearing/domain/books'
import type { Tx } from '../../database/transaction.ts'
import { writeEventOfFirms } from '../../store/firm-events.ts'

export function writeAnnouncementEvent(
  tx: Tx,
  type: `corporate_action.${'announced' | 'booked' | 'cancelled'}`,
  { externalId, type: actionType, security, exDate, payDate, deadline }: Announcement,
  { now, traceId }: { readonly now: () => Date; readonly traceId: string },
): void {
  const content = {
    corporateActionId: externalId,
    type: actionType,
    secNo: security,
    exDate,
    payDate,
    deadline: deadline ?? '',
  }
  writeEventOfFirms(tx, { type, at: now(), traceId, content })
}
