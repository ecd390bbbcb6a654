/**
 * The service as the benchmarks use it: a process of its own on a PostgreSQL of its own, both in a temporary folder.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { operations } from '@clearing/protocol'
import { type Client, createClient } from '@clearing/sdk'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/database/embedded-postgres.ts'

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
/** The options of Node.js of the image, the systemd unit and `npm start`, and the program. */
export const serviceWords = [
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--import',
  new URL('../server/src/strip-types.js', import.meta.url).href,
  main,
]
const startTimeoutMs = 60_000

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

export interface RunningProcess {
  readonly pid: number
  readonly readyMs: number
  /** Resident memory now, in bytes. */
  memoryBytes(): Promise<number>
  stop(): Promise<void>
}

/** Starts a Node.js program and waits until a GET of `url` returns 200. */
export async function startProcess(
  words: readonly string[],
  environment: Record<string, string>,
  url: string,
): Promise<RunningProcess> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (;;) {
    const ready = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) break
    if (child.exitCode !== null || performance.now() - startedMs > startTimeoutMs) {
      child.kill('SIGKILL')
      throw new Error(`${words[0]} was not ready`)
    }
    await pause(10)
  }
  const pid = child.pid ?? 0
  return {
    pid,
    readyMs: performance.now() - startedMs,
    async memoryBytes() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export interface House extends AsyncDisposable {
  readonly address: string
  readonly port: number
  /** The data folder of the service. */
  readonly dataDir: string
  readonly postgres: EmbeddedPostgres
  readonly service: RunningProcess
  readonly token: string
  readonly client: Client
  readonly operations: Client
}

/** The address of the service's database, with the rights of a superuser. */
export function databaseUrlOf({ postgres }: House): string {
  return postgres.urls.superuser.replace('/postgres?', '/clearing?')
}

/** A superuser's session in the service's database, for `await using`. */
export async function openSession(house: House): Promise<pg.Client & AsyncDisposable> {
  const session = new pg.Client({ connectionString: databaseUrlOf(house) })
  await session.connect()
  return Object.assign(session, { [Symbol.asyncDispose]: () => session.end() })
}

export interface HouseSettings {
  /** Further settings of the server, for example libraries that count. */
  readonly serverSettings?: Readonly<Record<string, string>>
  /** The address of the database that the service uses, for example of a proxy. */
  readonly through?: (url: string) => Promise<string>
  /** Further options of Node.js for the service. */
  readonly nodeOptions?: readonly string[]
}

/** Starts a service in which firm Alpha has no effective rate limit. */
export async function openHouse({
  serverSettings = {},
  through,
  nodeOptions = [],
}: HouseSettings = {}): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'clearing-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), serverSettings })
  const databaseUrl = through === undefined ? postgres.urls.owner : await through(postgres.urls.owner)
  const port = await freePort()
  const dataDir = join(folder, 'service')
  const address = `http://127.0.0.1:${port}`
  const service = await startProcess(
    [...nodeOptions, ...serviceWords, '--empty'],
    {
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'info',
      // The same value as in the image and the systemd unit.
      MALLOC_ARENA_MAX: '2',
    },
    `${address}/health/ready`,
  )
  const client = createClient({ baseUrl: address, clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' })
  const operations = createClient({
    baseUrl: address,
    clientId: 'operations',
    clientSecret: 'operations-sandbox-secret',
  })
  const { data } = await operations.operations.listFirms({})
  const alpha = data.firms.find(({ name }) => name === 'Alpha Securities')
  if (!alpha) throw new Error('the sandbox has no firm Alpha')
  await operations.operations.updateFirm({ firmId: alpha.firmId, settings: { requestsPerSecond: 10_000 } })
  const answer = await fetch(`${address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return {
    address,
    port,
    dataDir,
    postgres,
    service,
    token,
    client,
    operations,
    async [Symbol.asyncDispose]() {
      await service.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const example = JSON.stringify(operations['new-account'].examples[0].request)

/** Opens an account by a request. `at` makes its tax id unique. */
export async function openAccount({ client }: House, at: number): Promise<string> {
  const { data } = await client.newAccount(JSON.parse(example.replace('219099998', String(219_110_002 + at))))
  return data.message.accountNumber
}

/** Waits until no onboarding is due, so that the work of one round does not fall into the next. */
export async function drainQueue(session: {
  query(text: string): Promise<{ rows: { due: string }[] }>
}): Promise<void> {
  for (;;) {
    const { rows } = await session.query(
      'select count(*) as due from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts',
    )
    if (Number(rows[0]?.due) === 0) return
    await pause(50)
  }
}
