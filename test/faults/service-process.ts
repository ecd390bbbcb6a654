/**
 * The service as a separate process with its embedded PostgreSQL, which tests kill alone or with every process of the
 * database. A small shell waits on a pipe and ends the remaining processes when the test process ends in any way.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Client, createClient } from '@clearing/sdk'
import type pg from 'pg'
import { findServer } from '../../server/src/database/embedded-process.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { bundleProgram } from '../bundle-program.ts'
import { keepSession } from './kept-session.ts'
import { copyStartedFolder } from './started-folder.ts'

const readyWithinMs = 180_000
/** Each poll costs a call. */
const lookEveryMs = 100

export interface ServiceProcess {
  readonly address: string
  readonly dataDir: string
  readonly alpha: Client
  readonly operations: Client
  /** The output of the service so far, over all starts. */
  readonly output: () => string
  start(): Promise<void>
  /** Starts the process and does not wait until it is ready. */
  launch(): Promise<ChildProcess>
  /** kill -9 of the service, and optionally of every process of its database. */
  kill(withDatabase: boolean): Promise<void>
  /** Sends a signal and returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** The process ids of the service's processes under its parent (`PROCESSES`). */
  processPids(): Promise<number[]>
  /** True when the last started process has ended. */
  hasEnded(): boolean
  /** The process ids of the database's server and of all its children. */
  databasePids(): Promise<number[]>
  /** Queries the database as its superuser, over a session of its own. */
  query(sql: string, values?: unknown[]): Promise<pg.QueryResult>
  /** The status of a GET. It is 0 without a response. */
  look(path: string): Promise<number>
  dispose(): Promise<void>
}

export interface ServiceSettings {
  /** The address of a module that the process loads before the service. */
  readonly preloaded?: string
  /** An existing folder, which is removed with the process. */
  readonly dataDir?: string
  /** Makes the demonstration accounts, in an empty data folder. */
  readonly withAccounts?: boolean
  /** Starts in an empty data folder, not in a copy of a started sandbox. */
  readonly forTheFirstTime?: boolean
  /** The program to run, if it is not that of this code. */
  readonly main?: string
  /** Further settings of the environment. */
  readonly environment?: Readonly<Record<string, string>>
}

export async function makeServiceProcess(settings: ServiceSettings = {}): Promise<ServiceProcess> {
  const words = settings.preloaded === undefined ? [] : ['--import', settings.preloaded]
  const main = settings.main ?? (await bundleProgram('server/src/main.ts'))
  const dataDir = settings.dataDir ?? (await makeDataDir(settings))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...settings.environment,
  }
  const pidFile = join(dataDir, 'service.pid')
  const keeper = keepTidy(dataDir, pidFile)
  let child: ChildProcess | undefined
  let output = ''

  const look = (path: string): Promise<number> =>
    fetch(`${address}${path}`, { signal: AbortSignal.timeout(10_000) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )

  const databasePids = async (): Promise<number[]> => {
    const server = await findServer(join(dataDir, 'postgres'))
    return server === undefined ? [] : [server.pid, ...(await childrenOf(server.pid))]
  }

  /**
   * Kills all processes at once, in no fixed order. The server is stopped before its children are listed. Otherwise a
   * child that it starts meanwhile would survive, could wait forever for a lock of a killed process, and would keep the
   * next server from starting.
   */
  const killDatabase = async (): Promise<void> => {
    const server = await findServer(join(dataDir, 'postgres'))
    if (server !== undefined) signal(server.pid, 'SIGSTOP')
    for (const pid of await databasePids()) signal(pid, 'SIGKILL')
  }

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    return child.exitCode
  }

  const launch = async (): Promise<ChildProcess> => {
    const started = spawn(process.execPath, [...words, main, ...(settings.withAccounts ? [] : ['--empty'])], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    await writeFile(pidFile, String(started.pid))
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    return started
  }

  const session = keepSession(async () => {
    const server = await findServer(join(dataDir, 'postgres'))
    assert.ok(server, 'the database does not run')
    return { host: server.socketDir, port: server.port, user: 'postgres', database: 'clearing' }
  })

  const credentials = (clientId: string): Client =>
    createClient({
      baseUrl: address,
      clientId,
      clientSecret: `${clientId}-sandbox-secret`,
      retries: 8,
      retryDelayMs: 100,
      retryDelayMsMax: 3_000,
      timeoutMs: 20_000,
    })

  return {
    address,
    dataDir,
    alpha: credentials('alpha'),
    operations: credentials('operations'),
    output: () => output,
    look,
    processPids: () => childrenOf(child?.pid ?? 0, /main\.m?[jt]s/),
    databasePids,
    end,
    hasEnded: () => child !== undefined && (child.exitCode !== null || child.signalCode !== null),
    launch,
    async start() {
      const started = await launch()
      const deadline = Date.now() + readyWithinMs
      while ((await look('/health/ready')) !== 200) {
        assert.equal(started.exitCode, null, `the service ended: ${output.slice(-2_000)}`)
        assert.ok(Date.now() < deadline, `the service is not ready: ${output.slice(-2_000)}`)
        await pause(lookEveryMs)
      }
    },
    async kill(withDatabase) {
      if (withDatabase) await killDatabase()
      await end('SIGKILL')
    },
    query: session.query,
    async dispose() {
      await end('SIGKILL')
      await killDatabase()
      await session.end()
      const ended = once(keeper, 'exit')
      keeper.ref()
      keeper.stdin?.end()
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** With another database or another program, the first state differs. */
function makeDataDir({ forTheFirstTime, withAccounts, environment, main }: ServiceSettings): Promise<string> {
  if (forTheFirstTime || withAccounts || environment?.DATABASE_URL !== undefined || main !== undefined)
    return makeTestFolder('faults-')
  return copyStartedFolder(startOnce)
}

/** Starts a sandbox for the first time, stops it, and copies its data folder. */
async function startOnce(into: string): Promise<void> {
  const service = await makeServiceProcess({ forTheFirstTime: true })
  try {
    await service.start()
    assert.equal(await service.end('SIGTERM'), 0)
    await cp(service.dataDir, into, { recursive: true })
  } finally {
    await service.dispose()
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The process ids of the children of a process whose command matches. */
export async function childrenOf(parent: number, running = /./): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='])
  const rows = stdout.trim().split('\n')
  return rows.flatMap((row) => {
    const [, pid, ppid, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(row) ?? []
    return Number(ppid) === parent && running.test(command) ? [Number(pid)] : []
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const taken = server.address()
      server.close(() => resolve(typeof taken === 'object' && taken !== null ? taken.port : 0))
    })
  })
}

/** When the pipe closes, ends the service and the database of a data folder, found by their files of process ids. */
export function keepTidy(dataDir: string, pidFile: string): ChildProcess {
  const script = `
trap '' INT TERM HUP
cat > /dev/null
for file in "$1" "$2/postgres/postmaster.pid"; do
  pid=$(head -n 1 "$file" 2> /dev/null)
  [ -n "$pid" ] && kill -KILL "$pid" 2> /dev/null
done
socket=$(sed -n 5p "$2/postgres/postmaster.pid" 2> /dev/null)
case "$socket" in *clearing-socket-*) rm -rf "$socket" ;; esac
rm -rf "$2"
`
  const keeper = spawn('/bin/sh', ['-c', script, 'keeper', pidFile, dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.unref()
  ;(keeper.stdin as unknown as { unref(): void }).unref()
  return keeper
}
