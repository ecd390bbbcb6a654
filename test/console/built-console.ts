/**
 * The console, built from the present sources. It is built again when they have changed since. When test files run
 * concurrently, one builds it and the others wait.
 */
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { doOnce, workTimeoutMs } from '../done-once.ts'

const root = resolve(import.meta.dirname, '../..')
const page = resolve(root, 'console/dist/index.html')
const lock = resolve(root, 'node_modules/.console-build')
const sources = '{console,protocol,sdk}/{src/**/*.{ts,tsx,css},index.html,vite.config.ts,package.json}'

export function buildConsole(): Promise<void> {
  return doOnce(lock, () => !hasChanged(), build)
}

function build(): void {
  const built = spawnSync(process.execPath, ['console/build.js'], {
    cwd: root,
    encoding: 'utf8',
    timeout: workTimeoutMs,
  })
  if (built.status !== 0) throw new Error(`the console does not build:\n${built.stdout}${built.stderr}`)
}

function hasChanged(): boolean {
  const builtMs = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return globSync(sources, { cwd: root }).some(
    (file) => !file.endsWith('.test.ts') && statSync(resolve(root, file)).mtimeMs > builtMs,
  )
}
