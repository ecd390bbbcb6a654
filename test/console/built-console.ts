/**
 * The console as it is built from the sources that are here: built anew when they have changed since. Files of tests that run at the
 * same time build it once: the others wait for it.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../..')
const page = resolve(root, 'console/dist/index.html')
const lock = resolve(root, 'node_modules/.console-build')
const sources = '{console,protocol,sdk}/{src/**/*.{ts,tsx,css},index.html,vite.config.ts,package.json}'
const buildTimeoutMs = 300_000
const lockedEveryMs = 500

export async function buildConsole(): Promise<void> {
  while (isLocked() || hasChanged()) {
    if (!takeLock()) {
      await wait(lockedEveryMs)
      continue
    }
    try {
      if (hasChanged()) build()
    } finally {
      free()
    }
  }
}

function build(): void {
  const built = spawnSync(process.execPath, ['console/build.js'], {
    cwd: root,
    encoding: 'utf8',
    timeout: buildTimeoutMs,
  })
  if (built.status !== 0) throw new Error(`the console does not build:\n${built.stdout}${built.stderr}`)
}

function hasChanged(): boolean {
  const builtMs = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return globSync(sources, { cwd: root }).some(
    (file) => !file.endsWith('.test.ts') && statSync(resolve(root, file)).mtimeMs > builtMs,
  )
}

/** Whether another process builds; a lock that is older than any build was left behind. */
function isLocked(): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return since !== undefined && Date.now() - since < buildTimeoutMs
}

function free(): void {
  rmSync(lock, { recursive: true, force: true })
}

function takeLock(): boolean {
  if (isLocked()) return false
  try {
    mkdirSync(lock)
    return true
  } catch {
    if (!isLocked()) free()
    return false
  }
}
