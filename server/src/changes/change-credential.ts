/** Changes the keys and limits of a credential, and disables or enables it. */
import { type Rejection, reject } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { writeAudit } from '../store/audit.ts'
import {
  disableCredentialRow,
  lockCredential,
  readCredential,
  replacePublicKeys,
  restrictCredential,
  type StoredCredential,
} from '../store/credentials.ts'
import { endWebhooksSetBy } from '../store/webhooks.ts'

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

export const credentialGone = [reject('ERR.2013', 'clientId', 'There is no credential with this client id.')]

/** With keys, the credential's secrets are not accepted. Without keys, they are accepted again. */
export async function replaceKeys(
  { clientId, keys, endTokens = false }: NewKeys,
  context: FirmContext,
): Promise<readonly Rejection[]> {
  const { tx, parts } = context
  const changed = await replacePublicKeys(tx, clientId, keys.length === 0 ? null : { keys }, endTokens)
  if (changed === 0) return credentialGone
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
  if ((await restrictCredential(tx, clientId, { addressRanges, boundTokens })) === 0) return credentialGone
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
  if (!credential) return credentialGone
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
