// The files and the process of the embedded server. An incomplete data directory is never mistaken for a
// complete one. The server program runs as an unprivileged user when this process runs as root.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import {
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, isReachable, type RunAs, unprivilegedUser } from './embedded-binaries.ts'
import { clearRemains } from './embedded-process.ts'

export interface Cluster {
  dataDir: string
  pgData: string
  logFile: string
  exists: boolean
  native: string
  version: string
  runAs: RunAs
}

const clusterLimits = {
  createTimeoutMs: 60_000,
  logSizeBytesMax: 10_000_000,
  /** The limit is 108 bytes on Linux and 104 on macOS, including the name of the socket. */
  socketDirLengthMax: 80,
  /** An incomplete data directory older than this belongs to no running service. */
  unfinishedAgeMsMax: 600_000,
} as const

const endPollMs = 20
const socketDirPrefix = 'clearing-socket-'
const unfinishedPrefix = 'postgres.unfinished-'

/** Checks the data folder and finds the programs; creates nothing yet. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const pgData = join(dataDir, 'postgres')
  const made = await readFile(join(pgData, 'PG_VERSION'), 'utf8').catch(() => undefined)
  const runAs = made === undefined ? await unprivilegedUser() : await userOf(pgData)
  const { native, version } = await findBinaries(runAs)
  const major = version.split('.')[0]
  if (made !== undefined && made.trim() !== major) {
    throw new Error(
      `${pgData} was made by PostgreSQL ${made.trim()}, the embedded one is ${major}: dump it with version ${made.trim()} and load the dump again`,
    )
  }
  return {
    dataDir,
    pgData,
    logFile: join(dataDir, 'postgres.log'),
    exists: made !== undefined,
    native,
    version,
    runAs,
  }
}

/**
 * The user that runs the server owns the data directory. Files that root restored are given to the
 * unprivileged user.
 */
async function userOf(pgData: string): Promise<RunAs> {
  const { uid, gid } = await stat(pgData)
  const us = process.getuid?.()
  if (us === uid && us !== 0) return {}
  if (us !== 0)
    throw new Error(`${pgData} belongs to another user (uid ${uid}): run the service as that user`)
  if (uid !== 0) return { uid, gid }
  const runAs = await unprivilegedUser()
  await giveTo(runAs, pgData)
  return runAs
}

async function giveTo(runAs: RunAs, folder: string): Promise<void> {
  const { uid, gid } = runAs
  if (uid === undefined || gid === undefined) return
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTo(runAs, path)
    else await lchown(path, uid, gid)
  }
}

/** Makes the data directory under another name, and renames it when it is complete and on disk. */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { dataDir, pgData, runAs } = cluster
  await removeUnfinished(dataDir)
  const unfinished = await mkdtemp(join(dataDir, unfinishedPrefix))
  try {
    await giveTo(runAs, unfinished)
    await runToEnd(cluster, 'initdb', unfinished, [
      '--username=postgres',
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ])
    await rename(unfinished, pgData).catch((error: NodeJS.ErrnoException) => {
      // Another service made it in the meantime. The service lock decides which service uses it.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    await syncFolder(dataDir)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  cluster.exists = true
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > clusterLimits.unfinishedAgeMsMax)
      await rm(path, { recursive: true, force: true })
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export interface Spawned {
  socketDir: string
  /** The reason for which the program ended; undefined while it runs. */
  failure(): StartFailed | undefined
  /** Ends the program, which does not serve any client yet. */
  end(): Promise<void>
}

/** The server program ended instead of serving. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed'
  /** Processes of a killed server are still ending. They end by themselves. */
  readonly passing: boolean
  constructor(message: string, settings: { passing: boolean; cause?: unknown }) {
    super(message, { cause: settings.cause })
    this.passing = settings.passing
  }
}

/**
 * Starts the server in its own session, so that Ctrl-C reaches only the service. The server may not be ready yet, or
 * may never be.
 */
export async function spawnServer(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  socketDir: string | undefined,
): Promise<Spawned> {
  const left = await clearRemains(cluster.pgData)
  if (left !== undefined && left !== socketDir) await removeSocketDir(left)
  const sockets = await openSocketDir(cluster.runAs, socketDir)
  const options = Object.entries({ ...settings, unix_socket_directories: sockets })
  const path = await pathFor(cluster, cluster.pgData)
  await limitLog(cluster.logFile)
  const log = await open(cluster.logFile, 'a', 0o600)
  const { size } = await log.stat()
  let failure: StartFailed | undefined
  let child: ChildProcess
  try {
    const args = ['-D', path, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    child = spawn(join(cluster.native, 'bin', 'postgres'), args, {
      ...spawnOptions(cluster.runAs, cluster.pgData),
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    })
    child.once('error', (cause) => {
      failure = new StartFailed('the embedded PostgreSQL cannot be started', { passing: false, cause })
    })
    child.once('exit', (code, signal) => {
      const words = lastWords(cluster.logFile, size, child.pid)
      failure = new StartFailed(
        `the embedded PostgreSQL ended with ${signal ?? `code ${code}`}: ${words ?? 'no reason'} (see ${cluster.logFile})`,
        { passing: words?.includes('shared memory block') === true },
      )
    })
    child.unref()
  } finally {
    await log.close()
  }
  return {
    socketDir: sockets,
    failure: () => failure,
    async end() {
      child.ref()
      while (failure === undefined) {
        // Repeated, because a program that has just started may not handle the signal yet.
        child.kill('SIGINT')
        await pause(endPollMs)
      }
      await removeSocketDir(sockets)
    },
  }
}

/**
 * Returns the last FATAL line that the process added to the log. Processes of a killed server may still write to the
 * same log.
 */
function lastWords(logFile: string, since: number, pid: number | undefined): string | undefined {
  const added = existsSync(logFile) ? readFileSync(logFile).subarray(since).toString() : ''
  const lines = added.matchAll(/\[(\d+)\] FATAL: +(\S.*)/g)
  return [...lines].filter(([, writer]) => Number(writer) === pid).at(-1)?.[2]
}

/** Makes a folder with a short path for the socket, accessible to this user only. */
async function openSocketDir(runAs: RunAs, wanted: string | undefined): Promise<string> {
  let folder = wanted
  if (folder === undefined) {
    // The server splits a list of folders at commas.
    const plain = !/[,"]/.test(tmpdir())
    const short = tmpdir().length + socketDirPrefix.length < clusterLimits.socketDirLengthMax
    const parent = plain && short && (await isReachable(tmpdir(), runAs)) ? tmpdir() : '/tmp'
    folder = await mkdtemp(join(parent, socketDirPrefix))
  } else {
    await mkdir(folder, { mode: 0o700 }).catch(() => {})
    const { uid, mode } = await lstat(folder)
    // In a folder that every user may write to, a folder of this name may belong to another user.
    if (![runAs.uid, process.getuid?.()].includes(uid) || (mode & 0o077) !== 0)
      throw new Error(`${folder} is not ours`)
    // The lock of a killed server on its socket stays while its process id exists, even as a zombie.
    for (const name of await readdir(folder))
      if (name.startsWith('.s.PGSQL.')) await rm(join(folder, name), { force: true })
  }
  await giveTo(runAs, folder)
  return folder
}

/** Removes a folder that `openSocketDir` made, and no other folder. */
export async function removeSocketDir(folder: string): Promise<void> {
  if (basename(folder).startsWith(socketDirPrefix)) await rm(folder, { recursive: true, force: true })
}

async function limitLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > clusterLimits.logSizeBytesMax) await rename(path, `${path}.1`)
}

/**
 * Returns a path of the data directory that the server's user can open. If a folder above it is closed to
 * that user, for example a home of root, the path is relative to the working directory. This process enters
 * that directory before it gives up its rights.
 */
async function pathFor({ runAs }: Cluster, folder: string): Promise<string> {
  if (await isReachable(dirname(folder), runAs)) return folder
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new Error(
    `${dirname(folder)} is closed to the user that runs PostgreSQL: choose another DATA_DIR, or do not run as root`,
  )
}

function spawnOptions(runAs: RunAs, cwd: string) {
  return { ...runAs, cwd, env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' } }
}

async function runToEnd(cluster: Cluster, program: string, folder: string, args: string[]): Promise<void> {
  const path = await pathFor(cluster, folder)
  const child = spawn(join(cluster.native, 'bin', program), ['-D', path, ...args], {
    ...spawnOptions(cluster.runAs, folder),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: clusterLimits.createTimeoutMs,
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', (cause) => fail(new Error(`${program} cannot be started`, { cause })))
    child.once('close', done)
  })
  if (code === 0) return
  const hint = complaints.includes('could not look up effective user ID')
    ? ' The user needs an entry in /etc/passwd, or set DATABASE_URL.'
    : ''
  throw new Error(`${program} failed: ${complaints.trim()}${hint}`)
}
