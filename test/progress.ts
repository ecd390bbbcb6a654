/**
 * The output of a test run: a line for each file as it ends, with its tests and its time; every failure in full; the
 * standard error of files when a test failed; and at the end the slowest files.
 */
import type { run } from 'node:test'
import { inspect } from 'node:util'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const slowestMax = 12
const messagesMax = 40

export class Progress {
  readonly counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  readonly #filesTotal: number
  readonly #name: (file: string) => string
  readonly #files = new Map<string, Counts>()
  readonly #times: [file: string, ms: number][] = []
  readonly #messages: string[] = []
  readonly #startedAtMs = performance.now()

  constructor(filesTotal: number, name: (file: string) => string) {
    this.#filesTotal = filesTotal
    this.#name = name
  }

  /** Resolves when every file has ended. */
  async follow(tests: ReturnType<typeof run>): Promise<void> {
    tests.on('test:pass', ({ entryFile, name, details, skip }) => {
      if (details.type === 'suite' || name === entryFile || entryFile === undefined) return
      this.#count(entryFile, skip === undefined ? 'passed' : 'skipped')
    })
    tests.on('test:fail', ({ entryFile, name, details }) => {
      if (details.type === 'suite') return
      const file = entryFile ?? name
      this.#count(file, 'failed')
      console.log(`\nFAIL ${this.#name(file)}: ${name === file ? 'the file itself' : name}`)
      console.log(inspect(details.error.cause ?? details.error, { colors: process.stdout.isTTY }), '\n')
    })
    tests.on('test:diagnostic', ({ message }) => {
      if (/^(Error|Warning): /.test(message)) this.#messages.push(message)
    })
    tests.on('test:stderr', ({ file, message }) => {
      this.#messages.push(`${this.#name(file)}: ${message.trimEnd()}`)
    })
    tests.on('test:summary', ({ file, duration_ms: ms }) => {
      if (file !== undefined) this.#end(file, ms)
    })
    for await (const _ of tests);
    if (this.counts.failed > 0) for (const message of this.#messages.slice(-messagesMax)) console.log(message)
  }

  printSlowest(): void {
    console.log(`\n${seconds(performance.now() - this.#startedAtMs)} in all; the slowest files:`)
    const slowest = this.#times.toSorted(([, one], [, other]) => other - one).slice(0, slowestMax)
    for (const [file, ms] of slowest) console.log(`${seconds(ms).padStart(9)}  ${this.#name(file)}`)
  }

  #count(file: string, what: keyof Counts): void {
    const own = this.#files.get(file) ?? { passed: 0, failed: 0, skipped: 0 }
    own[what] += 1
    this.counts[what] += 1
    this.#files.set(file, own)
  }

  #end(file: string, ms: number): void {
    this.#times.push([file, ms])
    const { passed, failed, skipped } = this.#files.get(file) ?? { passed: 0, failed: 0, skipped: 0 }
    const rest = `${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
    const place = `${this.#times.length}/${this.#filesTotal}`.padStart(8)
    console.log(`${place} ${seconds(ms).padStart(8)}  ${this.#name(file)} (${passed} passed${rest})`)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
