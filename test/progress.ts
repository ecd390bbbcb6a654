/**
 * The output of a test run: a line for each file as it ends, with its tests and its time; every failure in full, with
 * the output of its file; and at the end the time of each folder and the slowest files.
 */
import { dirname, join, relative, sep } from 'node:path'
import type { Listener } from './run-in-processes.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const slowestMax = 12

export class Progress implements Listener {
  readonly counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  readonly #filesTotal: number
  readonly #root: string
  readonly #files = new Map<string, Counts>()
  readonly #times: [file: string, ms: number][] = []
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
    console.log(`\nFAIL ${this.#name(file)}: ${name === file ? 'the file itself' : name}\n${error}\n`)
  }

  ended(file: string, timeMs: number, output: string): void {
    this.#times.push([file, timeMs])
    const { passed, failed, skipped } = this.#files.get(file) ?? { passed: 0, failed: 0, skipped: 0 }
    const rest = `${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
    const place = `${this.#times.length}/${this.#filesTotal}`.padStart(8)
    console.log(`${place} ${seconds(timeMs).padStart(8)}  ${this.#name(file)} (${passed} passed${rest})`)
    if (failed > 0 && output !== '') console.log(`It wrote:\n${output.trimEnd()}\n`)
  }

  printTimes(): void {
    console.log(`\n${seconds(performance.now() - this.#startedAtMs)} in all; of several processes together:`)
    const folders = new Map<string, number>()
    for (const [file, ms] of this.#times) {
      const [room = '', folder = ''] = dirname(this.#name(file)).split(sep)
      const name = room === 'test' ? join(room, folder) : room
      folders.set(name, (folders.get(name) ?? 0) + ms)
    }
    for (const [name, ms] of folders) console.log(`${seconds(ms).padStart(9)}  ${name}`)
    console.log('The slowest files:')
    const slowest = this.#times.toSorted(([, one], [, other]) => other - one).slice(0, slowestMax)
    for (const [file, ms] of slowest) console.log(`${seconds(ms).padStart(9)}  ${this.#name(file)}`)
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

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
