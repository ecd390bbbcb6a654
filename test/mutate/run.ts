/**
 * `npm run mutate -- [folder or file…]` puts small faults into the rules, one at a time, and reports those that no test
 * notices. Without a path it takes all of `domain` and the reading of requests. `--tests=part,part` runs only the test
 * files whose path contains a part: this is quick, and the score is a lower bound. SIGTERM ends the run early, with a
 * report of the mutants tried so far.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allowedByTypes } from './check-types.ts'
import { findMutants } from './find-mutants.ts'
import { type Found, report } from './report.ts'
import type { Message, Outcome, Work } from './worker.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../..')
const silenceMsMax = 120_000
/** The runtime never frees modules that are loaded again, so a process is replaced after this number of mutants. */
const mutantsPerProcess = 1500
const usual = ['domain/src', 'protocol/src/reading']
/** Tests, and files that only tests use. */
function isTest(file: string) {
  return /\.test\.ts$|\/testing\/|\/oracles\/|\/(test|random|example|sample|published)(-[a-z-]+)?\.ts$/.test(
    file,
  )
}

const parts = process.argv.slice(2).filter((part) => !part.startsWith('--'))
const testParts = process.argv.find((part) => part.startsWith('--tests='))?.slice('--tests='.length)
const sources = usual.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
const files = sources
  .filter((file) => !isTest(file) && !file.endsWith('/index.ts'))
  .filter((file) => parts.length === 0 || parts.some((part) => file.startsWith(part.replace(/\/$/, ''))))
  .sort()
const found: Found[] = files.flatMap((file) => {
  const text = readFileSync(resolve(root, file), 'utf8')
  return findMutants(file, text).map((mutant) => ({ file, text, mutant }))
})
if (found.length === 0) {
  console.log(`nothing to change; the rules are in ${usual.join(' and ')}`)
  process.exit(1)
}
const work: Work = {
  files: files.map((file) => resolve(root, file)),
  testFiles: usual
    .filter((folder) => files.some((file) => file.startsWith(folder)))
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }))
    .filter((file) => testParts === undefined || testParts.split(',').some((part) => file.includes(part)))
    .map((file) => resolve(root, file)),
}

// The types protect most names. The other mutants are run, and the compiler then checks those that survive.
const names = found.filter(({ mutant }) => mutant.replacement === "''")
const named = new Set(allowedByTypes(root, names))
const isName = new Set(names)
const queue = found.flatMap((one, number) => (isName.has(one) && !named.has(one) ? [] : [number]))
const outcomes = new Map<number, Outcome>()
let next = 0
let lastLine = Date.now()
let silent = 0

/** Runs one process after another until no mutant is left. */
async function runProcesses(): Promise<void> {
  while (next < queue.length) await runProcess()
}

function runProcess(): Promise<void> {
  return new Promise((done, failed) => {
    const worker: ChildProcess = fork(resolve(here, 'worker.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=1500'],
      env: { ...process.env, MUTATE_WORK: JSON.stringify(work) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let current: number | undefined
    let left = mutantsPerProcess
    let silence: NodeJS.Timeout | undefined
    const giveNext = () => {
      clearTimeout(silence)
      if (next >= queue.length || left === 0) return worker.disconnect()
      current = queue[next] as number
      next += 1
      left -= 1
      silence = setTimeout(() => worker.kill('SIGKILL'), silenceMsMax)
      worker.send(current)
    }
    worker.on('message', (message: Message) => {
      if (message.type === 'ready') {
        if (message.failing.length > 0)
          failed(new Error(`tests fail without a mutant:\n${message.failing.join('\n')}`))
        else giveNext()
        return
      }
      outcomes.set(message.number, message.outcome)
      current = undefined
      tell()
      giveNext()
    })
    worker.on('exit', (code) => {
      clearTimeout(silence)
      if (current !== undefined) {
        outcomes.set(current, 'endless')
        silent += 1
      } else if (code !== 0 && outcomes.size < next) failed(new Error(`a process ended with ${code}`))
      done()
    })
  })
}

function tell(): void {
  if (Date.now() - lastLine < 10_000) return
  lastLine = Date.now()
  const survived = [...outcomes.values()].filter((one) => one === 'survived' || one === 'uncovered').length
  console.log(`${outcomes.size} of ${queue.length} mutants, ${survived} survived`)
}

const since = performance.now()
const processes = Number(process.env.MUTATE_PROCESSES) || (queue.length < 300 ? 1 : availableParallelism())
process.on('SIGTERM', () => end())
await Promise.all(Array.from({ length: processes }, runProcesses))
end()

function end(): void {
  const seconds = Math.round((performance.now() - since) / 1000)
  const tried = queue.flatMap((number) => {
    const outcome = outcomes.get(number)
    return outcome === undefined ? [] : [{ ...(found[number] as Found), outcome }]
  })
  const alive = tried.filter(({ outcome }) => outcome === 'survived' || outcome === 'uncovered')
  const allowed = new Set(allowedByTypes(root, alive))
  const isAlive = new Set(alive)
  const passed = report(
    tried.filter((one) => !isAlive.has(one) || allowed.has(one)),
    JSON.parse(readFileSync(resolve(here, 'equivalent.json'), 'utf8')),
    tried.length === queue.length,
  )
  console.log(`${tried.length} of ${queue.length} mutants, ${seconds} s in ${processes} processes`)
  if (silent > 0)
    console.log(`${silent} mutants without a response in ${silenceMsMax / 1000} s count as killed`)
  process.exit(passed && tried.length === queue.length ? 0 : 1)
}
