/**
 * Runs every test of the project: one real PostgreSQL for all files, each file in a process of its own, a plain
 * closing line `N passed, N failed`. `node test/run.ts [part of a path…]` runs the files whose path contains a part.
 */
import { glob } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { startTestServer, testServerVariable } from '../server/src/database/test-database.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const fileTimeoutMs = 4 * 60_000
const toldMax = 40

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

const files = await findFiles(process.argv.slice(2))
if (files.length === 0) {
  console.log('no test file has such a path')
  process.exit(1)
}
const server = await startTestServer()
process.env[testServerVariable] = server.url
let passed = 0
let failed = 0
let skipped = 0
try {
  const tests = run({
    files,
    cwd: root,
    concurrency: Math.max(2, cpus().length),
    timeout: fileTimeoutMs,
  })
  tests.on('test:pass', (event) => {
    if (event.details.type === 'suite' || event.name.endsWith('.test.ts')) return
    if (event.skip !== undefined) skipped += 1
    else passed += 1
  })
  tests.on('test:fail', (event) => {
    if (event.details.type === 'suite') return
    failed += 1
  })
  // Why a file failed beside its tests (a fault after the last one) is told far above; it is told again at the end.
  const told: string[] = []
  tests.on('test:diagnostic', ({ message }) => {
    if (/^(Error|Warning): /.test(message)) told.push(message)
  })
  tests.on('test:stderr', ({ file, message }) => told.push(`${file}: ${message.trimEnd()}`))
  const report = tests.compose(spec)
  for await (const chunk of report) process.stdout.write(chunk)
  if (failed > 0) for (const message of told.slice(-toldMax)) console.log(message)
} finally {
  await server.stop()
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
