/** Work whose result all processes of a test run share: one process does it, and the others wait for the result. */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** A lock that is older than any work takes was left behind. */
export const workTimeoutMs = 300_000
const lockedEveryMs = 500

/** Does the work unless it has been done. `lock` is a folder that exists while a process does the work. */
export async function doOnce(
  lock: string,
  isDone: () => boolean,
  work: () => void | Promise<void>,
): Promise<void> {
  while (isLocked(lock) || !isDone()) {
    if (!takeLock(lock)) {
      await wait(lockedEveryMs)
      continue
    }
    try {
      if (!isDone()) await work()
    } finally {
      free(lock)
    }
  }
}

function isLocked(lock: string): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return since !== undefined && Date.now() - since < workTimeoutMs
}

function free(lock: string): void {
  rmSync(lock, { recursive: true, force: true })
}

function takeLock(lock: string): boolean {
  if (isLocked(lock)) return false
  try {
    mkdirSync(lock)
    return true
  } catch {
    if (!isLocked(lock)) free(lock)
    return false
  }
}
