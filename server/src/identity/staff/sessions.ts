/**
 * Sessions of people: a random cookie of which only the hash is kept, ended after 30 minutes without a sign of the person, after
 * 12 hours, on sign-out, and whenever the person's role, password or second factor changes or they are disabled.
 */
import { hash, randomBytes } from 'node:crypto'
import { limits } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  endSession,
  insertSession,
  noteSessionSeen,
  readSession,
  type StaffSession,
} from '../../store/staff.ts'

const minuteMs = 60_000
/** A session in use is written again no more often than this. */
const touchMs = minuteMs
const cookieForm = /^[A-Za-z0-9_-]{43}$/

export interface Sessions {
  /** Starts a session; answers its cookie's value. */
  start(staffId: string): Promise<string>
  /** Whose session it is. `seen` is false for requests that a page makes by itself. */
  find(value: string, seen: boolean): Promise<StaffSession | undefined>
  end(value: string): Promise<void>
}

export const openSessions = (settings: { operations: Pool; now: () => Date }): Sessions => {
  const { operations, now } = settings
  const hashOf = (value: string): Buffer => hash('sha256', value, 'buffer')
  const scope = { firm: null, repeatable: true }
  return {
    async start(staffId) {
      const value = randomBytes(32).toString('base64url')
      const at = now()
      const expiresAt = new Date(at.getTime() + limits.sessionHoursMax * 60 * minuteMs)
      await inTransaction(operations, scope, (tx) =>
        insertSession(tx, { hash: hashOf(value), staffId, at, expiresAt }),
      )
      return value
    },
    async find(value, seen) {
      if (!cookieForm.test(value)) return undefined
      const at = now()
      const seenAfter = new Date(at.getTime() - limits.sessionIdleMinutes * minuteMs)
      const key = hashOf(value)
      const session = await inTransaction(operations, { ...scope, readOnly: true }, (tx) =>
        readSession(tx, key, at, seenAfter),
      )
      if (session && seen && at.getTime() - new Date(session.seenAt).getTime() > touchMs)
        await inTransaction(operations, scope, (tx) => noteSessionSeen(tx, key, at))
      return session
    },
    async end(value) {
      await inTransaction(operations, scope, (tx) => endSession(tx, hashOf(value)))
    },
  }
}
