/**
 * The checks beside the tests: types, lint, committed outputs, the lock file. They run concurrently. Every check runs
 * to its end, and one failure fails the whole check.
 */
import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNeedlessExports } from './needless-exports.ts'

const outputMax = 64 * 1024 * 1024
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
function bin(name: string) {
  return resolve(root, 'node_modules/.bin', name)
}

type Complaint = string | undefined

function command(name: string, ...words: string[]): Promise<Complaint> {
  const settings = { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off' }, maxBuffer: outputMax }
  return new Promise((done) => {
    execFile(name, words, settings, (fault, stdout, stderr) => {
      done(fault === null ? undefined : `${stdout}${stderr}` || fault.message)
    })
  })
}

function lockFile() {
  const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8'))
  const foreign = Object.entries<{ resolved?: string; link?: boolean }>(lock.packages).filter(
    ([, entry]) => entry.resolved && !entry.link && !entry.resolved.startsWith('https://registry.npmjs.org/'),
  )
  return foreign.length === 0 ? undefined : `resolved elsewhere: ${foreign.map(([name]) => name).join(', ')}`
}

/**
 * The recorded digests cover every migration as it was committed. Therefore no line of the previous commit may be
 * missing.
 */
function digests() {
  const words = ['diff', '--unified=0', 'HEAD^', '--', 'server/migrations/digests.txt']
  const ended = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  // Outside a clone, or in a clone with a single commit, there is nothing to compare.
  const gone = ended.status === 0 ? ended.stdout.match(/^-[0-9a-f]{64} .*/gm) : null
  return gone === null ? undefined : `restore the migration and its line:\n${gone.join('\n')}`
}

function needlessExports() {
  const files = globSync('{protocol,domain,server,sdk,cli,console,test,bench,docs}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  const found = findNeedlessExports(root, files)
  return found.length === 0 ? undefined : `exported, and imported nowhere:\n${found.join('\n')}`
}

const checks: [string, () => Complaint | Promise<Complaint>][] = [
  ['types', () => command(bin('tsc'), '--noEmit')],
  ['types of the console', () => command(bin('tsc'), '--noEmit', '-p', 'console')],
  ['format and lint', () => command(bin('biome'), 'check', '.')],
  [
    'schema.sql is current, committed migrations are unchanged',
    () => command(process.execPath, 'server/src/database/write-schema.ts', '--check'),
  ],
  ['openapi.json is current', () => command(process.execPath, 'protocol/src/openapi/write.ts', '--check')],
  ['openapi.json lints', () => command(bin('redocly'), 'lint', 'protocol/openapi.json')],
  ['digests of migrations are only added', digests],
  ['no needless exports', needlessExports],
  ['lock file', lockFile],
]

/** Prints the result when the check ends. */
async function run([name, check]: (typeof checks)[number]): Promise<boolean> {
  const sinceMs = performance.now()
  const complaint = await check()
  const seconds = ((performance.now() - sinceMs) / 1_000).toFixed(1)
  console.log(`${complaint === undefined ? 'ok  ' : 'FAIL'} ${seconds.padStart(6)} s  ${name}`)
  if (complaint !== undefined) console.log(complaint)
  return complaint === undefined
}

const passed = await Promise.all(checks.map(run))
process.exit(passed.every(Boolean) ? 0 : 1)
