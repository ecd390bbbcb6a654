/**
 * Who sends a request, by its access token. Every request passes here: a token seen before costs one hash and two look-ups,
 * and what it was allowed is asked again each time the snapshot of firms and credentials changes.
 */
import { hash } from 'node:crypto'
import type { Firm } from '../store/firm.ts'
import type { Caller } from './caller.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectorySnapshot } from './directory/directory-snapshot.ts'
import { RecentMap } from './recent-map.ts'
import { type TokenClaims, verifyToken } from './verify-token.ts'

/** Whose a token is, or why it is nobody's. */
export type Authentication = Known | { readonly kind: 'invalid' } | { readonly kind: 'expired' }

interface Known {
  readonly kind: 'known'
  readonly firm: Firm
  readonly caller: Caller
}

/** Answers at once for a token seen before. Throws DatabaseUnavailable when nobody can be admitted for want of the database. */
export type Authenticate = (token: string) => Authentication | Promise<Authentication>

export interface AuthenticateSettings {
  readonly directory: Directory
  readonly issuer: string
  readonly audience: string
  /** The wall's time, but steady: it does not follow the wall backwards. */
  readonly now: () => Date
  /** How far the sandbox's clock is ahead of it: a token also dies when its hours have passed by that one. */
  readonly aheadMs: () => number
}

const tokensRememberedMax = 20_000
/** Tokens that name unknown keys make us ask for new keys no more often than this. */
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

/** Makes the function that every request passes. */
export const prepareAuthenticate = (settings: AuthenticateSettings): Authenticate => {
  const { directory, issuer, audience, now, aheadMs } = settings
  // By the token's hash, so that a dump of memory holds no usable token. Only tokens with a good signature come in.
  const remembered = new RecentMap<string, Remembered>(tokensRememberedMax)
  let askedForKeysMs = Number.NEGATIVE_INFINITY

  const hasDied = ({ expiresMs, aheadMs: aheadThen }: TokenClaims) =>
    expiresMs <= now().getTime() + Math.max(0, aheadMs() - aheadThen)

  const verify = async (token: string, digest: string): Promise<Authentication> => {
    const verifyBy = (snapshot: DirectorySnapshot) =>
      verifyToken(token, { issuer, audience, keys: snapshot.signingKeys, now: now() })
    let verdict = await verifyBy(await directory.current())
    if (verdict.kind === 'unknown key' && performance.now() - askedForKeysMs > unknownKeyPauseMs) {
      askedForKeysMs = performance.now()
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
    // A client or generation that is newer than our snapshot comes from another instance's change.
    if (credential === undefined || credential.generation < claims.generation)
      snapshot = await directory.latest()
    const known = admitBy(claims, snapshot)
    if (known === undefined) return invalid
    remembered.set(digest, { kind: 'good', claims, snapshot, known })
    return known
  }

  return (token) => {
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
}

/** What the token's client may do now; undefined when it, its firm, its generation or the signing key is gone. */
const admitBy = (claims: TokenClaims, snapshot: DirectorySnapshot): Known | undefined => {
  if (!snapshot.signingKeys.has(claims.kid)) return undefined
  const credential = snapshot.credentials.get(claims.clientId)
  if (credential === undefined || credential.disabledAt !== null) return undefined
  if (credential.generation !== claims.generation) return undefined
  const owner = snapshot.firms.get(credential.firmId)
  if (owner === undefined || owner.disabled) return undefined
  const scopes = new Set(credential.scopes.filter((scope) => claims.scopes.has(scope)))
  return { kind: 'known', firm: owner.firm, caller: { clientId: credential.clientId, scopes } }
}
