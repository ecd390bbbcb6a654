/**
 * A process that runs mutants. It loads the packages once with every mutant in them and runs every test once to record
 * the mutants that each test passes. For each mutant it then runs the tests that pass it, the quickest first, until one
 * fails.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { findMutants } from './find-mutants.ts'
import { instrument, switchName } from './instrument.ts'
import { hookModules } from './load-modules.ts'
import { collectTests, type KeptTest } from './registry.ts'
import { Switch } from './switch.ts'

export interface Work {
  /** Absolute paths of the files to change and of the test files. */
  readonly files: readonly string[]
  readonly testFiles: readonly string[]
}
export type Outcome = 'killed' | 'survived' | 'uncovered' | 'endless'
export type Message =
  | { readonly type: 'ready'; readonly tests: number; readonly failing: readonly string[] }
  | { readonly type: 'done'; readonly number: number; readonly outcome: Outcome; readonly by?: string }

interface Result {
  readonly outcome: Outcome
  readonly by?: string
}
interface Tried extends KeptTest {
  readonly passed: Uint8Array
  readonly questions: number
  readonly timeMs: number
}

const mutants = new Switch()
Object.assign(globalThis, { [switchName]: mutants })
// The same random cases in every run, and no search for a smaller counterexample: only the failure counts.
fc.configureGlobal({ seed: 20_260_604, endOnFailure: true })

const work = JSON.parse(process.env.MUTATE_WORK ?? '') as Work
const texts = new Map<string, string>()
const fileOf: string[] = []
for (const path of work.files) {
  const text = readFileSync(path, 'utf8')
  const found = findMutants(path, text)
  texts.set(path, instrument(text, found, fileOf.length))
  for (const _ of found) fileOf.push(path)
}
const modules = hookModules(texts)

/** The reason why the test fails; undefined if it passes. */
async function failureOf(test: KeptTest): Promise<unknown> {
  try {
    await test.run()
    return undefined
  } catch (error) {
    return error ?? 'failed'
  }
}

async function tryAll(tests: readonly KeptTest[]): Promise<{ tried: Tried[]; failing: string[] }> {
  const tried: Tried[] = []
  const failing: string[] = []
  for (const test of tests) {
    const passed = mutants.record(fileOf.length)
    const since = performance.now()
    const failure = await failureOf(test)
    if (failure !== undefined) failing.push(`${test.file}: ${test.name}\n${failure}`)
    tried.push({ ...test, passed, questions: mutants.questions, timeMs: performance.now() - since })
  }
  return { tried: tried.sort((one, other) => one.timeMs - other.timeMs), failing }
}

/** The mutants that modules reach while they load, and those that the body of each test file reaches then. */
const atLoad = new Uint8Array(fileOf.length)
const inBodies = new Map<string, Uint8Array>()
const all: KeptTest[] = []
for (const file of work.testFiles) {
  const { ofModules, ofBody } = mutants.recordLoad(fileOf.length)
  all.push(...(await collectTests(file, () => modules.load(file))))
  ofModules.forEach((passed, number) => {
    if (passed === 1) atLoad[number] = 1
  })
  if (ofBody.includes(1)) inBodies.set(file, ofBody)
}
/** A test file that imports no changed module cannot notice a mutant. */
const dependents = new Set(work.files.flatMap((path) => [...modules.dependents(path)]))
const { tried, failing } = await tryAll(all.filter(({ file }) => dependents.has(file)))
/** The reading of requests has its own tests. The rules of the domain run it thousands of times. */
function isOfOneRoom(test: KeptTest, path: string): boolean {
  return test.file.includes('/protocol/') === path.includes('/protocol/')
}
/** The test that killed the previous mutant, by file. It often kills the next. */
const lastKiller = new Map<string, string>()

function isNoticed({ outcome }: Result): boolean {
  return outcome === 'killed' || outcome === 'endless'
}

function nameOf(test: KeptTest) {
  return `${test.file}: ${test.name}`
}

async function kill(number: number, tests: readonly Tried[]): Promise<Result> {
  const file = fileOf[number] as string
  const first = tests.filter((test) => nameOf(test) === lastKiller.get(file))
  for (const test of new Set([...first, ...tests])) {
    mutants.activate(number, test.questions)
    const failure = await failureOf(test)
    const endless = mutants.ranAway
    mutants.rest()
    if (endless) return { outcome: 'endless', by: nameOf(test) }
    if (failure !== undefined) {
      lastKiller.set(file, nameOf(test))
      return { outcome: 'killed', by: nameOf(test) }
    }
  }
  return { outcome: tests.length === 0 ? 'uncovered' : 'survived' }
}

/**
 * A mutant in code that runs while modules load (a table). The tests that pass the file, or a file that uses it, are
 * loaded again.
 */
async function killAtLoad(number: number): Promise<Result> {
  const path = fileOf[number] as string
  const candidates = candidatesOf(path)
  const killer = lastKiller.get(path)
  const files = new Set(candidates.map((test) => test.file))
  const ordered = [...files].sort(
    (one, other) => Number(killer?.startsWith(other)) - Number(killer?.startsWith(one)),
  )
  modules.renew(path)
  for (const file of ordered) {
    const outcome = await killByFile(number, file, candidates)
    if (isNoticed(outcome)) return outcome
  }
  return { outcome: candidates.length === 0 ? 'uncovered' : 'survived' }
}

/**
 * A mutant that the body of a test file passes while it loads, such as the table of a test. Only that file is loaded
 * again.
 */
async function killInBodies(number: number): Promise<Result> {
  for (const [file, passed] of inBodies) {
    if (passed[number] !== 1) continue
    modules.renewTest(file)
    const outcome = await killByFile(number, file, tried)
    if (isNoticed(outcome)) return outcome
  }
  return { outcome: 'survived' }
}

/** Loads a test file with the mutant active, and runs the given tests of it. */
async function killByFile(number: number, file: string, among: readonly Tried[]): Promise<Result> {
  mutants.activate(number, Number.MAX_SAFE_INTEGER)
  const again = await collectTests(file, () => modules.load(file)).catch(() => undefined)
  mutants.rest()
  if (again === undefined) return { outcome: 'killed', by: `${file} does not load` }
  const runs = new Map(again.map((test) => [nameOf(test), test.run]))
  const tests = among.flatMap((test) => {
    const run = runs.get(nameOf(test))
    return test.file === file && run !== undefined ? [{ ...test, run }] : []
  })
  return kill(number, tests)
}

/**
 * Tests that pass a file or one that uses it, the nearest first. If there are none: the tests of the files that use it.
 */
function candidatesOf(path: string): Tried[] {
  const users = modules.users(path)
  const tests = tried.filter((test) => isOfOneRoom(test, path))
  const own = tests.filter((test) => passesThrough(test, path))
  const near = tests.filter((test) => [...users].some((user) => passesThrough(test, user)))
  const direct = tests.filter((test) => users.has(test.file))
  return [...new Set([...direct.filter((test) => own.includes(test)), ...own, ...direct, ...near])]
}

const spans = new Map<string, [first: number, end: number]>()
fileOf.forEach((path, number) => {
  const span = spans.get(path)
  if (span) span[1] = number + 1
  else spans.set(path, [number, number + 1])
})

function passesThrough(test: Tried, path: string): boolean {
  const [first, end] = spans.get(path) ?? [0, 0]
  return test.passed.subarray(first, end).includes(1)
}

process.on('message', async (number: number) => {
  const path = fileOf[number] as string
  const passing = tried.filter((test) => test.passed[number] === 1 && isOfOneRoom(test, path))
  let result = await kill(number, passing)
  // Loading again takes seconds. Therefore only the mutants that survive the running tests are tried while loading.
  if (!isNoticed(result)) {
    const passedInBodies = [...inBodies.values()].some((passed) => passed[number] === 1)
    if (passedInBodies) result = await killInBodies(number)
    if (!isNoticed(result) && atLoad[number] === 1) result = await killAtLoad(number)
  }
  process.send?.({ type: 'done', number, ...result } satisfies Message)
})
process.send?.({ type: 'ready', tests: tried.length, failing } satisfies Message)
