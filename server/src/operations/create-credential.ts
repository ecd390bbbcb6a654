/**
 * create-credential: creates a client id and its secret. The secret is shown only in this response. If a
 * person requests the credential, it works after the approval of a second person.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { type Rejection, reject, type Scope } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { readMade } from '../changes/change-credential.ts'
import { asFirm } from '../changes/firm-context.ts'
import { makeCredential, secretAwaitsApproval } from '../changes/make-credential.ts'
import type { AccountNumbers } from '../config/account-numbers.ts'
import { hashClientSecret, makeClientSecret } from '../identity/endpoint/client-secret.ts'
import { findRepeats, firmNotFound } from '../identity/firm-request.ts'
import { defaultScopes, mayBeGranted } from '../identity/grantable-scopes.ts'
import { renderCredential } from '../identity/render-firm.ts'
import { parseUuid } from '../ids.ts'
import { readCredential } from '../store/credentials.ts'
import { readFirm } from '../store/firms.ts'
import type { Handler } from './context.ts'

const clientIdForm = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/

/** A router in front of several cells selects the cell by the prefix of the client id. */
function makeClientId(numbers: AccountNumbers | undefined): string {
  const cell = numbers === undefined ? '' : `${numbers.first}-`
  return `client-${cell}${randomBytes(10).toString('hex')}`
}

export const createCredential: Handler<'create-credential'> = async (request, context) => {
  const { tx, parts } = context
  const firmId = parseUuid(request.firmId)
  if (firmId === undefined || (await readFirm(tx, firmId)) === undefined) return firmNotFound()
  const { name } = request
  const clientId = request.clientId ?? makeClientId(parts.accountNumbers)
  const scopes = request.scopes === undefined ? defaultScopes(firmId) : (request.scopes as Scope[])
  const rejections = [...checkScopes(scopes, firmId), ...findRepeats(scopes, 'scopes')]
  if (!clientIdForm.test(clientId))
    rejections.push(
      reject(
        'ERR.1016',
        'clientId',
        'Client id must be letters, digits and . _ ~ -, the first a letter or digit.',
      ),
    )
  if (rejections.length > 0) return new Rejected(rejections)

  const secretId = randomUUID()
  const clientSecret = makeClientSecret()
  const hash = hashClientSecret(secretId, clientSecret).toString('hex')
  const made = { clientId, firmId, name, scopes, secretId, hash }
  const ofFirm = await asFirm(context, firmId)
  const subjects = subjectsToApprove(ofFirm, ['Credentials'])
  if (subjects.length === 0) {
    const refused = await makeCredential(made, context)
    if (refused.length > 0) return new Rejected(refused)
    return { ...renderCredential(await readMade(context, clientId)), clientSecret }
  }
  if ((await readCredential(tx, clientId, parts.identity.now())) !== undefined)
    return new Rejected([reject('ERR.1014', 'clientId', 'Client id is taken.')])
  askForChange(ofFirm, {
    operation: 'create-credential',
    accountNumber: '',
    subjects,
    request: made,
    fields: [
      { field: 'clientId', before: '', after: clientId },
      { field: 'name', before: '', after: name },
      { field: 'scopes', before: '', after: scopes.join(' ') },
    ],
    reason: '',
  })
  const createdOn = parts.identity.now().toISOString()
  const waiting = {
    clientId,
    firmId,
    name,
    scopes,
    addressRanges: [],
    boundTokens: false,
    disabled: true,
    createdOn,
    secrets: [],
    clientSecret,
  }
  return new Answered(waiting, { message: secretAwaitsApproval })
}

/** A client firm gets only scopes of firms; the clearing firm gets any. */
function checkScopes(scopes: readonly Scope[], firmId: string): Rejection[] {
  if (scopes.length === 0)
    return [reject('ERR.1000', 'scopes', 'A credential needs at least one scope; omit scopes for all.')]
  const found: Rejection[] = []
  for (const [at, scope] of scopes.entries()) {
    if (mayBeGranted(scope, firmId)) continue
    found.push(reject('ERR.1015', `scopes[${at}]`, 'A client firm cannot be granted this scope.'))
  }
  return found
}
