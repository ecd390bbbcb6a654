/** decide-document: a reviewer approves a document or rejects it with a code. */
import { isStated, type ShownId } from '@clearing/domain'
import { type Request, reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { asFirm } from '../changes/firm-context.ts'
import { whyOwnDocument } from '../changes/own-document.ts'
import { isDeathCertificate, referForDeath, restrictForDeath } from '../changes/owner-died.ts'
import { recordIdentification } from '../changes/record-identification.ts'
import { renderDocumentDetail } from '../documents/render-document.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { parseUuid } from '../ids.ts'
import { decideOnDocument } from '../onboarding/decide-document.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const decideDocument: Handler<'decide-document'> = async (sent, context) => {
  const { tx, now, traceId, caller, parts } = context
  const approved = sent.decision === 'Approved'
  if (!approved && !sent.rejectionCode) {
    return new Rejected([reject('ERR.1000', 'rejectionCode', 'A rejection needs a rejection code.')])
  }
  if (approved && sent.rejectionCode) {
    return new Rejected([reject('ERR.1015', 'rejectionCode', 'An approval must not have a rejection code.')])
  }
  const documentId = parseUuid(sent.documentId)
  if (documentId === undefined) {
    return new Rejected([reject('ERR.2013', 'documentId', 'The account has no document with this id.')])
  }
  const request = { ...sent, documentId }
  const head = await readAccountHead(tx, request.accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const shown = shownBy(request)
  if (!approved && request.ownerDied !== undefined)
    return new Rejected([reject('ERR.1015', 'ownerDied', 'A rejection must not have it.')])
  if (!approved && isStated(shown))
    return new Rejected([reject('ERR.1015', 'idNumber', 'A rejection must not have an identification.')])
  let message = ''
  let isOfApplicant = false
  const isOwn = head.firm_id === context.firm.firmId
  // In the sandbox, the firm itself may decide.
  const ofFirm = isOwn ? context : await asFirm(context, head.firm_id)
  if (approved) {
    const own = await whyOwnDocument(ofFirm, request)
    if (own !== undefined) return new Rejected([own])
    const recorded = isStated(shown) ? await recordIdentification(ofFirm, request, shown) : ''
    if (recorded instanceof Rejected) return recorded
    message = recorded
    const isDeath = await isDeathCertificate(ofFirm, request)
    if (request.ownerDied !== undefined && !isDeath) return new Rejected([noDeath])
    if (isDeath && request.ownerDied !== 'false')
      isOfApplicant = await restrictForDeath(ofFirm, request, isOwn)
  }
  const decided = await decideOnDocument(
    tx,
    {
      accountNumber: request.accountNumber,
      documentId: request.documentId,
      approved,
      rejectionCode: request.rejectionCode ?? null,
      reason: request.reason ?? '',
      signedOn: request.signedOn || null,
    },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (!('document_id' in decided)) return new Rejected([decided])
  if (isOfApplicant) message = await referForDeath(ofFirm, request, isOwn)
  const detail = renderDocumentDetail(decided)
  return message === '' ? detail : new Answered(detail, { message })
}

const noDeath = reject('ERR.1015', 'ownerDied', 'Only a death certificate that waits for a decision has it.')

function shownBy({ idNumber, idLocation, idIssueDate, idExpiration }: Request<'decide-document'>): ShownId {
  return {
    idNumber: idNumber || undefined,
    idLocation: idLocation || undefined,
    idIssueDate: idIssueDate || undefined,
    idExpiration: idExpiration || undefined,
  }
}
