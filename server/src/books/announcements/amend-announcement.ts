/**
 * A line that amends an announcement replaces its terms. No line of the terms before is booked after it. The
 * examination that it queues computes the entitlements anew, reverses what was booked, and books it anew.
 */
import {
  type Announcement,
  bookingDay,
  changesOf,
  electionsAfter,
  whyNotAmended,
} from '@clearing/domain/books'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { amendAnnouncement, readAmendment } from '../../store/books/amendments.ts'
import { lockElections, putVoidElections } from '../../store/books/announced-entitlements.ts'
import {
  findSameAction,
  lockAnnouncement,
  readAnnouncements,
  type StoredAnnouncement,
  termsOtherwise,
} from '../../store/books/announcements.ts'
import { writeEvent } from '../../store/events.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { announcedAs, conflictOf } from './line-conflict.ts'
import { queueExamination } from './queue-examination.ts'
import { renderElections } from './render-announcement.ts'
import { writeAmendmentEvent } from './tell-firms.ts'

interface AmendingLoad {
  readonly loadId: string
  readonly clientId: string
  readonly traceId: string
  now(): Date
}

/** `announcement` has the id of the line and the terms that are to count. */
export async function takeAmendment(
  tx: Tx,
  {
    announcement,
    formerExDate,
    amends,
  }: { readonly announcement: Announcement; readonly formerExDate: string; readonly amends: string },
  load: AmendingLoad,
): Promise<'accepted' | 'duplicate' | readonly Rejection[]> {
  const { externalId } = announcement
  if ((await readAnnouncements(tx, [externalId])).length > 0) return [conflictOf(externalId, 'amends')]
  const before = await readAmendment(tx, externalId)
  if (before !== undefined && before.amends !== amends) return [conflictOf(externalId, 'amends')]
  const stored = await lockAnnouncement(tx, amends)
  if (stored === undefined)
    return [reject('ERR.2003', 'amends', 'There is no announcement with this externalId.')]
  if (before !== undefined) {
    const fields = termsOtherwise(announcement, { ...stored, ...before.terms, externalId }, formerExDate)
    return fields.length === 0 ? 'duplicate' : fields.map((field) => conflictOf(externalId, field))
  }
  if (stored.cancelledBy !== undefined)
    return [reject('ERR.1015', 'amends', 'The announcement was cancelled.')]
  const wrong = whyNotAmended(stored, announcement)
  if (wrong.length > 0) return wrong
  if (changesOf(stored, announcement).length === 0) return 'duplicate'
  const same = await findSameAction(tx, announcement, amends)
  if (same !== undefined) return [announcedAs(same)]
  await replaceTerms(tx, stored, announcement, load)
  return 'accepted'
}

async function replaceTerms(
  tx: Tx,
  before: StoredAnnouncement,
  after: Announcement,
  { loadId, clientId, traceId, now }: AmendingLoad,
): Promise<void> {
  const { externalId } = before
  const amended = { ...after, externalId, version: before.version + 1 }
  await amendAnnouncement(tx, before, after, { externalId: after.externalId, at: now(), loadId })
  const row = { at: now(), actor: clientId, traceId }
  for (const entitlement of await lockElections(tx, externalId)) {
    const { firmId, accountNumber, acctType } = entitlement
    const elections = electionsAfter(before, after, entitlement.elections)
    const voided = elections.filter((one, index) => one.void !== entitlement.elections[index]?.void)
    if (voided.length === 0) continue
    putVoidElections(tx, externalId, entitlement, elections)
    const content = {
      corporateActionId: externalId,
      acctType: String(acctType),
      elections: renderElections({ elections: voided }),
    }
    writeAuditRow(tx, { ...row, firmId, accountNumber, action: 'void-elections', detail: content })
    writeEvent(tx, {
      firmId,
      accountNumber,
      type: 'corporate_action.election_voided',
      at: now(),
      traceId,
      content,
    })
  }
  writeAuditRow(tx, {
    ...row,
    firmId: clearingFirmId,
    action: 'amend-corporate-action',
    target: externalId,
    detail: { by: after.externalId, version: amended.version, changes: changesOf(before, after) },
  })
  writeAmendmentEvent(tx, amended, { now, traceId })
  queueExamination(tx, now(), bookingDay(after))
}
