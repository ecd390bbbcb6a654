/**
 * Authenticates a request by its access token. Every request passes here. A token that was seen before costs
 * one hash and two look-ups. Its rights are checked again each time the snapshot of firms and credentials
 * changes.
 */
import { hash } from 'node:crypto'
import type { StoredCredential } from '../store/credentials.ts'
import type { Firm } from '../store/firm.ts'
import { isAllowedFrom } from './address-ranges.ts'
import type { CheckBinding, Unproven } from './binding/check-binding.ts'
import type { Caller } from './caller.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectorySnapshot } from './directory/directory-snapshot.ts'
import { RecentMap } from './recent-map.ts'
import type { NoteRefusedAddress } from './refused-addresses.ts'
import type { Sender } from './sender.ts'
import { type Confirmation, type TokenClaims, verifyToken } from './verify-token.ts'

/** The owner of a token, or the reason why it is not accepted. */
export type Authentication = Known | NotAccepted

/** `elsewhere`: the credential may not be used from the address of the sender. */
export type NotAccepted = { readonly kind: 'invalid' | 'expired' | 'elsewhere' } | Unproven

interface Known {
  readonly kind: 'known'
  readonly firm: Firm
  readonly caller: Caller
  /** Absent for calls of the sandbox to itself. */
  readonly credential?: StoredCredential
  /** The key to which the token is bound. */
  readonly confirmation?: Confirmation | undefined
}

/**
 * Returns at once for a token that was seen before. Throws DatabaseUnavailable when no client can be admitted
 * because the database is unavailable.
 */
export type Authenticate = (token: string, sender: Sender) => Authentication | Promise<Authentication>

export interface AuthenticateSettings {
  readonly directory: Directory
  readonly issuer: string
  readonly audience: string
  /** The wall clock, which never goes back here. Moving the sandbox's clock ends no token. */
  readonly now: () => Date
  readonly noteRefusedAddress: NoteRefusedAddress
  readonly checkBinding: CheckBinding
  /** Called for a token with an unknown key, which another cell may just have made. */
  readonly findKeys?: (() => Promise<void>) | undefined
}

const tokensRememberedMax = 20_000
/** Shortest pause between two reloads that tokens with unknown keys cause. */
const unknownKeyPauseMs = 500

type Remembered =
  | { readonly kind: 'dead' }
  | {
      readonly kind: 'good'
      readonly claims: TokenClaims
      readonly snapshot: DirectorySnapshot
      readonly known: Known
    }

const invalid: Authentication = { kind: 'invalid' }
const expired: Authentication = { kind: 'expired' }
const elsewhere: Authentication = { kind: 'elsewhere' }

/** Makes the function that authenticates every request. */
export function prepareAuthenticate(settings: AuthenticateSettings): Authenticate {
  const { directory, issuer, audience, now } = settings
  // The key is the token's hash, so that a memory dump holds no usable token. Only tokens with a valid signature are
  // stored.
  const remembered = new RecentMap<string, Remembered>(tokensRememberedMax)
  let askedForKeysMs = Number.NEGATIVE_INFINITY

  const hasDied = ({ expiresMs }: TokenClaims) => expiresMs <= now().getTime()

  const verify = async (token: string, digest: string): Promise<Authentication> => {
    const verifyBy = (snapshot: DirectorySnapshot) =>
      verifyToken(token, { issuer, audience, keys: snapshot.signingKeys, now: now() })
    let verdict = await verifyBy(await directory.current())
    if (verdict.kind === 'unknown key' && performance.now() - askedForKeysMs > unknownKeyPauseMs) {
      askedForKeysMs = performance.now()
      await settings.findKeys?.()
      verdict = await verifyBy(await directory.latest())
    }
    switch (verdict.kind) {
      case 'good':
        if (!hasDied(verdict.claims)) return admit(verdict.claims, digest)
        remembered.set(digest, { kind: 'dead' })
        return expired
      case 'expired':
        remembered.set(digest, { kind: 'dead' })
        return expired
      case 'bad':
      case 'unknown key':
        return invalid
      default:
        throw new Error(`unknown verdict ${verdict satisfies never}`)
    }
  }

  const admit = async (claims: TokenClaims, digest: string): Promise<Authentication> => {
    let snapshot = await directory.current()
    const credential = snapshot.credentials.get(claims.clientId)
    // A newer client or generation than the snapshot has comes from a change in another instance.
    if (credential === undefined || credential.generation < claims.generation)
      snapshot = await directory.latest()
    const known = admitBy(claims, snapshot)
    if (known === undefined) return invalid
    remembered.set(digest, { kind: 'good', claims, snapshot, known })
    return known
  }

  const recognize = (token: string): Authentication | Promise<Authentication> => {
    const digest = hash('sha256', token, 'base64')
    const memory = remembered.get(digest)
    if (memory === undefined) return verify(token, digest)
    if (memory.kind === 'dead') return expired
    if (hasDied(memory.claims)) {
      remembered.set(digest, { kind: 'dead' })
      return expired
    }
    return memory.snapshot === directory.known() ? memory.known : admit(memory.claims, digest)
  }

  const judge = (
    token: string,
    found: Authentication,
    sender: Sender,
  ): Authentication | Promise<Authentication> => {
    if (found.kind !== 'known' || found.credential === undefined) return found
    if (!isAllowedFrom(found.credential, sender.address))
      return settings.noteRefusedAddress(found.credential, sender).then(() => elsewhere)
    const checked = settings.checkBinding(token, found.confirmation, sender)
    return checked === undefined ? found : checked.then((unproven) => unproven ?? found)
  }

  return (token, sender) => {
    const found = recognize(token)
    return found instanceof Promise
      ? found.then((each) => judge(token, each, sender))
      : judge(token, found, sender)
  }
}

/**
 * Returns the current rights of the token's client. Undefined when the client, its firm, its generation or
 * the signing key no longer exists. Undefined also when the firm requires keys and the client has none, or
 * when its tokens must be bound and this one is not.
 */
function admitBy(claims: TokenClaims, snapshot: DirectorySnapshot): Known | undefined {
  if (!snapshot.signingKeys.has(claims.kid)) return undefined
  const credential = snapshot.credentials.get(claims.clientId)
  if (credential === undefined || credential.disabledAt !== null) return undefined
  if (credential.generation !== claims.generation) return undefined
  const owner = snapshot.firms.get(credential.firmId)
  if (owner === undefined || owner.disabled) return undefined
  if (owner.firm.settings.keysOnly && credential.publicKeys === null) return undefined
  const { confirmation } = claims
  if (credential.boundTokens && confirmation === undefined) return undefined
  const scopes = new Set(credential.scopes.filter((scope) => claims.scopes.has(scope)))
  const caller = { clientId: credential.clientId, scopes }
  return { kind: 'known', firm: owner.firm, caller, credential, confirmation }
}
