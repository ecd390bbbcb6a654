// Finds out whether a PostgreSQL server runs on a data directory, and ends it. A process id from a file is never
// trusted alone: the process must be working in that very directory.
import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface RunningServer {
  pid: number
  socketDir: string
  port: number
  /** The server accepts connections (it is not starting, recovering or stopping). */
  ready: boolean
}

interface PidFile extends RunningServer {
  text: string
}

async function readPidFile(pgData: string): Promise<PidFile | undefined> {
  const text = await readFile(join(pgData, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  const ready = lines[7]?.trim() === 'ready'
  return { text, pid, port: Number(lines[3]), socketDir: lines[4]?.trim() ?? '', ready }
}

/** The server of a data directory by its `postmaster.pid`, or undefined when none is alive. */
export async function findServer(pgData: string): Promise<RunningServer | undefined> {
  const file = await readPidFile(pgData)
  return file !== undefined && (await worksIn(file.pid, pgData)) ? file : undefined
}

/**
 * Puts away what a server that is gone has left, and returns the folder of its socket. PostgreSQL replaces the file
 * itself, after seeing that no process of that server is left; only where the id is another program's by now, it would not.
 */
export async function clearRemains(pgData: string): Promise<string | undefined> {
  const file = await readPidFile(pgData)
  if (file === undefined || (await worksIn(file.pid, pgData))) return undefined
  const unchanged = (await readPidFile(pgData))?.text === file.text
  if (unchanged && isAlive(file.pid)) await rm(join(pgData, 'postmaster.pid'), { force: true })
  return file.socketDir
}

/** PostgreSQL makes its data directory its working directory, and only the server's own processes are there. */
async function worksIn(pid: number, pgData: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const here = await realpath(pgData)
  if (process.platform === 'linux') {
    const there = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    return there === here
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.includes('postgres') && stdout.includes(`-D ${here}`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const stopLimits = { fastShutdownMs: 30_000, immediateShutdownMs: 10_000, pollMs: 5 } as const

/** `fast` writes everything to its place; `immediate` leaves that to recovery at the next start. Nothing committed is lost by either. */
export type Shutdown = 'fast' | 'immediate'

/** Ends the server of a data directory and waits until it is gone. What does not work in its time is followed by something stronger. */
export async function stopServer(pgData: string, pid: number, shutdown: Shutdown = 'fast'): Promise<void> {
  const steps = [
    { signal: 'SIGINT', waitMs: stopLimits.fastShutdownMs },
    { signal: 'SIGQUIT', waitMs: stopLimits.immediateShutdownMs },
    { signal: 'SIGKILL', waitMs: stopLimits.immediateShutdownMs },
  ] as const
  for (const { signal, waitMs } of shutdown === 'fast' ? steps : steps.slice(1)) {
    if (!(await worksIn(pid, pgData))) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw new Error(`cannot stop the PostgreSQL server with process id ${pid}`, { cause: error })
    }
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline) {
      if (!(await worksIn(pid, pgData))) return
      await pause(stopLimits.pollMs)
    }
  }
  throw new Error(`the PostgreSQL server with process id ${pid} does not end`)
}
