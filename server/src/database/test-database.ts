// Databases for tests: each is a copy of a template that was made once. The server belongs to the test run (its address
// is in CLEARING_TEST_SERVER), or to this process, and ends with it without leaving files.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { fingerprintOf, type Migration, migrate, readMigrations } from './migrate.ts'
import { openPool, type Pool, type PoolLimits, type PoolName } from './pool.ts'
import { makeTestFolder } from './test-folder.ts'

/** The environment variable with the superuser's address of a server that a test run shares. */
export const testServerVariable = 'CLEARING_TEST_SERVER'

export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly urls: Readonly<Record<PoolName | 'superuser', string>>
  /** The folder that was filled with the template. All copies share it. */
  readonly templateFolder: string
  /** Pools are opened at first use and closed with the database. */
  readonly app: Pool
  readonly operations: Pool
  readonly owner: Pool
  /** Opens another pool under a role, for a test that needs other limits. */
  open(name: PoolName, limits?: Partial<PoolLimits>): Pool
  /** Opens a session with the rights of a superuser, which ends with the database. */
  superuser(): Promise<pg.Client>
}

const testPoolLimits: Partial<PoolLimits> = { connectionsMax: 5 }

export interface TestDatabaseSettings {
  /** The migrations, if not those of the project, for tests of migrations; `[]` gives an empty database. */
  readonly migrations?: readonly Migration[]
  /** The contents of the database. Without contents it has no rows. */
  readonly contents?: Contents
}

/** Contents that are made once for each server. Databases with contents of this name are copies. */
export interface Contents {
  readonly name: string
  /** Fills the template. It may also make `templateFolder`. */
  fill(database: TestDatabase): Promise<void>
}

/** Makes a database with the schema. */
export async function createTestDatabase(settings: TestDatabaseSettings = {}): Promise<TestDatabase> {
  const server = await testServer()
  const migrations = settings.migrations ?? (await readMigrations())
  const template = await makeTemplate(server, migrations, settings.contents)
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(server, (session) => copyDatabase(session, template, name))
  return new CopiedDatabase(server, name, template)
}

async function copyDatabase(session: pg.Client, template: string, name: string): Promise<void> {
  await session.query(`create database ${name} template ${template} owner clearing_owner strategy wal_log`)
}

class CopiedDatabase implements TestDatabase {
  readonly name: string
  readonly urls: TestDatabase['urls']
  readonly templateFolder: string
  readonly #server: string
  readonly #pools: Pool[] = []
  readonly #sessions: pg.Client[] = []
  readonly #byName = new Map<PoolName, Pool>()

  constructor(server: string, name: string, template: string) {
    this.#server = server
    this.name = name
    // Removed with the server.
    this.templateFolder = join(socketDirOf(server), template)
    this.urls = {
      owner: addressOf(server, name, 'clearing_owner'),
      app: addressOf(server, name, 'clearing_app'),
      operations: addressOf(server, name, 'clearing_operations'),
      superuser: addressOf(server, name, 'postgres'),
    }
  }

  get app(): Pool {
    return this.#pool('app')
  }

  get operations(): Pool {
    return this.#pool('operations')
  }

  get owner(): Pool {
    return this.#pool('owner')
  }

  #pool(name: PoolName): Pool {
    const pool = this.#byName.get(name) ?? this.open(name)
    this.#byName.set(name, pool)
    return pool
  }

  open(name: PoolName, limits?: Partial<PoolLimits>): Pool {
    const pool = openPool({ name, url: this.urls[name], limits: { ...testPoolLimits, ...limits } })
    this.#pools.push(pool)
    return pool
  }

  async superuser(): Promise<pg.Client> {
    const session = new pg.Client({ connectionString: this.urls.superuser })
    await session.connect()
    this.#sessions.push(session)
    return session
  }

  async closeConnections(): Promise<void> {
    await Promise.all([...this.#pools, ...this.#sessions].map((each) => each.end()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeConnections()
    await asSuperuser(this.#server, async (session) => {
      await session.query(`drop database if exists ${this.name} with (force)`)
    })
  }
}

function addressOf(server: string, database: string, user: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  url.username = user
  return url.href
}

async function asSuperuser<T>(server: string, body: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: server, application_name: 'clearing tests' })
  await session.connect()
  try {
    return await body(session)
  } finally {
    await session.end()
  }
}

/** The first process that needs a template creates it, and gives it its name when it is complete. */
async function makeTemplate(
  server: string,
  migrations: readonly Migration[],
  contents?: Contents,
): Promise<string> {
  const schema = `template_${fingerprintOf(migrations)}`
  const name = contents === undefined ? schema : `${schema}_${contents.name}`
  await asSuperuser(server, async (session) => {
    if (await hasDatabase(session, name)) return
    await session.query('select pg_advisory_lock(hashtext($1))', [name])
    if (await hasDatabase(session, name)) return
    const unfinished = `unfinished_${name}`
    await session.query(`drop database if exists ${unfinished} with (force)`)
    const template = contents === undefined ? 'template1' : await makeTemplate(server, migrations)
    await copyDatabase(session, template, unfinished)
    const database = new CopiedDatabase(server, unfinished, name)
    await rm(database.templateFolder, { recursive: true, force: true })
    if (contents !== undefined) await contents.fill(database)
    else if (migrations.length > 0) await migrate(database.open('owner', {}), migrations)
    await database.closeConnections()
    await session.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

async function hasDatabase(session: pg.Client, name: string): Promise<boolean> {
  const found = await session.query('select from pg_database where datname = $1', [name])
  return found.rowCount === 1
}

let own: Promise<string> | undefined

/** Returns the address of the server for this process's tests. */
export function testServer(): Promise<string> {
  const shared = process.env[testServerVariable]
  if (shared !== undefined && shared !== '') return Promise.resolve(shared)
  own ??= startTestServer().then(({ url }) => url)
  return own
}

/**
 * Starts a server in a temporary folder. The server ends and the folder is removed at `stop`, or when this process ends
 * in any way: a small shell waits on a pipe that closes with this process. The test run passes `url` to its child
 * processes in CLEARING_TEST_SERVER.
 */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await makeTestFolder('clearing-test-')
  const server = await startEmbeddedPostgres({
    dataDir,
    serverSettings: { max_connections: '300', shared_buffers: '128MB' },
  })
  const keeper = spawn(
    '/bin/sh',
    ['-c', keeperScript, 'keeper', dataDir, socketDirOf(server.urls.superuser)],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  keeper.unref()
  ;(keeper.stdin as unknown as { unref(): void }).unref()
  const ended = new Promise<void>((done) => keeper.once('exit', () => done()))
  return {
    url: server.urls.superuser,
    async stop() {
      await server.stop('immediate')
      keeper.ref()
      keeper.stdin.end()
      await ended
    },
  }
}

function socketDirOf(url: string): string {
  return new URL(url).searchParams.get('host') ?? ''
}

/**
 * Waits for the end of its input, and then kills the server without a clean shutdown, because the folders are removed
 * too.
 */
const keeperScript = `
trap '' INT TERM HUP
cat > /dev/null
pid=$(head -n 1 "$1/postgres/postmaster.pid" 2> /dev/null)
if [ -n "$pid" ]; then
  kill -QUIT "$pid" 2> /dev/null
  tries=0
  while kill -0 "$pid" 2> /dev/null; do
    tries=$((tries + 1))
    [ "$tries" -eq 200 ] && kill -KILL "$pid" 2> /dev/null
    sleep 0.02
  done
fi
rm -rf "$1" "$2"
`
