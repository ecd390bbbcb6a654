/** Work whose result the processes of a test run share: one of them does it, and the others wait for it. */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** A lock that is older than any work was left behind. */
export const workTimeoutMs = 300_000
const lockedEveryMs = 500

/** Does the work unless it is done. `lock` is a folder that exists while a process does it. */
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
