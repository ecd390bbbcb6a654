/** The console as it is built from the sources that are here: built anew when they have changed since. */
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const page = resolve(root, 'console/dist/index.html')
const sources = '{console,protocol,sdk}/{src/**/*.{ts,tsx,css},index.html,vite.config.ts,package.json}'
const buildTimeoutMs = 120_000

export const buildConsole = (): void => {
  const builtMs = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const changed = globSync(sources, { cwd: root }).some(
    (file) => !file.endsWith('.test.ts') && statSync(resolve(root, file)).mtimeMs > builtMs,
  )
  if (!changed) return
  const built = spawnSync(process.execPath, ['console/build.js'], {
    cwd: root,
    encoding: 'utf8',
    timeout: buildTimeoutMs,
  })
  if (built.status !== 0) throw new Error(`the console does not build:\n${built.stdout}${built.stderr}`)
}
