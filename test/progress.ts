/**
 * The output of a test run: a line with the tests of each file as the file ends, and every failure in full with the
 * output of its file. At the end follow the time and the processor time of each folder and of the slowest files, and
 * the names of the failures. The time of a file excludes its part of the shared PostgreSQL server.
 */
import { dirname, join, relative, sep } from 'node:path'
import type { FileTimes, Listener } from './run-in-processes.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const slowestMax = 12
const width = 9

export class Progress implements Listener {
  readonly counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  readonly #filesTotal: number
  readonly #root: string
  readonly #files = new Map<string, Counts>()
  readonly #failures: string[] = []
  readonly #times: [file: string, times: FileTimes][] = []
  readonly #startedAtMs = performance.now()

  constructor(filesTotal: number, root: string) {
    this.#filesTotal = filesTotal
    this.#root = root
  }

  passed(file: string): void {
    this.#count(file, 'passed')
  }

  skipped(file: string): void {
    this.#count(file, 'skipped')
  }

  failed(file: string, name: string, error: string): void {
    this.#count(file, 'failed')
    const failure = `FAIL ${this.#name(file)}: ${name === file ? 'the file itself' : name}`
    this.#failures.push(failure)
    console.log(`\n${failure}\n${error}\n`)
  }

  ended(file: string, times: FileTimes, output: string): void {
    this.#times.push([file, times])
    const { passed, failed, skipped } = this.#files.get(file) ?? { passed: 0, failed: 0, skipped: 0 }
    const rest = `${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
    const place = `${this.#times.length}/${this.#filesTotal}`.padStart(8)
    console.log(`${place} ${columns(times)}  ${this.#name(file)} (${passed} passed${rest})`)
    if (failed > 0 && output !== '') console.log(`It wrote:\n${output.trimEnd()}\n`)
  }

  /** `processorMs` is the processor time of the whole run, including the shared PostgreSQL server. */
  printTimes(processorMs: number): void {
    const allMs = performance.now() - this.#startedAtMs
    console.log(
      `\n${seconds(allMs)} and ${seconds(processorMs)} of processor time in all. Of several processes together:`,
    )
    const folders = new Map<string, FileTimes>()
    for (const [file, { timeMs, processorMs }] of this.#times) {
      const [workspace = '', folder = ''] = dirname(this.#name(file)).split(sep)
      const name = workspace === 'test' ? join(workspace, folder) : workspace
      const sum = folders.get(name) ?? { timeMs: 0, processorMs: 0 }
      folders.set(name, { timeMs: sum.timeMs + timeMs, processorMs: sum.processorMs + processorMs })
    }
    for (const [name, times] of folders) console.log(`${columns(times)}  ${name}`)
    console.log('The slowest files:')
    const slowest = this.#times
      .toSorted(([, one], [, other]) => other.timeMs - one.timeMs)
      .slice(0, slowestMax)
    for (const [file, times] of slowest) console.log(`${columns(times)}  ${this.#name(file)}`)
  }

  /** A reader of the last lines alone learns what failed. */
  printFailures(): void {
    for (const failure of this.#failures) console.log(failure)
  }

  #name(file: string): string {
    return relative(this.#root, file)
  }

  #count(file: string, what: keyof Counts): void {
    const own = this.#files.get(file) ?? { passed: 0, failed: 0, skipped: 0 }
    own[what] += 1
    this.counts[what] += 1
    this.#files.set(file, own)
  }
}

function columns({ timeMs, processorMs }: FileTimes): string {
  return seconds(timeMs).padStart(width) + seconds(processorMs).padStart(width)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
