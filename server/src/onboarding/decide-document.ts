/** Decides on a document, for operations and for the sandbox's reviewer. Row, event, audit and follow-up change together. */
import { codeRow, documentsFor, type Rejection, reject } from '@clearing/protocol'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import { type Document, lockDocumentRow, writeDocumentDecision } from '../store/documents.ts'
import { writeEvent } from '../store/events.ts'
import { queueReview } from '../store/renewals.ts'
import { settleDocumentFollowUp } from './document-follow-ups.ts'

export interface DocumentDecision {
  readonly accountNumber: string
  readonly documentId: string
  readonly approved: boolean
  /** Required if it is not approved. */
  readonly rejectionCode: string | null
  readonly reason: string
}

/** Forms that certify the tax status until a date, whether or not they were requested. */
const taxForms: ReadonlySet<string> = new Set(documentsFor('TaxCertification'))

export async function decideOnDocument(
  tx: Tx,
  decision: DocumentDecision,
  acting: { clock: Clock; now: Date; actor: string; traceId: string },
): Promise<Document | Rejection> {
  const { accountNumber, documentId, approved, rejectionCode, reason } = decision
  const { now, actor, traceId } = acting
  const document = await lockDocumentRow(tx, accountNumber, documentId)
  if (!document) return reject('ERR.2013', 'documentId', 'The account has no document with this id.')
  if (document.status !== 'PendingApproval') {
    const by = `${document.status} by ${document.decided_by} at ${document.updated_at}`
    return reject('ERR.2010', 'documentId', `The document was already decided on: ${by}.`)
  }
  const status = approved ? 'Approved' : 'Rejected'
  writeDocumentDecision(tx, document, { status, rejectionCode, reason, by: actor, at: now })
  const content = { documentId, reference: document.reference, rejectionCode: rejectionCode ?? '' }
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
    detail: { status, rejectionCode, reason },
  })
  if (approved && taxForms.has(document.reference)) queueReview(tx, { accountNumber, firmId, traceId })
  if (document.follow_up_id !== null) {
    const why =
      reason || (rejectionCode ? (codeRow('documentRejectionCode', rejectionCode)?.label ?? '') : '')
    await settleDocumentFollowUp(tx, accountNumber, document.follow_up_id, { approved, reason: why }, acting)
  }
  return { ...document, status, rejection_code: rejectionCode, updated_at: now.toISOString() }
}
