// Commits that wait for synchronous standbys, and the databases whose standbys do not confirm commits now:
// see confirmations.ts.
import { cancelRunning } from './cancel.ts'
import { DatabaseUnavailable } from './faults.ts'
import type { Client, Pool } from './pool.ts'

/** The server and the database that a pool leads to. */
const databases = new WeakMap<Pool, string>()

export function databaseOf(pool: Pool): string {
  const known = databases.get(pool)
  if (known !== undefined) return known
  const { host, pathname, searchParams } = new URL(pool.pg.options.connectionString ?? '')
  const name = [host, pathname, searchParams.get('host'), searchParams.get('port')].join(' ')
  databases.set(pool, name)
  return name
}

const unconfirmed = new Set<string>()
const waiting = new Map<string, Set<Client>>()

/** Throws DatabaseUnavailable when a commit would wait for a standby that does not answer. */
export function checkConfirmations(pool: Pool): void {
  if (unconfirmed.has(databaseOf(pool)))
    throw new DatabaseUnavailable('silent', 'no synchronous standby confirms commits')
}

/** Runs a commit. Its wait ends without a confirmation when standbys stop confirming commits. */
export async function awaitConfirmation<T>(pool: Pool, client: Client, commit: () => Promise<T>): Promise<T> {
  const database = databaseOf(pool)
  const sessions = waiting.get(database) ?? new Set()
  waiting.set(database, sessions.add(client))
  try {
    return await commit()
  } finally {
    sessions.delete(client)
  }
}

/** Records whether commits of a database are confirmed. If not, waiting commits stop waiting. */
export function setConfirmed(database: string, confirmed: boolean): void {
  if (confirmed) unconfirmed.delete(database)
  else {
    unconfirmed.add(database)
    for (const client of waiting.get(database) ?? []) cancelRunning(client)
  }
}
