/**
 * replace-client-keys: sets the public keys that verify a credential's signed token requests, which replace its
 * secrets. If a person requests it, it takes effect after the approval of a second person.
 */
import { createPublicKey, type webcrypto } from 'node:crypto'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { type NewKeys, readMade, replaceKeys } from '../changes/change-credential.ts'
import { asFirm } from '../changes/firm-context.ts'
import type { Tx } from '../database/transaction.ts'
import { credentialNotFound } from '../identity/firm-request.ts'
import { isForgeable } from '../identity/forgeable-key.ts'
import { renderWithWebhooks } from '../identity/render-firm.ts'
import { readCredential, type StoredCredential } from '../store/credentials.ts'
import type { Handler } from './context.ts'

type PublicKey = NonNullable<Request<'replace-client-keys'>['keys']>[number]

const rsaBitsMin = 2_048

export const replaceClientKeys: Handler<'replace-client-keys'> = async (request, context) => {
  const { tx, parts } = context
  const { clientId, keys: sent = [], endTokens = false } = request
  const keys = sent.map(withoutIgnored)
  const before = await readCredential(tx, clientId, parts.identity.now())
  if (before === undefined) return credentialNotFound()
  const rejections = keys.flatMap((key, at) => checkKey(key, at, keys))
  if (rejections.length > 0) return new Rejected(rejections)
  const made: NewKeys = { clientId, keys, endTokens }
  const ofFirm = await asFirm(context, before.firmId)
  const subjects = subjectsToApprove(ofFirm, ['Credentials'])
  if (subjects.length === 0) {
    const refused = await replaceKeys(made, context)
    return refused.length > 0 ? new Rejected(refused) : render(tx, await readMade(context, clientId))
  }
  askForChange(ofFirm, {
    operation: 'replace-client-keys',
    accountNumber: '',
    subjects,
    request: made,
    fields: [
      { field: 'clientId', before: clientId, after: clientId },
      { field: 'keys', before: keyIdsOf(before).join(' '), after: keys.map(({ kid }) => kid).join(' ') },
      ...(endTokens ? [{ field: 'tokens issued before', before: 'valid', after: 'ended' }] : []),
    ],
    reason: '',
  })
  return new Answered(await render(tx, before), {
    message: 'The keys take effect after a second person has approved them.',
  })
}

/** Members that say nothing about the signatures (RFC 7517, section 4) are not stored. */
function withoutIgnored({ key_ops, ext, x5u, x5c, x5t, ...key }: PublicKey): PublicKey {
  return key
}

function checkKey(key: PublicKey, at: number, keys: readonly PublicKey[]): Rejection[] {
  const found: Rejection[] = []
  if (keys.findIndex(({ kid }) => kid === key.kid) < at)
    found.push(reject('ERR.1014', `keys[${at}].kid`, 'Another key of the list has the same kid.'))
  if (!isUsable(key))
    found.push(
      reject(
        'ERR.1016',
        `keys[${at}]`,
        `Key must be a public key of RFC 7517: EC on P-256, OKP Ed25519, or RSA of ${rsaBitsMin} bits or more with an odd exponent above 1.`,
      ),
    )
  // No assertion could be verified by such a key, and the secrets are no longer valid.
  const { kty, alg, use } = key
  const fitting = algorithms.get(kty)
  if (alg !== undefined && fitting !== undefined && alg !== fitting)
    found.push(reject('ERR.1015', `keys[${at}].alg`, `alg of ${kty} must be ${fitting}, or absent.`))
  if (use !== undefined && use !== 'sig')
    found.push(
      reject('ERR.1015', `keys[${at}].use`, 'use must be sig, or absent: the key verifies signatures.'),
    )
  return found
}

/** The `alg` (RFC 7518, RFC 8037) of the keys that verify the accepted assertions, by their `kty`. */
const algorithms: ReadonlyMap<string, string> = new Map([
  ['EC', 'ES256'],
  ['RSA', 'PS256'],
  ['OKP', 'EdDSA'],
])

function isUsable(key: PublicKey): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: key as webcrypto.JsonWebKey,
      format: 'jwk',
    })
    if (asymmetricKeyType === 'ec') return asymmetricKeyDetails?.namedCurve === 'prime256v1'
    if (asymmetricKeyType === 'rsa')
      return (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin && !isForgeable(key)
    return asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

function keyIdsOf({ publicKeys }: StoredCredential): string[] {
  return (publicKeys?.keys ?? []).map((key) => String((key as { kid?: string }).kid ?? ''))
}

async function render(tx: Tx, credential: StoredCredential) {
  return {
    ...(await renderWithWebhooks(tx, credential)),
    keyIds: keyIdsOf(credential),
  }
}
