/** Shows the progress of a file of lines on a terminal: a bar, the lines and the lines per second. */
import type { Terminal } from './terminal.ts'

const newline = 0x0a
const shownEveryMs = 100
const barWidth = 30

export class ProgressOfLines {
  readonly #terminal: Terminal
  readonly #sizeBytes: number | undefined
  readonly #startedAt = performance.now()
  #shownAt = 0
  #bytes = 0
  #lines = 0

  constructor(terminal: Terminal, sizeBytes: number | undefined) {
    this.#terminal = terminal
    this.#sizeBytes = sizeBytes
  }

  /** The bytes that were read. */
  get bytes(): number {
    return this.#bytes
  }

  /** Passes the chunks on and counts their lines. A new attempt restarts the count. */
  async *watch(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#bytes = 0
    this.#lines = 0
    for await (const piece of pieces) {
      yield piece
      this.#bytes += piece.length
      for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) this.#lines += 1
      this.#show()
    }
  }

  /** Removes the display. Returns the seconds since the start. */
  end(): number {
    this.#terminal.progress('')
    return (performance.now() - this.#startedAt) / 1000
  }

  #show(): void {
    const now = performance.now()
    if (now - this.#shownAt < shownEveryMs && this.#bytes !== this.#sizeBytes) return
    this.#shownAt = now
    const seconds = (now - this.#startedAt) / 1000
    const rate = Math.round(this.#lines / Math.max(seconds, 0.001))
    const count = `${this.#lines.toLocaleString('en-US')} lines  ${rate.toLocaleString('en-US')}/s`
    this.#terminal.progress(`${this.#bar()}${count}`)
  }

  #bar(): string {
    if (this.#sizeBytes === undefined || this.#sizeBytes === 0) return ''
    const part = Math.min(1, this.#bytes / this.#sizeBytes)
    const full = Math.round(part * barWidth)
    const percent = `${Math.floor(part * 100)}%`.padStart(4)
    return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${percent}  `
  }
}
