/**
 * Runs every test of the project: one real PostgreSQL for all files, each file in a process of its own, a plain
 * closing line `N passed, N failed`. `node test/run.ts [part of a path…]` runs the files whose path contains a part.
 *
 * In a run of all files, one or two that failed run once more, alone. What passes then is named as unsteady beside its first
 * failure, which stays above: a machine that stood still for a while does not hold back a change, and a rare fault is seen.
 */
import { glob } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { startTestServer, testServerVariable } from '../server/src/database/test-database.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const fileTimeoutMs = 4 * 60_000
const toldMax = 40
const runAgainMax = 2

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const findFiles = async (parts: readonly string[]): Promise<string[]> => {
  const files: string[] = []
  for await (const file of glob('{protocol,domain,server,sdk,cli,console,test}/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })) {
    if (parts.length === 0 || parts.some((part) => file.includes(part))) files.push(resolve(root, file))
  }
  // The long ones first, so that the last minutes have work for every core.
  const isLong = (file: string) => /\/test\/(faults|console|guides)/.test(file)
  return files.sort((one, other) => Number(isLong(other)) - Number(isLong(one)) || one.localeCompare(other))
}

/** The counts of each file. */
const runFiles = async (files: string[], concurrency: number): Promise<Map<string, Counts>> => {
  const counts = new Map(files.map((file) => [file, { passed: 0, failed: 0, skipped: 0 }]))
  const tests = run({ files, cwd: root, concurrency, timeout: fileTimeoutMs })
  tests.on('test:pass', ({ entryFile, name, details, skip }) => {
    if (details.type === 'suite' || name.endsWith('.test.ts')) return
    const own = counts.get(entryFile ?? '')
    if (own) own[skip === undefined ? 'passed' : 'skipped'] += 1
  })
  tests.on('test:fail', ({ entryFile, name, details }) => {
    if (details.type === 'suite') return
    const own = counts.get(entryFile ?? name)
    if (own) own.failed += 1
  })
  // Why a file failed beside its tests (a fault after the last one) is told far above; it is told again at the end.
  const told: string[] = []
  tests.on('test:diagnostic', ({ message }) => {
    if (/^(Error|Warning): /.test(message)) told.push(message)
  })
  tests.on('test:stderr', ({ file, message }) => told.push(`${file}: ${message.trimEnd()}`))
  for await (const chunk of tests.compose(spec)) process.stdout.write(chunk)
  if (sum(counts).failed > 0) for (const message of told.slice(-toldMax)) console.log(message)
  return counts
}

const sum = (counts: Map<string, Counts>): Counts => {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of counts.values()) {
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  return total
}

const parts = process.argv.slice(2)
const files = await findFiles(parts)
if (files.length === 0) {
  console.log('no test file has such a path')
  process.exit(1)
}
const server = await startTestServer()
process.env[testServerVariable] = server.url
const counts = new Map<string, Counts>()
try {
  for (const [file, own] of await runFiles(files, Math.max(2, cpus().length))) counts.set(file, own)
  const failing = files.filter((file) => (counts.get(file)?.failed ?? 0) > 0)
  if (parts.length === 0 && failing.length > 0 && failing.length <= runAgainMax) {
    console.log(`\nonce more, alone: ${failing.map((file) => relative(root, file)).join(', ')}\n`)
    for (const [file, own] of await runFiles(failing, 1)) {
      counts.set(file, own)
      if (own.failed === 0) console.log(`unsteady: ${relative(root, file)} failed first and passed alone`)
    }
  }
} finally {
  await server.stop()
}
const { passed, failed, skipped } = sum(counts)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
