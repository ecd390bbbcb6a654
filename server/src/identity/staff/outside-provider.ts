/**
 * An OpenID provider of the clearing firm, which replaces passwords of this service: discovery, authorization
 * code with PKCE, and an id token. The claims of the token identify the person, and a configured mapping
 * determines the role.
 */
import type { StaffRole } from '@clearing/protocol'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { OutsideProviderSettings } from '../../config/outside-provider-settings.ts'

export interface OutsidePerson {
  readonly email: string
  readonly name: string
  readonly role: StaffRole
}

export interface OutsideProvider {
  authorizeUrl(request: {
    state: string
    nonce: string
    challenge: string
    redirectUri: string
  }): Promise<string>
  /** Returns the person for a code; undefined when the provider's response is invalid, or maps to no role. */
  exchange(answer: {
    code: string
    verifier: string
    nonce: string
    redirectUri: string
  }): Promise<OutsidePerson | undefined>
  /**
   * The address that ends the browser's session at the provider and returns to `returnTo`; undefined when the provider
   * has none.
   */
  signOutUrl(returnTo: string): Promise<string | undefined>
}

interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly end_session_endpoint?: string
}

const timeoutMs = 10_000
const algorithms = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA']
/** When several roles match, the one with most rights is used. */
const byWeight = ['admin', 'principal', 'operator', 'viewer'] as const

export function openOutsideProvider(settings: OutsideProviderSettings): OutsideProvider {
  let known: Promise<{ metadata: Metadata; keys: ReturnType<typeof createRemoteJWKSet> }> | undefined

  const discover = async () => {
    const address = `${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    if (!answer.ok) throw new Error(`the OpenID provider's metadata answered ${answer.status}`)
    const metadata = (await answer.json()) as Metadata
    if (metadata.issuer !== settings.issuer) throw new Error('the OpenID provider names another issuer')
    return { metadata, keys: createRemoteJWKSet(new URL(metadata.jwks_uri)) }
  }
  const current = () => {
    known ??= discover().catch((fault: unknown) => {
      known = undefined
      throw fault
    })
    return known
  }

  return {
    async authorizeUrl({ state, nonce, challenge, redirectUri }) {
      const { metadata } = await current()
      const url = new URL(metadata.authorization_endpoint)
      for (const [name, value] of Object.entries({
        client_id: settings.clientId,
        response_type: 'code',
        scope: 'openid email profile',
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }))
        url.searchParams.set(name, value)
      return url.href
    },

    async signOutUrl(returnTo) {
      // The sign-out here succeeds even when the provider does not respond.
      const address = await current().then(
        ({ metadata }) => metadata.end_session_endpoint,
        () => undefined,
      )
      if (address === undefined || !/^https?:/.test(address)) return undefined
      const url = new URL(address)
      url.searchParams.set('client_id', settings.clientId)
      url.searchParams.set('post_logout_redirect_uri', returnTo)
      return url.href
    },

    async exchange({ code, verifier, nonce, redirectUri }) {
      const { metadata, keys } = await current()
      const answer = await fetch(metadata.token_endpoint, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${encodeURIComponent(settings.clientId)}:${encodeURIComponent(settings.clientSecret)}`).toString('base64')}`,
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
        }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      })
      if (!answer.ok) return undefined
      const idToken = readIdToken(await answer.text())
      if (idToken === undefined) return undefined
      const verified = await jwtVerify(idToken, keys, {
        issuer: settings.issuer,
        audience: settings.clientId,
        algorithms,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        clockTolerance: 60,
      }).catch((fault: unknown) => {
        // An invalid token admits no person; unreadable keys of the provider are a fault.
        if (fault instanceof errors.JOSEError && invalidToken.has(fault.code)) return undefined
        throw fault
      })
      const payload = verified?.payload
      return payload?.nonce === nonce ? personOf(payload, settings) : undefined
    },
  }
}

const invalidToken: ReadonlySet<string> = new Set([
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTExpired.code,
  errors.JWTInvalid.code,
])

/** The token of a response; undefined for a response of another form. */
function readIdToken(response: string): string | undefined {
  try {
    const { id_token: idToken } = JSON.parse(response) as { id_token?: unknown }
    return typeof idToken === 'string' ? idToken : undefined
  } catch {
    return undefined
  }
}

function personOf(claims: JWTPayload, settings: OutsideProviderSettings): OutsidePerson | undefined {
  const { email, email_verified: verified, name } = claims
  // An unverified address may belong to another person.
  if (typeof email !== 'string' || verified === false) return undefined
  const role = roleOf(claims, settings)
  if (role === undefined) return undefined
  return {
    email: email.toLowerCase(),
    name: (typeof name === 'string' && name !== '' ? name : email).slice(0, 60),
    role,
  }
}

function roleOf(
  claims: JWTPayload,
  { roleClaim, roleValues }: OutsideProviderSettings,
): StaffRole | undefined {
  let found: unknown = claims
  for (const part of roleClaim.split('.'))
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[part] : undefined
  const given = new Set(Array.isArray(found) ? found : [found])
  return byWeight.find((role) => roleValues[role]?.some((value) => given.has(value)))
}
