/**
 * Sessions of people: a random cookie, of which only the hash is stored. A session ends after 30 minutes of inactivity,
 * after 12 hours, on sign-out, and whenever the person's role, password or second factor changes or the person is
 * disabled.
 */
import { hash, randomBytes } from 'node:crypto'
import { limits } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import {
  endSession,
  endSessions,
  insertSession,
  noteSessionSeen,
  readSession,
  readSessions,
  type StaffSession,
} from '../../store/staff.ts'

const minuteMs = 60_000
/** Shortest pause between two updates of a session in use. */
const touchMs = minuteMs
const cookieForm = /^[A-Za-z0-9_-]{43}$/

/** The origin of a sign-in, as the person sees it in the list of sessions. */
export interface SignedInFrom {
  readonly address: string
  readonly browser: string
}

export interface OwnSession extends SignedInFrom {
  readonly startedOn: string
  readonly seenOn: string
  /** True for the session of this request. */
  readonly here: boolean
}

export interface Sessions {
  /** Starts a session and returns the value of its cookie. */
  start(staffId: string, from: SignedInFrom): Promise<string>
  /** Returns all live sessions of the person, the most recently used first. */
  list(staffId: string, value: string): Promise<OwnSession[]>
  /** Ends all sessions of the person except this one, and returns their number. */
  endOthers(tx: Tx, staffId: string, value: string): Promise<number>
  /** Finds the session. `seen` is false for requests that a page makes without an action of the person. */
  find(value: string, seen: boolean): Promise<StaffSession | undefined>
  end(value: string): Promise<void>
}

export function openSessions(settings: { operations: Pool; now: () => Date }): Sessions {
  const { operations, now } = settings
  const hashOf = (value: string): Buffer => hash('sha256', value, 'buffer')
  const idleSince = (): Date => new Date(now().getTime() - limits.sessionIdleMinutes * minuteMs)
  const scope = { firm: null, repeatable: true }
  return {
    async start(staffId, { address, browser }) {
      const value = randomBytes(32).toString('base64url')
      const at = now()
      const expiresAt = new Date(at.getTime() + limits.sessionHoursMax * 60 * minuteMs)
      const from = { address: address.slice(0, 45), browser: browser.slice(0, 200) }
      await inTransaction(operations, scope, (tx) =>
        insertSession(tx, { hash: hashOf(value), staffId, at, expiresAt, ...from }),
      )
      return value
    },
    async list(staffId, value) {
      const own = hashOf(value)
      const rows = await inTransaction(operations, { ...scope, readOnly: true }, (tx) =>
        readSessions(tx, staffId, now(), idleSince()),
      )
      return rows.map(({ hash: found, ...row }) => ({ ...row, here: found.equals(own) }))
    },
    endOthers: (tx, staffId, value) => endSessions(tx, staffId, hashOf(value)),
    async find(value, seen) {
      if (!cookieForm.test(value)) return undefined
      const at = now()
      const key = hashOf(value)
      const session = await inTransaction(operations, { ...scope, readOnly: true }, (tx) =>
        readSession(tx, key, at, idleSince()),
      )
      // A reading must not wait for this write. If it is lost, the session only ends earlier.
      if (session && seen && at.getTime() - new Date(session.seenAt).getTime() > touchMs)
        await inTransaction(operations, { ...scope, mayBeLost: true }, (tx) => noteSessionSeen(tx, key, at))
      return session
    },
    async end(value) {
      await inTransaction(operations, scope, (tx) => endSession(tx, hashOf(value)))
    },
  }
}
