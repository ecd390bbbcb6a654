/**
 * The approved death certificate of an owner restricts the account in the transaction of the approval (decision 228).
 * The authority of an agent ends with the death, and the restriction suspends everything that an agent could do.
 */
import { registrationOf } from '@clearing/domain'
import type { FirmContext } from '../firm-rules/context.ts'
import { putInForce } from '../firm-rules/restriction.ts'
import { readAccount } from '../store/accounts.ts'
import { lockDocumentRow } from '../store/documents.ts'
import { checkPlacing, placeNow } from './restrict.ts'

const code = 'OwnerDeceased'

/**
 * The context is that of the firm concerned. `asFirm`: the firm decides in the sandbox, and its role cannot lock the
 * books. An account that is not open, has the restriction, or is owned by an entity stays as it is.
 */
export async function restrictForDeath(
  context: FirmContext,
  { accountNumber, documentId }: { readonly accountNumber: string; readonly documentId: string },
  asFirm: boolean,
): Promise<void> {
  const account = await readAccount(context.tx, accountNumber, context.keys)
  if (registrationOf(account?.record.registrationType ?? '')?.ownerNameType !== 'Individual') return
  const reason = `The death certificate ${documentId} of an owner was approved.`
  const request = { accountNumber, restrictionCode: code, reason }
  if (!asFirm) await placeNow(request, context)
  else if (typeof (await checkPlacing(context, request)) === 'string')
    await putInForce(context, { accountNumber, code, reason })
}

/** Whether the document is a death certificate. */
export async function isDeathCertificate(
  { tx }: FirmContext,
  { accountNumber, documentId }: { readonly accountNumber: string; readonly documentId: string },
): Promise<boolean> {
  const document = await lockDocumentRow(tx, accountNumber, documentId)
  return document?.reference === 'DEAT' && document.catalogued && document.status === 'PendingApproval'
}
