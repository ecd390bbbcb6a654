/**
 * Runs every test of the project against one real PostgreSQL and ends with a plain line `N passed, N failed, N
 * skipped`. `node test/run.ts [part of a path…]` runs the files whose path contains a part. `--nightly` adds the long
 * files, or runs only them when a part names them. `--processes=4` runs four files at once. A failed file is not run
 * again.
 */
import { globSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, testServerVariable } from '../server/src/database/test-database.ts'
import { readProcessorMs } from './processor-time.ts'
import { Progress } from './progress.ts'
import { nightlyVariable } from './repetitions.ts'
import { openRunFolders } from './run-folders.ts'
import { runInProcesses } from './run-in-processes.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** Far more than any file takes, except on a machine with much other work. */
const fileTimeoutMs = 10 * 60_000
const nightlyTimeoutMs = 40 * 60_000
const seedOfEveryDay = 20_261_122
/** A file mostly waits for its processes and its database. */
const processesPerCore = 1.5

/**
 * Folders whose files load much the same modules. The slow ones come first, so that the last minutes have work for
 * every core. Each process begins with another folder, so that files that wait run beside files that compute.
 */
const groups = [
  /^test\/(faults\/|guides)/,
  /^test\/console\//,
  /^test\//,
  /^server\//,
  /^(cli|sdk|console)\//,
  /./,
]
/** A nightly file may load another test file again, with more repetitions. */
function isAlone(file: string): boolean {
  return file.endsWith('.nightly.ts')
}

function findFiles(parts: readonly string[], nightly: boolean): string[] {
  const pattern = '{protocol,domain,server,sdk,cli,console,test}/**/*.{test,nightly}.ts'
  return globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => nightly || !file.endsWith('.nightly.ts'))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort()
}

const words = process.argv.slice(2)
function wantedProcesses(): number {
  return Number(words.find((word) => word.startsWith('--processes='))?.replace('--processes=', '') ?? 0)
}
const nightly = words.includes('--nightly')
const files = findFiles(
  words.filter((word) => !word.startsWith('--')),
  nightly,
)
if (files.length === 0) {
  console.log('no test file has such a path')
  process.exit(1)
}
// One seed for every run of a commit, and another each night. A failure that depends on the seed is found at night and
// can be repeated.
process.env.SEED ??= String(nightly ? Date.now() % 2 ** 31 : seedOfEveryDay)
if (nightly) process.env[nightlyVariable] = '1'
process.env.NODE_COMPILE_CACHE ??= resolve(root, 'node_modules/.cache/node')
await openRunFolders()

const grouped = Object.values(Object.groupBy(files, (file) => groups.findIndex((group) => group.test(file))))
const server = await startTestServer()
process.env[testServerVariable] = server.url
const progress = new Progress(files.length, root)
try {
  await runInProcesses(
    grouped.map((group = []) => group.map((file) => resolve(root, file))),
    {
      processes: wantedProcesses() || Math.max(2, Math.round(cpus().length * processesPerCore)),
      fileTimeoutMs: nightly ? nightlyTimeoutMs : fileTimeoutMs,
      isAlone,
    },
    progress,
  )
} finally {
  await server.stop()
}
progress.printTimes(readProcessorMs())
progress.printFailures()
const { passed, failed, skipped } = progress.counts
if (failed > 0) console.log(`SEED=${process.env.SEED}`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
