/**
 * Runs every test of the project against one real PostgreSQL and closes with a plain line `N passed, N failed, N skipped`.
 * `node test/run.ts [part of a path…]` runs the files whose path contains a part; `--nightly` adds the long ones, or runs
 * them alone when a part names them. Each file has a process of its own, except those of the rooms without input and
 * output, which share one. A failed file stays failed: nothing is run again.
 */
import { globSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestServer, testServerVariable } from '../server/src/database/test-database.ts'
import { Progress } from './progress.ts'
import { pureFilesVariable } from './pure-rooms.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const fileTimeoutMs = 4 * 60_000
const nightlyTimeoutMs = 40 * 60_000
const seedOfEveryDay = 20_261_122
/** A file mostly waits for its processes and its database. */
const filesPerCore = 1.5

const pureRooms = /^(protocol|domain)\//
/** The slowest files come first, so that the last minutes have work for every core. */
const slowFirst = [/^test\/faults\//, /^test\/console\//, /^test\/guides/, /^test\/acceptance\//, /^cli\//]

function findFiles(parts: readonly string[], nightly: boolean): string[] {
  const pattern = '{protocol,domain,server,sdk,cli,console,test}/**/*.{test,nightly}.ts'
  const rank = (file: string) =>
    (slowFirst.findIndex((slow) => slow.test(file)) + slowFirst.length + 1) % (slowFirst.length + 1)
  return globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => nightly || !file.endsWith('.nightly.ts'))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
}

const words = process.argv.slice(2)
const nightly = words.includes('--nightly')
const files = findFiles(
  words.filter((word) => !word.startsWith('--')),
  nightly,
)
if (files.length === 0) {
  console.log('no test file has such a path')
  process.exit(1)
}
// One seed for every run of a commit, another one each night: what chance finds is found at night, and can be repeated.
process.env.SEED ??= String(nightly ? Date.now() % 2 ** 31 : seedOfEveryDay)
process.env.NODE_COMPILE_CACHE ??= resolve(root, 'node_modules/.cache/node')
const pure = files.filter((file) => pureRooms.test(file))
process.env[pureFilesVariable] = pure.join('\n')
const apart = files.filter((file) => !pureRooms.test(file))
const entries = pure.length > 0 ? [...apart, 'test/pure-rooms.ts'] : apart

const server = await startTestServer()
process.env[testServerVariable] = server.url
const progress = new Progress(entries.length, (file) => relative(root, file))
try {
  const tests = run({
    files: entries.map((file) => resolve(root, file)),
    cwd: root,
    concurrency: Math.max(2, Math.round(cpus().length * filesPerCore)),
    timeout: nightly ? nightlyTimeoutMs : fileTimeoutMs,
  })
  await progress.follow(tests)
} finally {
  await server.stop()
}
progress.printSlowest()
const { passed, failed, skipped } = progress.counts
if (failed > 0) console.log(`SEED=${process.env.SEED}`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
