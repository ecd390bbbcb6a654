/**
 * rotate-credential: adds a new secret. The old secret expires after `overlapHours`. With 0, it expires at
 * once with all tokens issued for it. If a person requests the rotation, it takes effect after the approval
 * of a second person.
 */
import { randomUUID } from 'node:crypto'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { readMade } from '../changes/change-credential.ts'
import { asFirm } from '../changes/firm-context.ts'
import { makeSecret, secretAwaitsApproval } from '../changes/make-credential.ts'
import { hashClientSecret, makeClientSecret } from '../identity/endpoint/client-secret.ts'
import { credentialNotFound } from '../identity/firm-request.ts'
import { renderWithWebhooks } from '../identity/render-firm.ts'
import { readCredential } from '../store/credentials.ts'
import type { Handler } from './context.ts'

const overlapHoursDefault = 24

export const rotateCredential: Handler<'rotate-credential'> = async (request, context) => {
  const { tx, parts } = context
  const { clientId, overlapHours = overlapHoursDefault } = request
  const before = await readCredential(tx, clientId, parts.identity.now())
  if (before === undefined) return credentialNotFound()
  const secretId = randomUUID()
  const clientSecret = makeClientSecret()
  const made = {
    clientId,
    overlapHours,
    secretId,
    hash: hashClientSecret(secretId, clientSecret).toString('hex'),
  }
  const ofFirm = await asFirm(context, before.firmId)
  const subjects = subjectsToApprove(ofFirm, ['Credentials'])
  if (subjects.length === 0) {
    const refused = await makeSecret(made, context)
    if (refused.length > 0) return new Rejected(refused)
    return { ...(await renderWithWebhooks(tx, await readMade(context, clientId))), clientSecret }
  }
  askForChange(ofFirm, {
    operation: 'rotate-credential',
    accountNumber: '',
    subjects,
    request: made,
    fields: [
      { field: 'clientId', before: clientId, after: clientId },
      {
        field: 'secret',
        before: before.secrets[0]?.secretId ?? '',
        after: `${secretId}, the old one ${overlapHours} hours longer`,
      },
    ],
    reason: '',
  })
  const data = { ...(await renderWithWebhooks(tx, before)), clientSecret }
  return new Answered(data, { message: secretAwaitsApproval })
}
