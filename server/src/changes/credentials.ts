/**
 * Creates credentials, gives them new secrets and enables them, at once or after the approval of a second person. The
 * response shows the secret once and no secret is stored; a waiting change contains its hash.
 */
import { type Rejection, reject, type Scope } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { writeAudit } from '../store/audit.ts'
import {
  disableCredentialRow,
  expireSecrets,
  insertCredential,
  insertSecret,
  lockCredential,
  readCredential,
  replacePublicKeys,
  restrictCredential,
  revokeSecrets,
  type StoredCredential,
} from '../store/credentials.ts'
import { endWebhooksSetBy } from '../store/webhooks.ts'

/** The hash of a secret, in hexadecimal, because a change stores it as JSON. */
export interface HashedSecret {
  readonly secretId: string
  readonly hash: string
}

export interface NewCredential extends HashedSecret {
  readonly clientId: string
  readonly firmId: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

export interface NewSecret extends HashedSecret {
  readonly clientId: string
  readonly overlapHours: number
}

export interface NewKeys {
  readonly clientId: string
  readonly keys: readonly { readonly kid: string }[]
  /** Absent in changes of earlier builds. */
  readonly endTokens?: boolean
}

export interface CredentialLimits {
  readonly clientId: string
  /** Networks in CIDR notation. */
  readonly addressRanges?: readonly string[]
  readonly boundTokens?: boolean
}

const hourMs = 3_600_000
const takenClientId = [reject('ERR.1014', 'clientId', 'Client id is taken.')]
const gone = [reject('ERR.2013', 'clientId', 'There is no credential with this client id.')]

export async function makeCredential(
  made: NewCredential,
  context: FirmContext,
): Promise<readonly Rejection[]> {
  const { tx, parts } = context
  const { clientId, firmId, name, scopes, secretId, hash } = made
  // Secrets and tokens expire by the wall clock, whatever the sandbox's clock shows.
  const at = parts.identity.now()
  if (!(await insertCredential(tx, { clientId, firmId, name, scopes, at }))) return takenClientId
  const elsewhere = await parts.cells?.claimClientIds([{ clientId, firmId }])
  if (elsewhere?.length) return takenClientId
  await insertSecret(tx, { secretId, clientId, hash: Buffer.from(hash, 'hex'), at })
  parts.identity.expectChange()
  writeAudit(context, {
    action: 'create-credential',
    target: clientId,
    changes: { firmId, name, scopes, secretId },
  })
  return []
}

export async function makeSecret(made: NewSecret, context: FirmContext): Promise<readonly Rejection[]> {
  const { tx, parts } = context
  const { clientId, secretId, hash, overlapHours } = made
  const at = parts.identity.now()
  const before = (await lockCredential(tx, clientId)) ? await readCredential(tx, clientId, at) : undefined
  if (before === undefined) return gone
  const newest = before.secrets[0]
  if (overlapHours === 0) await revokeSecrets(tx, clientId, at)
  else if (newest !== undefined) {
    const until = new Date(at.getTime() + overlapHours * hourMs)
    await expireSecrets(tx, clientId, at, { secretId: newest.secretId, until })
  }
  await insertSecret(tx, { secretId, clientId, hash: Buffer.from(hash, 'hex'), at })
  parts.identity.expectChange()
  writeAudit(context, { action: 'rotate-credential', target: clientId, changes: { secretId, overlapHours } })
  return []
}

/** With keys, the credential's secrets are not accepted. Without keys, they are accepted again. */
export async function replaceKeys(
  { clientId, keys, endTokens = false }: NewKeys,
  context: FirmContext,
): Promise<readonly Rejection[]> {
  const { tx, parts } = context
  const changed = await replacePublicKeys(tx, clientId, keys.length === 0 ? null : { keys }, endTokens)
  if (changed === 0) return gone
  parts.identity.expectChange()
  const keyIds = keys.map(({ kid }) => kid)
  writeAudit(context, { action: 'replace-client-keys', target: clientId, changes: { keyIds, endTokens } })
  return []
}

/** The limits of the credential's use from now on. */
export async function limitCredential(
  { clientId, ...limited }: CredentialLimits,
  context: FirmContext,
): Promise<readonly Rejection[]> {
  const { tx, parts } = context
  const { addressRanges, boundTokens } = limited
  if ((await restrictCredential(tx, clientId, { addressRanges, boundTokens })) === 0) return gone
  parts.identity.expectChange()
  writeAudit(context, { action: 'update-credential', target: clientId, changes: limited })
  return []
}

/**
 * Disables or enables a credential. A disabled credential gets no tokens. With `endWebhooks`, the webhooks whose
 * address it set are disabled too.
 */
export async function switchCredential(
  { clientId, disabled, endWebhooks = false }: { clientId: string; disabled: boolean; endWebhooks?: boolean },
  context: FirmContext,
): Promise<readonly Rejection[]> {
  const { tx, now, parts } = context
  const credential = (await lockCredential(tx, clientId)) && (await readCredential(tx, clientId, now))
  if (!credential) return gone
  await disableCredentialRow(tx, clientId, disabled, now)
  if (endWebhooks)
    await endWebhooksSetBy(tx, credential, 'The credential that set its address was disabled.', now)
  parts.identity.expectChange()
  const changes = { disabled, ...(endWebhooks ? { endWebhooks } : {}) }
  writeAudit(context, { action: 'disable-credential', target: clientId, changes })
  return []
}

/** The credential with its current values. A missing credential is a fault. */
export async function readMade({ tx, parts }: FirmContext, clientId: string): Promise<StoredCredential> {
  const credential = await readCredential(tx, clientId, parts.identity.now())
  if (credential === undefined) throw new Error(`credential ${clientId} was stored but not found`)
  return credential
}
