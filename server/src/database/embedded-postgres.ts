// Starts a real PostgreSQL in a data folder, on a unix socket that only this user can reach, and keeps it
// running. One service at a time uses a data folder. A service takes over the server of a killed service.
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeFolder } from '../make-folder.ts'
import {
  type Cluster,
  createCluster,
  openCluster,
  removeSocketDir,
  type Spawned,
  StartFailed,
  spawnServer,
} from './embedded-cluster.ts'
import { findServer, type RunningServer, type Shutdown, stopServer } from './embedded-process.ts'

export interface EmbeddedSettings {
  /** The data folder of the service; the files of the server are below it, in `postgres`. */
  dataDir: string
  /** Additional settings of the server, as in postgresql.conf. */
  serverSettings?: Readonly<Record<string, string>>
  /** Called with a sentence for each event after the start: the server was lost, the server is back. */
  onEvent?: (event: string) => void
}

export interface EmbeddedPostgres extends AsyncDisposable {
  readonly urls: {
    readonly owner: string
    readonly app: string
    readonly operations: string
    readonly superuser: string
  }
  /** True when the server of an earlier service was still running and was taken over. */
  readonly adopted: boolean
  /** The server's process id, for tests that kill it. */
  readonly pid: number
  /** Resolves when the server has ended. During the start, first waits until the start has ended. */
  stop(shutdown?: Shutdown): Promise<void>
}

export interface StartableServer extends EmbeddedPostgres {
  /** Starts the server, or takes over a running one. Resolves when it accepts connections. */
  start(): Promise<void>
}

/** Another running service uses the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

export const embeddedLimits = {
  /** Enough time for recovery after a crash under load. */
  startTimeoutMs: 120_000,
  /** How long an ending service may still hold the folder. */
  handoverTimeoutMs: 2_000,
  /** How long the start waits for the processes of a killed server. */
  orphansTimeoutMs: 15_000,
  connectTimeoutMs: 2_000,
  pollMs: 5,
  reviveMs: 250,
} as const

const database = 'clearing'
/** An arbitrary number. The service that uses the data folder holds this lock for the lifetime of its process. */
const serviceLock = 20_260_527

/**
 * A sixteenth of the machine's memory. On a laptop it holds all books, and the pages of a load between two
 * checkpoints.
 */
const sharedBuffersMb = Math.round(Math.min(1_024, Math.max(128, totalmem() / 2 ** 20 / 16)))

const ownSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  // Each isolated sandbox holds about ten.
  max_connections: '400',
  shared_buffers: `${sharedBuffersMb}MB`,
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  // The log reports the events of the server. Refused statements, with the values that they quote, are left out: the
  // service reports them itself.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Prepares the server of a data folder without starting it. `stop` may be called at any time. */
export async function openEmbeddedPostgres(settings: EmbeddedSettings): Promise<StartableServer> {
  await makeFolder(settings.dataDir).catch((fault: Error) => {
    throw new Error(`DATA_DIR must be a folder in which the service can write: ${fault.message}`)
  })
  const cluster = await openCluster(await realpath(settings.dataDir))
  return new Server(cluster, { ...ownSettings, ...settings.serverSettings }, settings.onEvent ?? (() => {}))
}

/** Starts the server, or takes over a running one. Resolves when it accepts connections. */
export async function startEmbeddedPostgres(settings: EmbeddedSettings): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres(settings)
  await server.start()
  return server
}

class Server implements StartableServer {
  readonly #cluster: Cluster
  readonly #settings: Readonly<Record<string, string>>
  readonly #onEvent: (event: string) => void
  #running: RunningServer | undefined
  #session: pg.Client | undefined
  #spawned = false
  #starting: Promise<void> | undefined
  #stopping = false
  #reviving: Promise<void> | undefined
  /** The last reason for which no connection could be made. */
  #obstacle: unknown
  adopted = false

  constructor(
    cluster: Cluster,
    settings: Readonly<Record<string, string>>,
    onEvent: (event: string) => void,
  ) {
    this.#cluster = cluster
    const edition = createHash('sha256')
      .update(JSON.stringify([cluster.version, settings]))
      .digest('hex')
      .slice(0, 12)
    this.#settings = { ...settings, cluster_name: `clearing-${edition}` }
    this.#onEvent = onEvent
  }

  get pid(): number {
    return this.#server.pid
  }

  get urls(): EmbeddedPostgres['urls'] {
    return {
      owner: this.#url('clearing_owner', database),
      app: this.#url('clearing_app', database),
      operations: this.#url('clearing_operations', database),
      superuser: this.#url('postgres', 'postgres'),
    }
  }

  get #server(): RunningServer {
    if (this.#running === undefined) throw new Error('the embedded PostgreSQL is not running')
    return this.#running
  }

  #url(user: string, name: string): string {
    const { socketDir, port } = this.#server
    return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(socketDir)}&port=${port}`
  }

  start(): Promise<void> {
    this.#starting = this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    if (!this.#cluster.exists) await createCluster(this.#cluster)
    try {
      await this.#take()
    } catch (error) {
      if (error instanceof StartFailed && this.#running !== undefined)
        await removeSocketDir(this.#running.socketDir)
      throw error
    }
    await this.#furnish()
    this.#letProcessEnd()
    this.adopted = !this.#spawned
  }

  async stop(shutdown: Shutdown = 'fast'): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    await this.#starting?.catch(() => {})
    await this.#reviving
    const session = this.#session as (pg.Client & { ref(): void }) | undefined
    session?.ref()
    await session?.end().catch(() => {})
    // Without the session's lock, the server belongs to another service.
    if (this.#running === undefined || session === undefined) return
    await stopServer(this.#cluster.pgData, this.#running.pid, shutdown)
    await removeSocketDir(this.#running.socketDir)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** Loops until a server with our settings runs and this process holds the service lock. */
  async #take(): Promise<void> {
    const deadline = Date.now() + embeddedLimits.startTimeoutMs
    let handoverDeadline: number | undefined
    while (Date.now() < deadline) {
      const running = await this.#awaitReady(deadline)
      const session = await this.#openSession(running)
      if (session === undefined) continue
      const answer = await session.query<{ locked: boolean; edition: string }>(
        "select pg_try_advisory_lock($1) as locked, current_setting('cluster_name') as edition",
        [serviceLock],
      )
      const { locked, edition } = answer.rows[0] ?? { locked: false, edition: '' }
      if (locked && edition === this.#settings.cluster_name) {
        this.#adopt(session)
        return
      }
      await session.end().catch(() => {})
      if (locked) {
        await stopServer(this.#cluster.pgData, running.pid)
        continue
      }
      handoverDeadline ??= Date.now() + embeddedLimits.handoverTimeoutMs
      if (Date.now() > handoverDeadline || this.#stopping) {
        throw new DataFolderInUse(
          `${this.#cluster.dataDir} is in use by another running service: stop it, or choose another DATA_DIR`,
        )
      }
      await pause(embeddedLimits.pollMs * 10)
    }
    throw new Error(
      `the embedded PostgreSQL in ${this.#cluster.dataDir} (process ${this.#running?.pid}) does not answer`,
      { cause: this.#obstacle },
    )
  }

  /**
   * Returns the running server when it accepts connections, and starts it when needed. During a stop, starts no server
   * and does not wait.
   */
  async #awaitReady(deadline: number): Promise<RunningServer> {
    const orphansDeadline = Date.now() + embeddedLimits.orphansTimeoutMs
    let spawned: Spawned | undefined
    while (Date.now() < deadline) {
      const running = await findServer(this.#cluster.pgData)
      if (running?.ready) {
        // Another service may have been faster.
        if (spawned !== undefined && spawned.socketDir !== running.socketDir)
          await removeSocketDir(spawned.socketDir)
        this.#running = running
        return running
      }
      if (this.#stopping) {
        await spawned?.end()
        break
      }
      const failure = running === undefined ? spawned?.failure() : undefined
      if (failure !== undefined && spawned !== undefined) {
        // During a restart after a loss, the server keeps its address.
        if (spawned.socketDir !== this.#running?.socketDir) await removeSocketDir(spawned.socketDir)
        if (!failure.passing || Date.now() > orphansDeadline) throw failure
        spawned = undefined
      }
      if (running === undefined && spawned === undefined) {
        spawned = await spawnServer(this.#cluster, this.#settings, this.#running?.socketDir)
        this.#spawned = true
      }
      await pause(embeddedLimits.pollMs)
    }
    throw new Error(`the embedded PostgreSQL in ${this.#cluster.dataDir} does not become ready`)
  }

  /** Opens our own connection; undefined while none can be made. A server that can no longer be reached is stopped. */
  async #openSession(running: RunningServer): Promise<pg.Client | undefined> {
    const session = new pg.Client({
      connectionString: this.#url('postgres', 'postgres'),
      application_name: 'clearing service',
      connectionTimeoutMillis: embeddedLimits.connectTimeoutMs,
    })
    session.on('error', () => {})
    try {
      await session.connect()
      return session
    } catch (error) {
      this.#obstacle = error
      const { code } = error as { code?: string }
      // The socket no longer exists, for example because temporary files were deleted. A server that is only
      // slow may be serving another service.
      if (code === 'ENOENT' || code === 'ECONNREFUSED') await stopServer(this.#cluster.pgData, running.pid)
      else await pause(embeddedLimits.pollMs * 10)
      return undefined
    }
  }

  #adopt(session: pg.Client): void {
    this.#session = session
    session.once('end', () => {
      if (this.#stopping || this.#session !== session) return
      this.#onEvent('the embedded PostgreSQL was lost; starting it again')
      this.#reviving = this.#revive()
    })
  }

  /** Our session alone must not keep the process running. */
  #letProcessEnd(): void {
    ;(this.#session as unknown as { unref(): void }).unref()
  }

  /** After the loss of the server: retries until it runs again, because a full disk may become free. */
  async #revive(): Promise<void> {
    let reported = ''
    while (!this.#stopping) {
      try {
        await this.#take()
        this.#letProcessEnd()
        this.#onEvent('the embedded PostgreSQL is back')
        return
      } catch (error) {
        const { message } = error as Error
        if (message !== reported && !this.#stopping)
          this.#onEvent(`the embedded PostgreSQL does not start: ${message}`)
        reported = message
        await pause(embeddedLimits.reviveMs)
      }
    }
  }

  /** Creates the owner, the two roles of the service and the database, where they are missing. */
  async #furnish(): Promise<void> {
    const session = this.#session
    if (session === undefined) return
    const found = await session.query('select from pg_catalog.pg_database where datname = $1', [database])
    if (found.rowCount === 1) {
      // The data folder comes from a release without isolated sandboxes.
      await session.query('alter role clearing_owner createdb')
      return
    }
    await session.query(`
      do $$ begin
        if not exists (select from pg_catalog.pg_roles where rolname = 'clearing_owner') then
          create role clearing_owner login createrole createdb;
          set local role clearing_owner;
          create role clearing_app login;
          create role clearing_operations login;
        end if;
      end $$`)
    await session.query(`create database ${database} owner clearing_owner`)
    await session.query('revoke connect on database postgres from public')
  }
}
