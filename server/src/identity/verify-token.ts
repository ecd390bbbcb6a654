/**
 * Verifies that a text is an access token of this service: an ES256 signature by one of its keys, and each
 * claim in the form that it writes (RFC 9068, RFC 8725). Returns the claims, or the reason of the refusal.
 * Does not check that the client may still call.
 */
import { codeLists, limits, type Scope } from '@clearing/protocol'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { SigningKey } from './keys/signing-key.ts'

export interface TokenClaims {
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
  /** The generation of the credential when the token was given. */
  readonly generation: number
  readonly expiresMs: number
  readonly kid: string
  /** The key that the sender of the token must hold (RFC 7800); undefined for a token that any sender may use. */
  readonly confirmation: Confirmation | undefined
}

/**
 * The thumbprint of a key that signs DPoP proofs (RFC 9449, 6), or of the TLS certificate of a client (RFC 8705, 3.1).
 */
export type Confirmation =
  | { readonly jkt: string; readonly 'x5t#S256'?: undefined }
  | { readonly jkt?: undefined; readonly 'x5t#S256': string }

export type Verdict =
  | { readonly kind: 'good'; readonly claims: TokenClaims }
  /** A token of this service that has expired. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'bad' }
  /** Names an unknown signing key, which another instance may just have made. */
  | { readonly kind: 'unknown key' }

export interface Expected {
  readonly issuer: string
  readonly audience: string
  readonly keys: ReadonlyMap<string, SigningKey>
  readonly now: Date
}

/** Longer than any token of this service. */
const tokenLengthMax = 4_096
/** jose accepts spaces and padding in base64, which would give one token many texts. */
const strictToken = /^([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]$/
const requiredClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'client_id']
const knownScopes: ReadonlySet<string> = new Set(codeLists.scope.map(({ value }) => value))

class UnknownKey extends Error {}

/** Verifies a token at a given time with these keys. */
export async function verifyToken(token: string, expected: Expected): Promise<Verdict> {
  if (token.length > tokenLengthMax) return { kind: 'bad' }
  const header = strictToken.exec(token)?.[1]
  const kid = header === undefined ? undefined : readKid(header)
  if (kid === undefined) return { kind: 'bad' }
  try {
    const { payload } = await jwtVerify(
      token,
      () => {
        const key = expected.keys.get(kid)
        if (key === undefined) throw new UnknownKey()
        return key.publicKey
      },
      {
        algorithms: ['ES256'],
        typ: 'at+jwt',
        issuer: expected.issuer,
        audience: expected.audience,
        clockTolerance: limits.clockSkewSecondsMax,
        currentDate: expected.now,
        requiredClaims,
      },
    )
    const claims = readClaims(payload, kid, expected)
    return claims === undefined ? { kind: 'bad' } : { kind: 'good', claims }
  } catch (error) {
    if (error instanceof UnknownKey) return { kind: 'unknown key' }
    if (error instanceof errors.JWTExpired) return { kind: 'expired' }
    if (error instanceof errors.JOSEError) return { kind: 'bad' }
    throw error
  }
}

/**
 * Reads the key id of a header that has exactly the members of this service's headers. Headers with jku, x5u,
 * jwk, x5c, crit or b64 are refused.
 */
function readKid(encoded: string): string | undefined {
  let header: unknown
  try {
    header = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof header !== 'object' || header === null) return undefined
  const { alg, typ, kid, ...more } = header as Record<string, unknown>
  if (alg !== 'ES256' || typ !== 'at+jwt' || Object.keys(more).length > 0) return undefined
  return typeof kid === 'string' ? kid : undefined
}

/** Checks the types and forms of the claims, which jose does not check. */
function readClaims(payload: JWTPayload, kid: string, expected: Expected): TokenClaims | undefined {
  const { iss, sub, aud, exp, iat, nbf, jti, client_id: clientId, scope, generation } = payload
  if (iss !== expected.issuer || aud !== expected.audience) return undefined
  if (typeof clientId !== 'string' || clientId === '' || sub !== clientId) return undefined
  if (typeof jti !== 'string' || jti === '') return undefined
  if (!Number.isSafeInteger(exp) || !Number.isSafeInteger(iat)) return undefined
  const [expires, issued] = [exp as number, iat as number]
  if (expires <= issued || expires - issued > limits.tokenLifetimeSeconds) return undefined
  if (issued * 1000 > expected.now.getTime() + limits.clockSkewSecondsMax * 1000) return undefined
  if (nbf !== undefined && !Number.isSafeInteger(nbf)) return undefined
  if (!Number.isSafeInteger(generation)) return undefined
  if (scope !== undefined && typeof scope !== 'string') return undefined
  if (payload.cnf !== undefined && !isConfirmation(payload.cnf)) return undefined
  const scopes = new Set((scope ?? '').split(' ').filter((each): each is Scope => knownScopes.has(each)))
  return {
    clientId,
    scopes,
    generation: generation as number,
    expiresMs: (expires + limits.clockSkewSecondsMax) * 1000,
    kid,
    confirmation: payload.cnf,
  }
}

const sha256Form = /^[A-Za-z0-9_-]{43}$/

function isConfirmation(claim: unknown): claim is Confirmation {
  if (typeof claim !== 'object' || claim === null || Object.keys(claim).length !== 1) return false
  const { jkt, 'x5t#S256': x5t } = claim as Record<string, unknown>
  const thumbprint = jkt ?? x5t
  return typeof thumbprint === 'string' && sha256Form.test(thumbprint)
}
