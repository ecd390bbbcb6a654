// Connections to PostgreSQL under one role, with a limit on every wait. A pool checks on each new connection that the
// session has the role, cannot bypass row-level security and may write. It survives the loss of any connection.
import pg from 'pg'
import { connectFault, DatabaseUnavailable } from './faults.ts'

export type Client = pg.PoolClient

/** `app` serves firms, `operations` serves all firms at once, `owner` migrates and keeps the job queue. */
export type PoolName = 'app' | 'operations' | 'owner'

/** The role of a pool's sessions. The owner is the user in the address. */
export const roles = { app: 'clearing_app', operations: 'clearing_operations' } as const

export interface PoolLimits {
  connectionsMax: number
  /** Callers that may wait for a connection; further callers are refused at once. */
  waitersMax: number
  /** How long to wait for a free connection, and for a new one. */
  acquireTimeoutMs: number
  statementTimeoutMs: number
  lockTimeoutMs: number
  idleInTransactionTimeoutMs: number
  /** How long to wait for a silent server before the connection is closed; longer than a statement may take. */
  answerTimeoutMs: number
  idleTimeoutMs: number
}

export const poolLimits: PoolLimits = {
  connectionsMax: 10,
  waitersMax: 1_000,
  acquireTimeoutMs: 3_000,
  statementTimeoutMs: 8_000,
  lockTimeoutMs: 3_000,
  idleInTransactionTimeoutMs: 10_000,
  answerTimeoutMs: 10_000,
  idleTimeoutMs: 60_000,
}

export interface PoolSettings {
  name: PoolName
  /** A `postgresql://` address. A unix socket is given as `?host=/folder&port=5432`. */
  url: string
  limits?: Partial<PoolLimits>
  /** Called for connections that are lost while idle; the pool itself continues. */
  onLost?: (fault: DatabaseUnavailable) => void
  /** Called for each round trip, for metrics and traces. */
  onRoundTrip?: (trip: FinishedRoundTrip) => void
}

export interface FinishedRoundTrip {
  /** Names of the statements that were sent together, transaction control included. */
  statements: readonly string[]
  durationMs: number
  failed: boolean
}

export interface Pool {
  readonly name: PoolName
  readonly limits: PoolLimits
  /**
   * Takes a connection. The holder returns it by `client.release()`, or by `client.release(true)` when its state is in
   * doubt. Throws DatabaseUnavailable.
   */
  acquire(): Promise<Client>
  /**
   * Marks all current connections: they lead to a server that is no longer the primary, so each is closed when its
   * holder returns it.
   */
  distrust(): void
  /** For gauges: connections open, idle, and callers waiting for one. */
  figures(): { open: number; idle: number; waiting: number }
  readonly onRoundTrip: ((trip: FinishedRoundTrip) => void) | undefined
  /** For libraries with their own SQL, such as the job queue. */
  readonly pg: pg.Pool
  /** Waits for holders for at most `timeoutMs`, and then closes their connections. */
  end(timeoutMs?: number): Promise<void>
}

const endTimeoutMs = 5_000

/** Makes a pool. The first connection is made when it is needed. */
export function openPool(settings: PoolSettings): Pool {
  const limits = { ...poolLimits, ...settings.limits }
  const role = settings.name === 'owner' ? undefined : roles[settings.name]
  const connections = new pg.Pool({
    connectionString: withSessionOptions(settings.url, role),
    application_name: `clearing ${settings.name}`,
    max: limits.connectionsMax,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    idleTimeoutMillis: limits.idleTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    keepAlive: true,
    onConnect: async (client) => {
      await checkWritable(client)
      if (role !== undefined) await checkRole(client, role)
    },
  })
  const open = new Set<Client>()
  const distrusted = new WeakSet<Client>()
  connections.on('error', (error: Error) => settings.onLost?.(new DatabaseUnavailable('lost', error.message)))
  connections.on('connect', (client: Client) => {
    open.add(client)
    client.once('end', () => open.delete(client))
    // While a connection is in use, the pool does not watch it; the holder gets the loss as an error of its statement.
    client.on('error', () => {})
  })
  return {
    name: settings.name,
    limits,
    onRoundTrip: settings.onRoundTrip,
    acquire: () => acquire(connections, limits, distrusted),
    distrust: () => {
      for (const client of open) distrusted.add(client)
    },
    figures: () => ({
      open: connections.totalCount,
      idle: connections.idleCount,
      waiting: connections.waitingCount,
    }),
    pg: connections,
    end: (timeoutMs = endTimeoutMs) => end(connections, open, timeoutMs),
  }
}

async function acquire(
  connections: pg.Pool,
  limits: PoolLimits,
  distrusted: WeakSet<Client>,
): Promise<Client> {
  if (connections.waitingCount >= limits.waitersMax) {
    throw new DatabaseUnavailable('busy', `${limits.waitersMax} callers wait for a database connection`)
  }
  try {
    for (;;) {
      const client = await connections.connect()
      if (!distrusted.has(client)) return client
      client.release(true)
    }
  } catch (error) {
    if (error instanceof WrongRole) throw error
    throw connectFault(error)
  }
}

/** The database gives a session other rights than expected: an error of configuration, which waiting does not solve. */
export class WrongRole extends Error {
  override readonly name = 'WrongRole'
}

/** Reads whether sessions may write: false on a standby, and on a primary that was demoted. */
export const selectWritable =
  "select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean as writable"

/** Throws when the server refuses writes: the address may lead to a standby, or to a demoted primary. */
export async function checkWritable(client: pg.ClientBase): Promise<void> {
  const answer = await client.query<{ writable: boolean }>(selectWritable)
  if (!answer.rows[0]?.writable)
    throw new DatabaseUnavailable('read-only', 'the server that answers is not the primary')
}

async function checkRole(client: pg.ClientBase, role: string): Promise<void> {
  const answer = await client.query<{ role: string; unbound: boolean }>(
    'select current_user as role, rolsuper or rolbypassrls as unbound from pg_catalog.pg_roles where rolname = current_user',
  )
  const session = answer.rows[0]
  if (session?.role !== role)
    throw new WrongRole(
      `connected as ${session?.role}, must be ${role}: does a pooler drop the option "role"?`,
    )
  if (session.unbound) throw new WrongRole(`role ${role} must not be superuser or have BYPASSRLS`)
}

/**
 * Returns the address with the fixed session settings, which override the server's defaults and the address's own
 * options.
 */
function withSessionOptions(url: string, role: string | undefined): string {
  const address = parseAddress(url)
  const options = [
    address.searchParams.get('options') ?? '',
    '-c TimeZone=UTC -c DateStyle=ISO,YMD -c IntervalStyle=iso_8601 -c extra_float_digits=1',
    // Compiling a plan takes longer than any of our statements.
    '-c jit=off',
    '-c search_path=clearing,pg_catalog,pg_temp',
    role === undefined ? '' : `-c role=${role}`,
  ]
  address.searchParams.set('options', options.join(' ').trim())
  return address.href
}

/** The address is left out of the error, because it may contain a password. */
function parseAddress(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new Error('a database address must look like postgresql://user:password@host:5432/database')
  }
}

async function end(connections: pg.Pool, open: ReadonlySet<Client>, timeoutMs: number): Promise<void> {
  if (connections.ending) return
  const { promise: timeUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    for (const client of open) client.connection.stream.destroy()
    // Connections that are never returned are not waited for.
    resolve()
  }, timeoutMs)
  await Promise.race([connections.end(), timeUp])
  clearTimeout(timer)
}
