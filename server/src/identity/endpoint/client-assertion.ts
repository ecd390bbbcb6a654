/**
 * Requests that a client signed with its own key (private_key_jwt) instead of sending a secret: meant for us alone,
 * short-lived, and good once on all instances together.
 */
import { limits } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { isAssertionUsed, useAssertion } from '../../store/client-assertions.ts'

/** The longest life of an assertion that is accepted, counted from now. */
const assertionLifetimeSecondsMax = 300

export interface AssertionStore {
  /** Throws when the claims are not as strict as we want them; the provider has looked at the rest. */
  check(claims: Record<string, unknown>, now: Date): void
  find(id: string): Promise<object | undefined>
  /** Throws AssertionUsed when somebody was faster. */
  use(id: string, lastsSeconds: number): Promise<void>
}

/** Refused as a client that could not authenticate; not a fault. */
export class AssertionRefused extends Error {}

export const createAssertionStore = (settings: {
  operations: Pool
  issuer: string
  now: () => Date
}): AssertionStore => {
  const { operations, issuer, now } = settings
  return {
    check(claims, at) {
      if (claims.aud !== issuer) throw new AssertionRefused('the audience of an assertion must be the issuer')
      const expires = claims.exp
      const latest = at.getTime() / 1000 + assertionLifetimeSecondsMax + limits.clockSkewSecondsMax
      if (typeof expires !== 'number' || expires > latest)
        throw new AssertionRefused('an assertion must expire within five minutes')
    },
    find: async (id) => ((await isAssertionUsed(operations, id)) ? {} : undefined),
    async use(id, lastsSeconds) {
      const expires = new Date(now().getTime() + (lastsSeconds + limits.clockSkewSecondsMax) * 1000)
      if (!(await useAssertion(operations, id, expires, now())))
        throw new AssertionRefused('an assertion can be used once')
    },
  }
}
