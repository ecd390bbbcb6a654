/**
 * Decides on a document, for operations and for the sandbox's reviewer. Row, event, audit and follow-up change
 * together.
 */
import { lastYearOfW8 } from '@clearing/domain'
import { addDays } from '@clearing/domain/market'
import { codeRow, documentsFor, type Rejection, reject } from '@clearing/protocol'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import { easternDay } from '../store/books/calendar.ts'
import { type Document, linkDocument, lockDocumentRow, writeDocumentDecision } from '../store/documents.ts'
import { writeEvent } from '../store/events.ts'
import { evidenceOfForeignStatus, queueReview, readRenewals } from '../store/renewals.ts'
import { followUpSettledBy, settleDocumentFollowUp } from './document-follow-ups.ts'

export interface DocumentDecision {
  readonly accountNumber: string
  readonly documentId: string
  readonly approved: boolean
  /** Required if it is not approved. */
  readonly rejectionCode: string | null
  readonly reason: string
  /** The day of the signature on an approved tax form that lapses; null if it was not stated. */
  readonly signedOn: string | null
}

/** Forms that certify the tax status until a date, whether or not they were requested. */
const taxForms: ReadonlySet<string> = new Set(documentsFor('TaxCertification'))

/** Tax forms that are valid for a number of years after their signature. */
const lapsingForms: ReadonlySet<string> = new Set(['W8BE', 'W8BEN-E', 'W8ECI', 'W8EXP'])

/** Why the day of the signature cannot be that of the form. In the Far East, the day begins before that of New York. */
function whyNotSigned(
  { reference, catalogued, created_at }: Document,
  { approved, signedOn }: DocumentDecision,
  today: string,
): Rejection | undefined {
  if (signedOn === null) return undefined
  if (!approved) return reject('ERR.1015', 'signedOn', 'A rejection must not have a day of signature.')
  if (!catalogued || !lapsingForms.has(reference)) {
    return reject(
      'ERR.1015',
      'signedOn',
      'Only a Form W-8BEN, W-8BEN-E, W-8ECI or W-8EXP has a day of signature here.',
    )
  }
  if (signedOn > addDays(easternDay(new Date(created_at)), 1)) {
    return reject('ERR.1024', 'signedOn', 'The form was received before this day.')
  }
  const lastYear = lastYearOfW8(signedOn)
  if (lastYear >= Number(today.slice(0, 4))) return undefined
  const reason = `A form that was signed on this day was valid until ${lastYear}-12-31. Reject it with the code EXPIRED.`
  return reject('ERR.1024', 'signedOn', reason)
}

/** Links an approved document to the follow-up that it settles. */
async function linkApproved(tx: Tx, document: Document, approved: boolean): Promise<string | null> {
  if (!approved || !document.catalogued) return null
  const followUpId = await followUpSettledBy(tx, document.account_number, document.reference)
  if (followUpId !== null) linkDocument(tx, document, followUpId)
  return followUpId
}

/** Whether the approval may answer a renewal although the document answers no follow-up. */
async function isReviewed(tx: Tx, { account_number, reference }: Document): Promise<boolean> {
  if (!evidenceOfForeignStatus.includes(reference)) return taxForms.has(reference)
  const renewals = await readRenewals(tx, account_number)
  return renewals.some(({ kind, state }) => kind === 'ForeignStatusEvidence' && state !== 'Settled')
}

export async function decideOnDocument(
  tx: Tx,
  decision: DocumentDecision,
  acting: { clock: Clock; now: Date; actor: string; traceId: string },
): Promise<Document | Rejection> {
  const { accountNumber, documentId, approved, rejectionCode, reason, signedOn } = decision
  const { now, actor, traceId } = acting
  const document = await lockDocumentRow(tx, accountNumber, documentId)
  if (!document) return reject('ERR.2013', 'documentId', 'The account has no document with this id.')
  if (document.status !== 'PendingApproval') {
    const by = `${document.status} by ${document.decided_by} at ${document.updated_at}`
    return reject('ERR.2010', 'documentId', `The document was already decided on: ${by}.`)
  }
  const refusal = whyNotSigned(document, decision, easternDay(now))
  if (refusal !== undefined) return refusal
  const status = approved ? 'Approved' : 'Rejected'
  writeDocumentDecision(tx, document, { status, rejectionCode, reason, signedOn, by: actor, at: now })
  const content = {
    documentId,
    reference: document.reference,
    ...(approved ? {} : { rejectionCode: rejectionCode ?? '' }),
  }
  const firmId = document.firm_id
  const type = approved ? 'document.approved' : 'document.rejected'
  writeEvent(tx, { firmId, accountNumber, type, at: now, traceId, content })
  writeAuditRow(tx, {
    firmId,
    at: now,
    actor,
    action: 'decide-document',
    accountNumber,
    target: documentId,
    traceId,
    detail: { status, rejectionCode, reason, ...(signedOn === null ? {} : { signedOn }) },
  })
  if (approved && (await isReviewed(tx, document))) queueReview(tx, { accountNumber, firmId, traceId })
  const followUpId = document.follow_up_id ?? (await linkApproved(tx, document, approved))
  if (followUpId !== null) {
    const why =
      reason || (rejectionCode ? (codeRow('documentRejectionCode', rejectionCode)?.label ?? '') : '')
    await settleDocumentFollowUp(tx, accountNumber, followUpId, { approved, reason: why }, acting)
  }
  return {
    ...document,
    follow_up_id: followUpId,
    status,
    rejection_code: rejectionCode,
    signed_on: signedOn,
    updated_at: now.toISOString(),
  }
}
