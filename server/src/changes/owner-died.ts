/**
 * The approved death certificate of an owner restricts the account in the transaction of the approval (decision 228),
 * or refers the application to operations (decision 270). The authority of an agent ends with the death, and the
 * restriction suspends everything that an agent could do.
 */
import { reasonOfDeath, registrationOf } from '@clearing/domain'
import type { FirmContext } from '../firm-rules/context.ts'
import { putInForce } from '../firm-rules/restriction.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { readAccount } from '../store/accounts.ts'
import { lockDocumentRow } from '../store/documents.ts'
import { checkPlacing, placeNow } from './restrict.ts'

const code = 'OwnerDeceased'

interface Certificate {
  readonly accountNumber: string
  readonly documentId: string
}

/**
 * The context is that of the firm concerned. `byFirm`: the firm itself decides in the sandbox, and its role cannot
 * lock the books. An account that is closed, has the restriction, or is owned by an entity stays as it is. Returns
 * whether it is an application, which is referred after the decision on the document.
 */
export async function restrictForDeath(
  context: FirmContext,
  { accountNumber, documentId }: Certificate,
  byFirm: boolean,
): Promise<boolean> {
  const account = await readAccount(context.tx, accountNumber, context.keys)
  if (registrationOf(account?.record.registrationType ?? '')?.ownerNameType !== 'Individual') return false
  if (account?.status === 'Pending') return true
  const request = { accountNumber, restrictionCode: code, reason: reasonOfDeath(documentId) }
  if (!byFirm) await placeNow(request, context)
  else if (typeof (await checkPlacing(context, request)) === 'string')
    await putInForce(context, { accountNumber, code, reason: request.reason })
  return false
}

/**
 * Refers the application of an owner who died, whatever it waits for. The decision on the document comes before,
 * because an application in review takes no answers.
 */
export async function referForDeath(
  context: FirmContext,
  certificate: Certificate,
  byFirm: boolean,
): Promise<string> {
  const { tx, now, caller, traceId, parts } = context
  const { accountNumber, documentId } = certificate
  const event = { kind: 'owner-died', documentId, at: now.toISOString(), by: 'operations' } as const
  const acting = { clock: parts.clock, now, actor: caller.clientId, traceId }
  const taken = await advanceOnboarding(tx, accountNumber, event, acting)
  if (taken.kind === 'advanced')
    return 'The application waits in ManualReview, because an owner died. Reject it with decide-onboarding.'
  // It was opened between the two.
  await restrictForDeath(context, certificate, byFirm)
  return ''
}

/** Whether the document is a death certificate. */
export async function isDeathCertificate(
  { tx }: FirmContext,
  { accountNumber, documentId }: Certificate,
): Promise<boolean> {
  const document = await lockDocumentRow(tx, accountNumber, documentId)
  return document?.reference === 'DEAT' && document.catalogued && document.status === 'PendingApproval'
}
