// Connections to PostgreSQL under one role, with a limit on every wait. A pool prepares and checks each new connection
// (see session.ts). It survives the loss of any connection.
import pg from 'pg'
import { within } from '../within.ts'
import { ConnectionQueue } from './connection-queue.ts'
import { DatabaseUnavailable } from './faults.ts'
import { prepareSession, renderSettings } from './session.ts'

export type Client = pg.PoolClient

/** `app` serves firms, `operations` serves all firms at once, `owner` migrates and keeps the job queue. */
export type PoolName = 'app' | 'operations' | 'owner'

/** The role of a pool's sessions. The owner is the user in the address. */
export const roles = { app: 'clearing_app', operations: 'clearing_operations' } as const

export interface PoolLimits {
  connectionsMax: number
  /**
   * The number of idle connections that stay open, so that the first burst after a pause need not connect.
   */
  connectionsMin: number
  /** Callers that may wait for a connection; further callers are refused at once. */
  waitersMax: number
  /** How long a caller waits for a connection, free or new. */
  acquireTimeoutMs: number
  /**
   * The time limit of a new connection. When its caller no longer waits, the connection serves another
   * caller.
   */
  connectTimeoutMs: number
  statementTimeoutMs: number
  lockTimeoutMs: number
  idleInTransactionTimeoutMs: number
  /** How long to wait for a silent server before the connection is closed; longer than a statement may take. */
  answerTimeoutMs: number
  idleTimeoutMs: number
}

export const poolLimits: PoolLimits = {
  connectionsMax: 10,
  connectionsMin: 2,
  waitersMax: 1_000,
  acquireTimeoutMs: 3_000,
  connectTimeoutMs: 15_000,
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
  /** The setting that holds the address: `DATABASE_URL`. Faults of connecting name it. */
  setting?: string | undefined
  limits?: Partial<PoolLimits>
  /**
   * True when the address leads to a pooler in transaction mode. Each transaction may then run in another
   * session of the server. Therefore it sets its role and settings with its first statement, and statements
   * are not prepared by name.
   */
  shared?: boolean
  /** True when the address leads to standbys: sessions of a primary are refused. */
  standby?: boolean
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
  /** The setting that holds the address. */
  readonly setting: string | undefined
  readonly limits: PoolLimits
  /** The beginning of every transaction in shared sessions: calls that set the role and the settings. */
  readonly settingsOfTransaction: string | undefined
  readonly standby: boolean
  /**
   * Takes a connection. The holder returns it by `client.release()`, or by `client.release(true)` when its state is in
   * doubt. Throws DatabaseUnavailable after `waitMs`, or `acquireTimeoutMs` when absent. Firms take turns; see
   * ConnectionQueue.
   */
  acquire(firm?: string | null, waitMs?: number): Promise<Client>
  /**
   * Marks all current connections as leading to a server that is no longer the primary. Each is closed when
   * its holder returns it.
   */
  distrust(): void
  /** Names the connections that are made from now on, for other sessions of the server. */
  nameSessions(name: string): void
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
  const standby = settings.standby === true
  const made = new Set<pg.Client>()
  class Connection extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      made.add(this)
      this.once('end', () => made.delete(this))
    }
  }
  const connections = new pg.Pool({
    connectionString: parseAddress(settings.url).href,
    application_name: `clearing ${settings.name}`,
    max: limits.connectionsMax,
    min: Math.min(limits.connectionsMin, limits.connectionsMax),
    // The library has one limit for the wait of a caller and for a new connection. Callers wait in our queue.
    connectionTimeoutMillis: Math.max(limits.connectTimeoutMs, limits.acquireTimeoutMs),
    idleTimeoutMillis: limits.idleTimeoutMs,
    keepAlive: true,
    Client: Connection,
    onConnect: (client) => prepareSession(client, { role, limits, local: settings.shared === true, standby }),
  })
  const prepared = new Set<pg.ClientBase>()
  const distrusted = new WeakSet<pg.ClientBase>()
  connections.on('error', (error: Error) => settings.onLost?.(new DatabaseUnavailable('lost', error.message)))
  connections.on('connect', (client: Client) => {
    prepared.add(client)
    client.once('end', () => prepared.delete(client))
    // While a connection is in use, the pool does not watch it; the holder gets the loss as an error of its statement.
    client.on('error', () => {})
  })
  const queue = new ConnectionQueue({
    connections,
    limits,
    setting: settings.setting,
    mayServe: (client) => !distrusted.has(client),
    isConnecting: () => made.size > prepared.size,
  })
  return {
    name: settings.name,
    setting: settings.setting,
    limits,
    settingsOfTransaction: settings.shared ? renderSettings(role, limits, true) : undefined,
    standby,
    onRoundTrip: settings.onRoundTrip,
    acquire: (firm, waitMs) => queue.take(firm ?? '', waitMs),
    distrust: () => {
      for (const client of prepared) distrusted.add(client)
    },
    nameSessions: (name) => {
      connections.options.application_name = name
    },
    figures: () => ({
      open: connections.totalCount,
      idle: connections.idleCount,
      waiting: queue.waiting,
    }),
    pg: connections,
    async end(timeoutMs = endTimeoutMs) {
      if (connections.ending) return
      // No caller waits for these connections any more.
      if (queue.waiting === 0) close(made.difference(prepared))
      await end(connections, () => close(made), timeoutMs)
    },
  }
}

/** The address is left out of the error, because it may contain a password. */
function parseAddress(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new Error('a database address must look like postgresql://user:password@host:5432/database')
  }
}

function close(clients: Iterable<pg.Client>): void {
  for (const client of clients) client.connection.stream.destroy()
}

async function end(connections: pg.Pool, closeAll: () => void, timeoutMs: number): Promise<void> {
  // Connections that are never returned are not waited for.
  const hasEnded = await within(
    connections.end().then(() => true),
    timeoutMs,
  )
  if (hasEnded === undefined) closeAll()
}
