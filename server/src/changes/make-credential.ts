/**
 * Creates credentials and gives them new secrets, at once or after the approval of a second person. The response shows
 * the secret once and no secret is stored; a waiting change contains its hash.
 */
import { type Rejection, reject, type Scope } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { writeAudit } from '../store/audit.ts'
import {
  expireSecrets,
  insertCredential,
  insertSecret,
  lockCredential,
  readCredential,
  revokeSecrets,
} from '../store/credentials.ts'
import { credentialGone } from './change-credential.ts'

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

/** The message with a secret that does not work yet. */
export const secretAwaitsApproval =
  'The secret works after a second person has approved it; it is not shown again.'

const hourMs = 3_600_000
const takenClientId = [reject('ERR.1014', 'clientId', 'Client id is taken.')]

export async function makeCredential(
  made: NewCredential,
  context: FirmContext,
): Promise<readonly Rejection[]> {
  const { tx, parts } = context
  const { clientId, firmId, name, scopes, secretId, hash } = made
  // Secrets and tokens expire by the wall clock, whatever the sandbox's clock shows.
  const at = parts.identity.now()
  // Claimed before it is stored: a refusal must leave nothing in the transaction. The claim of an id that this cell has
  // already changes nothing.
  const elsewhere = await parts.cells?.claimClientIds([{ clientId, firmId }])
  if (elsewhere?.length) return takenClientId
  if (!(await insertCredential(tx, { clientId, firmId, name, scopes, at }))) return takenClientId
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
  if (before === undefined) return credentialGone
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
