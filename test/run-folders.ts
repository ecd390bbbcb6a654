/**
 * The folders of a test run: one for the data of services and databases, one for all other temporary files. Both are
 * removed when the run ends, also after failures and when it is interrupted, with what killed servers leave in memory.
 */
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findTestFolders, testFoldersVariable } from '../server/src/database/test-folder.ts'

const prefix = 'clearing-run-'
/** Where PostgreSQL keeps its segments of shared memory, on Linux. */
const segmentsFolder = '/dev/shm'
const removeTriesMax = 50
const removePauseMs = 100

/** Makes the folders and sets the environment, so that this process and those it starts use them. */
export async function openRunFolders(): Promise<void> {
  const data = makeFolder(process.env[testFoldersVariable] ?? (await findTestFolders()))
  const temporary = makeFolder(tmpdir())
  const startedAtMs = Date.now()
  process.env[testFoldersVariable] = data
  process.env.TMPDIR = temporary
  process.on('exit', () => {
    endServers(data)
    for (const folder of [data, temporary]) remove(folder)
    removeSegments(startedAtMs)
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, prefix))
  // PostgreSQL runs as another user when the run belongs to root.
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
      // It has ended.
    }
  }
}

/** A keeper of a service may remove a part of it at the same time, and each then misses files. */
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
 * Removes the segments made since an instant: each belonged to a server that was killed. While another server runs, it may
 * own any of them, also one that none of its processes has mapped.
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
    // It has ended, or belongs to another user, whose segments this user cannot remove either.
    return ''
  }
}
