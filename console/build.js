/**
 * Builds the console after an installation that includes the development packages. An installation for
 * production does not build it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const findVite = () => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  } catch {
    return undefined
  }
}

const vite = findVite()
const isWhole =
  existsSync(join(import.meta.dirname, 'src')) && existsSync(join(import.meta.dirname, '../protocol/src'))
if (vite !== undefined && isWhole) {
  console.log('All packages are installed. Building the operations console, which takes up to a minute …')
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
  })
  process.exitCode = built.status ?? 1
}
