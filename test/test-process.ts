/**
 * A process of the test run. It runs the files that the run sends, one after another, each as a suite, so that the
 * hooks and failures of a file stay its own. It is also the reporter of `node:test` and sends the results as they
 * arrive.
 */
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { readProcessorMs } from './processor-time.ts'
import type { FromProcess } from './run-in-processes.ts'
import { declareSuite } from './tracked-tests.ts'

/**
 * The time that the run allows a process to end after its last file. Something left open keeps a process that runs
 * longer.
 */
const endTimeoutMs = 20_000
const environment = { ...process.env }
let processorMs = 0
/** The last fault from outside a running test. */
let stray: unknown

fc.configureGlobal({ seed: Number(process.env.SEED) })
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (fault: unknown) => {
    stray = fault
    // A test that waits for a failed step hangs. Then only the output shows the fault.
    console.error(fault)
  })
process.on('message', (file: string) => {
  declareSuite(file, () => import(pathToFileURL(file).href))
})
process.on('disconnect', () => {
  setTimeout(() => {
    console.error(`still open: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }, endTimeoutMs).unref()
})

interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly nesting: number
    readonly skip?: string | boolean
    readonly details?: { readonly type?: string; readonly error?: Error & { readonly failureType?: string } }
  }
}

export default async function* sendResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const result = resultOf(type, data)
    if (result !== undefined) send(result)
    if (data.nesting === 0 && (type === 'test:pass' || type === 'test:fail')) endFile()
  }
  yield ''
}

function resultOf(type: string, { name, skip, details }: TestEvent['data']): FromProcess | undefined {
  const isSuite = details?.type === 'suite'
  if (type === 'test:dequeue') return { type: 'begun', name }
  if (type === 'test:pass' && !isSuite) return { type: skip === undefined ? 'passed' : 'skipped', name }
  if (type !== 'test:fail' || details?.error === undefined) return undefined
  // A suite fails with its tests. When it fails without a failed test, a hook failed or the file cannot be loaded.
  if (isSuite && ['subtestsFailed', 'cancelledByParent'].includes(details.error.failureType ?? ''))
    return undefined
  return { type: 'failed', name, error: inspect(details.error.cause ?? details.error) }
}

function endFile(): void {
  // The runner sets the exit code when a fault comes from a test that has ended, or from no test.
  if (process.exitCode) {
    send({ type: 'failed', name: 'outside its tests', error: inspect(stray) })
    process.exitCode = undefined
  }
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  const beforeMs = processorMs
  processorMs = readProcessorMs()
  send({
    type: 'ended',
    memoryMb: process.memoryUsage.rss() / 2 ** 20,
    processorMs: processorMs - beforeMs,
  })
}

function send(message: FromProcess): void {
  process.send?.(message)
}
