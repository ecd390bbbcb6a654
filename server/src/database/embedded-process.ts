// Finds out whether a PostgreSQL server runs on a data directory, and ends it. The process id in a file is not enough:
// the process must have that directory as its working directory.
import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface RunningServer {
  pid: number
  socketDir: string
  port: number
  /** The server accepts connections: it is not starting, recovering or stopping. */
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

/** Returns the server of a data directory by its `postmaster.pid`, or undefined when it does not run. */
export async function findServer(pgData: string): Promise<RunningServer | undefined> {
  const file = await readPidFile(pgData)
  return file !== undefined && (await worksIn(file.pid, pgData)) ? file : undefined
}

/**
 * Removes the remains of a server that has ended, and returns the folder of its socket. PostgreSQL replaces the file
 * itself after checking that no process of that server is left. It does not do so when another program has the process
 * id by now.
 */
export async function clearRemains(pgData: string): Promise<string | undefined> {
  const file = await readPidFile(pgData)
  if (file === undefined || (await worksIn(file.pid, pgData))) return undefined
  const unchanged = (await readPidFile(pgData))?.text === file.text
  if (unchanged && isAlive(file.pid)) await rm(join(pgData, 'postmaster.pid'), { force: true })
  return file.socketDir
}

/**
 * PostgreSQL makes its data directory its working directory, and only the processes of the server have that working
 * directory.
 */
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

/**
 * `fast` writes everything to disk; `immediate` leaves that to the recovery of the next start. Neither loses a
 * committed write.
 */
export type Shutdown = 'fast' | 'immediate'

/**
 * Ends the server of a data directory and waits until it has ended. When a signal has no effect in time, a stronger one
 * follows.
 */
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
