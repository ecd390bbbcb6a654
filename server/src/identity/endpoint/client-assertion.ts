/**
 * Requests that a client signs with its own key (private_key_jwt) instead of sending a secret. An assertion must be
 * meant for this service, short-lived, and used once over all instances.
 */
import { limits } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { isAssertionUsed, useAssertion } from '../../store/client-assertions.ts'

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
