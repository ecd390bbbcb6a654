/**
 * The lines of a body: UTF-8, ended by LF, CRLF or CR. A byte order mark at the start is removed. Blank lines
 * are skipped but counted. The reader holds one chunk of the body and at most one unfinished line of
 * `limits.loadLineSizeBytesMax`.
 */
import { isUtf8 } from 'node:buffer'
import { limits, type Rejection, reject } from '@clearing/protocol/values'

export type TextLine =
  | {
      readonly line: number
      readonly text: string
      /** True if the body ended within the line. */
      readonly unended: boolean
    }
  | { readonly line: number; readonly rejection: Rejection }

const newline = 0x0a
const blank = /^\s*$/
const most = limits.loadLineSizeBytesMax
const tooLong = reject('ERR.1010', '', `A line must be at most ${most.toLocaleString('en-US')} bytes.`)
const notUtf8 = reject('ERR.1016', '', 'The line is not UTF-8.')

/**
 * The number of lines in the first group, so that work begins soon. Each later group has twice as many lines
 * as the previous one.
 */
const linesAtFirst = 5_000

/** The lines, in groups of at most `linesMax`. */
export async function* readTextLines(
  body: AsyncIterable<Buffer>,
  linesMax: () => number,
): AsyncGenerator<TextLine[]> {
  const splitter = new LineSplitter()
  let size = linesAtFirst
  for await (const piece of body) {
    splitter.take(piece)
    while (splitter.lines.length >= Math.min(size, linesMax())) {
      const taken = Math.min(size, linesMax())
      yield splitter.lines.splice(0, taken)
      size = Math.min(2 * taken, linesMax())
    }
  }
  splitter.end()
  while (splitter.lines.length > 0) yield splitter.lines.splice(0, size)
}

class LineSplitter {
  readonly lines: TextLine[] = []
  #number = 0
  /** The unfinished line so far. Undefined while a line that is too long is skipped. */
  #rest: Buffer[] | undefined = []
  #restSize = 0

  take(piece: Buffer): void {
    const end = piece.lastIndexOf(newline)
    if (end < 0) {
      this.#keep(piece)
      return
    }
    const first = piece.indexOf(newline)
    this.#keep(piece.subarray(0, first))
    this.#finish(false)
    if (end > first) this.#takeWhole(piece.subarray(first + 1, end), false)
    this.#keep(piece.subarray(end + 1))
  }

  end(): void {
    if (this.#rest === undefined || this.#restSize > 0) this.#finish(true)
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#rest === undefined) return
    this.#restSize += part.length
    if (this.#restSize > most) this.#rest = undefined
    // A copy, so that a short remainder does not keep the whole chunk in memory.
    else this.#rest.push(Buffer.from(part))
  }

  #finish(unended: boolean): void {
    const bytes = this.#rest
    this.#rest = []
    this.#restSize = 0
    if (bytes === undefined) this.#refuse(tooLong)
    else this.#takeWhole(Buffer.concat(bytes), unended)
  }

  /** Complete lines, without the last line ending. */
  #takeWhole(bytes: Buffer, unended: boolean): void {
    if (isUtf8(bytes)) {
      const text = bytes.toString('utf8')
      const lines = text.includes('\r') ? text.replace(/\r$/, '').split(/\r\n|\n|\r/) : text.split('\n')
      const last = unended && !text.endsWith('\r') ? lines.length - 1 : -1
      for (const [at, line] of lines.entries()) this.#takeText(line, at === last)
      return
    }
    for (let start = 0; start <= bytes.length; ) {
      const found = bytes.indexOf(newline, start)
      const end = found < 0 ? bytes.length : found
      const line = bytes.subarray(start, end)
      if (isUtf8(line)) this.#takeText(line.toString('utf8'), unended)
      else this.#refuse(notUtf8)
      start = end + 1
    }
  }

  #takeText(given: string, unended: boolean): void {
    const start = this.#number === 0 && given.charCodeAt(0) === 0xfeff ? 1 : 0
    const text = given.slice(start, given.endsWith('\r') ? -1 : undefined)
    // A UTF-16 unit takes at most three bytes, so most lines need not be measured.
    if (text.length * 3 > most && Buffer.byteLength(text) > most) {
      this.#refuse(tooLong)
      return
    }
    this.#number += 1
    if (!blank.test(text)) this.lines.push({ line: this.#number, text, unended })
  }

  #refuse(rejection: Rejection): void {
    this.#number += 1
    this.lines.push({ line: this.#number, rejection })
  }
}
