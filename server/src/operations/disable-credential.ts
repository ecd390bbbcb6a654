/**
 * disable-credential: ends a credential and all its tokens on every instance within five seconds (Reading 2.2).
 * Disabling needs no approval. Enabling by a person needs a second person.
 */
import { reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { readMade, switchCredential } from '../changes/credentials.ts'
import { asFirm } from '../changes/firm-context.ts'
import { credentialNotFound } from '../identity/firm-request.ts'
import { renderCredential } from '../identity/render-firm.ts'
import { readCredential } from '../store/credentials.ts'
import type { Handler } from './context.ts'

export const disableCredential: Handler<'disable-credential'> = async (request, context) => {
  const { tx, caller, parts } = context
  const { clientId, disabled = true } = request
  const before = await readCredential(tx, clientId, parts.identity.now())
  if (before === undefined) return credentialNotFound()
  // At least one credential must remain that can enable the others.
  if (disabled && clientId === caller.clientId)
    return new Rejected([
      reject('ERR.1015', 'clientId', 'A credential cannot disable itself; use another credential.'),
    ])
  const ofFirm = await asFirm(context, before.firmId)
  const subjects = disabled ? [] : subjectsToApprove(ofFirm, ['Credentials'])
  if (subjects.length === 0) {
    const refused = await switchCredential({ clientId, disabled }, context)
    if (refused.length > 0) return new Rejected(refused)
    return renderCredential(await readMade(context, clientId))
  }
  askForChange(ofFirm, {
    operation: 'disable-credential',
    accountNumber: '',
    subjects,
    request: { clientId, disabled },
    fields: [{ field: `${clientId} disabled`, before: 'true', after: 'false' }],
    reason: '',
  })
  return new Answered(renderCredential(before), {
    message: 'The credential is enabled after a second person has approved it.',
  })
}
