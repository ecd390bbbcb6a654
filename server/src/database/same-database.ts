/**
 * Compares the addresses of the database before the schema is touched. A session of the owner holds an advisory lock
 * with a random number: a session that can take the same lock is in another database. It needs no right, and works
 * through poolers in transaction mode.
 */
import { randomBytes } from 'node:crypto'
import { UnsuitableDatabase } from './durability.ts'
import { type Client, openPool } from './pool.ts'

export interface ComparedAddress {
  readonly setting: string
  readonly url: string
  /** True for a pooler in transaction mode. */
  readonly shared?: boolean
}

/**
 * Throws UnsuitableDatabase if one of the addresses leads to another database than the owner's. The login of an
 * address needs no role of the service yet.
 */
export async function assertSameDatabase(
  owner: ComparedAddress,
  others: readonly ComparedAddress[],
): Promise<void> {
  const compared = others.filter(({ url }) => url !== owner.url)
  if (compared.length === 0) return
  await whileLocked(owner, async (isThere) => {
    for (const address of compared)
      if (!(await isThere(address)))
        throw new UnsuitableDatabase(`${address.setting} is not the database of ${owner.setting}`)
  })
}

/** Whether two addresses lead to one database. */
export function areOneDatabase(one: ComparedAddress, other: ComparedAddress): Promise<boolean> {
  return whileLocked(one, (isThere) => isThere(other))
}

/** `isThere` tells whether an address leads to the database of the owner, whose session holds a lock. */
function whileLocked<T>(
  owner: ComparedAddress,
  act: (isThere: (address: ComparedAddress) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const key = randomBytes(8).readBigInt64BE()
  return inSession(owner, async (held) => {
    await held.query('begin')
    await held.query('select pg_advisory_xact_lock($1)', [key])
    const done = await act((address) =>
      inSession(address, async (client) => {
        const { rows } = await client.query<{ free: boolean }>(
          'select pg_try_advisory_xact_lock($1) as free',
          [key],
        )
        return rows[0]?.free === false
      }),
    )
    await held.query('rollback')
    return done
  })
}

async function inSession<T>(
  { setting, url, shared }: ComparedAddress,
  act: (client: Client) => Promise<T>,
): Promise<T> {
  // The pool of an owner sets no role: before the first migration, the roles of the service do not exist.
  const pool = openPool({
    name: 'owner',
    url,
    setting,
    shared: shared === true,
    limits: { connectionsMax: 1, connectionsMin: 0 },
  })
  try {
    const client = await pool.acquire()
    try {
      return await act(client)
    } finally {
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}
