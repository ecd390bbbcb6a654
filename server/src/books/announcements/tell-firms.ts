/** The events by which every firm learns of an announcement. */
import type { Announcement } from '@clearing/domain/books'
import type { Tx } from '../../database/transaction.ts'
import { writeEventOfFirms } from '../../store/firm-events.ts'

interface Telling {
  readonly now: () => Date
  readonly traceId: string
}

export function writeAnnouncementEvent(
  tx: Tx,
  type: `corporate_action.${'announced' | 'booked' | 'cancelled'}`,
  announcement: Announcement,
  { now, traceId }: Telling,
): void {
  writeEventOfFirms(tx, { type, at: now(), traceId, content: contentOf(announcement) })
}

/** `version` is that of the terms that count now. */
export function writeAmendmentEvent(
  tx: Tx,
  { version, ...announcement }: Announcement & { readonly version: number },
  { now, traceId }: Telling,
): void {
  const content = { ...contentOf(announcement), version }
  writeEventOfFirms(tx, { type: 'corporate_action.amended', at: now(), traceId, content })
}

function contentOf({ externalId, type, security, exDate, payDate, deadline }: Announcement) {
  return { corporateActionId: externalId, type, secNo: security, exDate, payDate, deadline: deadline ?? '' }
}
