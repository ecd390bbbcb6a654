// Starts a real PostgreSQL of our own in a data folder, on a unix socket that nobody else can reach, and keeps it
// running. One service at a time uses a data folder; a server left behind by a killed service is taken over.
import { createHash } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
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
  /** The service's data folder; the server's own files go below it, in `postgres`. */
  dataDir: string
  /** Settings of the server besides ours, as in postgresql.conf. */
  serverSettings?: Readonly<Record<string, string>>
  /** Told in a sentence what happens to the server after the start: lost, back. */
  onEvent?: (event: string) => void
}

export interface EmbeddedPostgres extends AsyncDisposable {
  readonly urls: {
    readonly owner: string
    readonly app: string
    readonly operations: string
    readonly superuser: string
  }
  /** True when the server of an earlier service was found running and taken over. */
  readonly adopted: boolean
  /** The server's process, for tests that kill it. */
  readonly pid: number
  /** Returns when the server is gone; before the start has come to its end, that is waited for. */
  stop(shutdown?: Shutdown): Promise<void>
}

export interface StartableServer extends EmbeddedPostgres {
  /** Starts it, or takes over one that runs; ready for connections when the promise resolves. */
  start(): Promise<void>
}

/** The data folder is in use by another running service. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

export const embeddedLimits = {
  /** Long enough for recovery after a crash under load. */
  startTimeoutMs: 120_000,
  /** A service that is just ending may hold the folder this long. */
  handoverTimeoutMs: 2_000,
  /** To wait for the processes of a killed server to end. */
  orphansTimeoutMs: 15_000,
  connectTimeoutMs: 2_000,
  pollMs: 5,
  reviveMs: 250,
} as const

const database = 'clearing'
/** Any number; held by the service that uses the data folder, for as long as its process lives. */
const serviceLock = 20_260_527

/** A sixteenth of the machine's memory: the whole of a laptop's books, and a load's pages between two checkpoints. */
const sharedBuffersMb = Math.round(Math.min(1_024, Math.max(128, totalmem() / 2 ** 20 / 16)))

const ownSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMb}MB`,
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  // The log says what happens to the server. Refused statements and the values they quote stay out of it: the service reports those itself.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** The server of a data folder, not started yet: `stop` may come at any time. */
export async function openEmbeddedPostgres(settings: EmbeddedSettings): Promise<StartableServer> {
  await mkdir(settings.dataDir, { recursive: true })
  const cluster = await openCluster(await realpath(settings.dataDir))
  return new Server(cluster, { ...ownSettings, ...settings.serverSettings }, settings.onEvent ?? (() => {}))
}

/** Starts the server, or takes over one that runs; ready for connections when the promise resolves. */
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
  /** The last reason why no connection could be made. */
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
    // Without it, the server is another service's.
    if (this.#running === undefined || session === undefined) return
    await stopServer(this.#cluster.pgData, this.#running.pid, shutdown)
    await removeSocketDir(this.#running.socketDir)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** Runs until a server with our settings runs and the service lock is ours. */
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

  /** The running server, started if need be, when it accepts connections. When all is to stop, none is started and none is waited for. */
  async #awaitReady(deadline: number): Promise<RunningServer> {
    const orphansDeadline = Date.now() + embeddedLimits.orphansTimeoutMs
    let spawned: Spawned | undefined
    while (Date.now() < deadline) {
      const running = await findServer(this.#cluster.pgData)
      if (running?.ready) {
        // Another service may have been quicker.
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
        // While it is being revived, the server keeps its address.
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

  /** A connection of our own; undefined when there is none yet. A server that nobody can reach any more is stopped. */
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
      // Its socket is gone: cleared away with other temporary files, say. One that is merely slow may be serving another service.
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

  /** Our session alone is no reason for the process to live. */
  #letProcessEnd(): void {
    ;(this.#session as unknown as { unref(): void }).unref()
  }

  /** After the loss of the server: tries until it runs again, for a full disk may become free. */
  async #revive(): Promise<void> {
    let told = ''
    while (!this.#stopping) {
      try {
        await this.#take()
        this.#letProcessEnd()
        this.#onEvent('the embedded PostgreSQL is back')
        return
      } catch (error) {
        const { message } = error as Error
        if (message !== told && !this.#stopping)
          this.#onEvent(`the embedded PostgreSQL does not start: ${message}`)
        told = message
        await pause(embeddedLimits.reviveMs)
      }
    }
  }

  /** The owner, the two roles of the service and the database, as far as they are missing. */
  async #furnish(): Promise<void> {
    const session = this.#session
    if (session === undefined) return
    const found = await session.query('select from pg_catalog.pg_database where datname = $1', [database])
    if (found.rowCount === 1) return
    await session.query(`
      do $$ begin
        if not exists (select from pg_catalog.pg_roles where rolname = 'clearing_owner') then
          create role clearing_owner login createrole;
          set local role clearing_owner;
          create role clearing_app login;
          create role clearing_operations login;
        end if;
      end $$`)
    await session.query(`create database ${database} owner clearing_owner`)
    await session.query('revoke connect on database postgres from public')
  }
}
