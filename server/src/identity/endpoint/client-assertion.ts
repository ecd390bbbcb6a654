/**
 * Requests that a client signed with its own key (private_key_jwt) instead of sending a secret: meant for us alone,
 * short-lived, and good once on all instances together.
 */
import { limits } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { statement } from '../../database/statement.ts'
import { inTransaction, readInFirm } from '../../database/transaction.ts'

/** The longest life of an assertion that is accepted, counted from now. */
export const assertionLifetimeSecondsMax = 300

export interface AssertionStore {
  /** Throws when the claims are not as strict as we want them; the provider has looked at the rest. */
  check(claims: Record<string, unknown>, now: Date): void
  find(id: string): Promise<object | undefined>
  /** Throws AssertionUsed when somebody was faster. */
  use(id: string, lastsSeconds: number): Promise<void>
}

/** Refused as a client that could not authenticate; not a fault. */
export class AssertionRefused extends Error {}

const selectUsed = statement(
  'select-client-assertion',
  'select 1 from clearing.client_assertion where assertion_hash = $1',
)
const insertUsed = statement(
  'insert-client-assertion',
  'insert into clearing.client_assertion (assertion_hash, expires_at) values ($1, $2) on conflict do nothing',
)
const deleteExpired = statement(
  'delete-expired-assertions',
  'delete from clearing.client_assertion where expires_at < $1',
)

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
    find: async (id) => ((await readInFirm(operations, null, selectUsed, [id])).length > 0 ? {} : undefined),
    async use(id, lastsSeconds) {
      const expires = new Date(now().getTime() + (lastsSeconds + limits.clockSkewSecondsMax) * 1000)
      const used = await inTransaction(operations, { firm: null }, async (tx) => {
        tx.later(deleteExpired, [now()])
        return tx.run(insertUsed, [id, expires])
      })
      if (used === 0) throw new AssertionRefused('an assertion can be used once')
    },
  }
}
