/**
 * Requests that a client signs with its own key (private_key_jwt) instead of sending a secret. An assertion must be
 * meant for this service, short-lived, and used once over all instances.
 */
import { limits } from '@clearing/protocol'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Pool } from '../../database/pool.ts'
import { isAssertionUsed, useAssertion } from '../../store/client-assertions.ts'

/** The algorithms with which a client may sign its requests (FAPI 2.0: no RS256). */
export const assertionAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const

/** The longest remaining life of an accepted assertion. */
const assertionLifetimeSecondsMax = 300

export interface AssertionStore {
  /** Throws when the claims are not as strict as this service requires. The provider has checked the rest. */
  check(claims: Record<string, unknown>, now: Date): void
  find(id: string): Promise<object | undefined>
  /** Throws AssertionUsed when the assertion was used before. */
  use(id: string, lastsSeconds: number): Promise<void>
}

/** Refused because the client could not authenticate; not a fault. */
export class AssertionRefused extends Error {}

export function createAssertionStore(settings: {
  operations: Pool
  issuer: string
  now: () => Date
}): AssertionStore {
  const { operations, issuer, now } = settings
  return {
    check(claims, at) {
      if (claims.aud !== issuer) throw new AssertionRefused('the audience of an assertion must be the issuer')
      const expires = claims.exp
      const latest = at.getTime() / 1000 + assertionLifetimeSecondsMax + limits.clockSkewSecondsMax
      if (typeof expires !== 'number' || expires > latest)
        throw new AssertionRefused('an assertion must expire within five minutes')
      const latestStart = at.getTime() / 1000 + limits.clockSkewSecondsMax
      for (const start of [claims.iat, claims.nbf])
        if (start !== undefined && !(typeof start === 'number' && start <= latestStart))
          throw new AssertionRefused('an assertion cannot be from the future')
    },
    find: async (id) => ((await isAssertionUsed(operations, id)) ? {} : undefined),
    async use(id, lastsSeconds) {
      const expires = new Date(now().getTime() + (lastsSeconds + limits.clockSkewSecondsMax) * 1000)
      if (!(await useAssertion(operations, id, expires, now())))
        throw new AssertionRefused('an assertion can be used once')
    },
  }
}

/**
 * Why the times of a refused assertion are wrong, for a client whose clock differs. Undefined if the times are right or
 * a key of the client did not sign the assertion: other callers learn only that the authentication failed.
 */
export async function explainTimes(
  assertion: string,
  keys: { readonly keys: readonly object[] },
  at: Date,
): Promise<string | undefined> {
  const seconds = Math.floor(at.getTime() / 1000)
  try {
    // The times that the verification would refuse are judged below.
    const verifying = { algorithms: [...assertionAlgorithms], clockTolerance: Number.MAX_SAFE_INTEGER }
    const { payload: claims } = await jwtVerify(
      assertion,
      createLocalJWKSet(keys as unknown as JSONWebKeySet),
      verifying,
    )
    return describeTimes(claims, seconds)
  } catch {
    return undefined
  }
}

function describeTimes(
  { iat, nbf, exp }: { readonly iat?: number; readonly nbf?: number; readonly exp?: number },
  seconds: number,
): string | undefined {
  const skew = limits.clockSkewSecondsMax
  for (const [name, start] of Object.entries({ iat, nbf })) {
    const aheadSeconds = (start ?? seconds) - seconds
    if (aheadSeconds > skew)
      return `The ${name} of the assertion is ${aheadSeconds} seconds ahead of the service; at most ${skew} are accepted. Check the clock of the client.`
  }
  if (exp === undefined) return 'The assertion has no exp.'
  if (exp <= seconds - skew)
    return `The assertion expired ${seconds - exp} seconds ago. Check the clock of the client.`
  if (exp > seconds + assertionLifetimeSecondsMax + skew)
    return `The assertion expires in ${exp - seconds} seconds; at most ${assertionLifetimeSecondsMax} are accepted.`
  return undefined
}
