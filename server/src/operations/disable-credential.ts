/**
 * disable-credential: ends a credential and all its tokens on every instance within five seconds (Reading 2.2).
 * Disabling needs no approval. Enabling by a person needs a second person. Webhooks of the credential outlive it:
 * they are listed, or end with it.
 */
import { reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { readMade, switchCredential } from '../changes/change-credential.ts'
import { asFirm } from '../changes/firm-context.ts'
import { credentialNotFound } from '../identity/firm-request.ts'
import { renderWithWebhooks } from '../identity/render-firm.ts'
import { readCredential } from '../store/credentials.ts'
import type { Handler } from './context.ts'

export const disableCredential: Handler<'disable-credential'> = async (request, context) => {
  const { tx, caller, parts } = context
  const { clientId, disabled = true, endWebhooks = false } = request
  const before = await readCredential(tx, clientId, parts.identity.now())
  if (before === undefined) return credentialNotFound()
  // At least one credential must remain that can enable the others.
  if (disabled && clientId === caller.clientId)
    return new Rejected([
      reject('ERR.1015', 'clientId', 'A credential cannot disable itself; use another credential.'),
    ])
  if (!disabled && endWebhooks)
    return new Rejected([
      reject(
        'ERR.1015',
        'endWebhooks',
        'Webhooks end when a credential is disabled, not when it is enabled.',
      ),
    ])
  const ofFirm = await asFirm(context, before.firmId)
  const subjects = disabled ? [] : subjectsToApprove(ofFirm, ['Credentials'])
  if (subjects.length === 0) {
    const refused = await switchCredential({ clientId, disabled, endWebhooks }, context)
    if (refused.length > 0) return new Rejected(refused)
    return renderWithWebhooks(tx, await readMade(context, clientId))
  }
  askForChange(ofFirm, {
    operation: 'disable-credential',
    accountNumber: '',
    subjects,
    request: { clientId, disabled },
    fields: [{ field: `${clientId} disabled`, before: 'true', after: 'false' }],
    reason: '',
  })
  return new Answered(await renderWithWebhooks(tx, before), {
    message: 'The credential is enabled after a second person has approved it.',
  })
}
