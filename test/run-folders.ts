/**
 * The folders of a test run: one for the data of services and databases, one for bundled programs, and one for all
 * other temporary files. They are removed when the run ends, including after failures and interruptions. The memory
 * segments of killed servers are removed too.
 */
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findTestFolders, testFoldersVariable } from '../server/src/database/test-folder.ts'

/** Set in a test run: the folder of its bundled programs. */
export const programsVariable = 'CLEARING_TEST_PROGRAMS'
const prefix = 'clearing-run-'
/** The folder in which PostgreSQL keeps its shared memory on Linux. */
const segmentsFolder = '/dev/shm'
const removeTriesMax = 50
const removePauseMs = 100

/** Makes the folders and sets the environment, so that this process and its child processes use them. */
export async function openRunFolders(): Promise<void> {
  const data = makeFolder(process.env[testFoldersVariable] ?? (await findTestFolders()))
  const temporary = makeFolder(tmpdir())
  const programs = makeProgramsFolder()
  const startedAtMs = Date.now()
  process.env[testFoldersVariable] = data
  process.env.TMPDIR = temporary
  process.env[programsVariable] = programs
  process.on('exit', () => {
    endServers(data)
    for (const folder of [data, temporary, programs]) remove(folder)
    removeSegments(startedAtMs)
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

/** Below the packages of the project, which bundled programs load. */
export function makeProgramsFolder(): string {
  const cache = resolve(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  return makeFolder(cache)
}

function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, prefix))
  // PostgreSQL runs as another user when root starts the run.
  chmodSync(folder, 0o755)
  return folder
}

/** Kills the servers that a test left running. Only the processes of a server work in its data directory. */
function endServers(data: string): void {
  for (const file of globSync('*/**/postmaster.pid', { cwd: data })) {
    const path = join(data, file)
    try {
      const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
      if (readlinkSync(`/proc/${pid}/cwd`) === dirname(path)) process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
}

/** The guard process of a service may remove a part of the folder at the same time. Each then misses files. */
function remove(folder: string): void {
  for (let tries = 0; existsSync(folder); tries++) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (fault) {
      if (tries === removeTriesMax) throw fault
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, removePauseMs)
    }
  }
}

/**
 * Removes the segments made since an instant, which belonged to servers that were killed. While another server runs,
 * nothing is removed: any segment may be its own, even one that none of its processes has mapped.
 */
function removeSegments(sinceMs: number): void {
  const segments = globSync(join(segmentsFolder, 'PostgreSQL.*')).filter(
    (path) => (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs,
  )
  if (segments.length === 0) return
  const used = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readMaps)
    .join('')
  if (used.includes(join(segmentsFolder, 'PostgreSQL.'))) return
  for (const path of segments) rmSync(path, { force: true })
}

function readMaps(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
  } catch {
    // The process has ended, or belongs to another user, whose segments this user cannot remove.
    return ''
  }
}
