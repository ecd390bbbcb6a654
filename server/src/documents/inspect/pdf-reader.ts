// Reads PDF objects (ISO 32000-1, 7.2 and 7.3) from bytes, as leniently as the most lenient readers: unclosed values
// are closed, misplaced tokens are skipped, and names are decoded. After any such repair another reader may see other
// content, so the result is doubtful. Work is counted against a budget, so that input that causes repeated reading ends
// the reading.
import { PDF_DEPTH_MAX, PDF_VALUES_MAX } from './limits.ts'
import type { Frame, PdfValue, ReadingBudget } from './pdf-value.ts'
import { close, closeAll, place } from './pdf-value.ts'

/** Strings and names are stored up to this length, longer than any address. */
const STRING_CHARS_MAX = 8_192
/** Tokens that readers treat as one value, whether they parse as a number or not. */
const NUMBER_LIKE = /^(?:[-+.\d]*\d[-+.\d]*(?:[eE][-+]?\d+)?|[-+.]+|[-+]?(?:nan|inf)(?:inity)?)$/i
const constants = new Set(['true', 'false', 'null'])
/** Arrays that are needed completely: they lead through the page tree. */
const keptKeys = new Set(['Kids', 'Index'])

const WHITE = 1
const DELIMITER = 2
const classes = new Uint8Array(256)
for (const code of [0, 9, 10, 12, 13, 32]) classes[code] = WHITE
for (const char of '()<>[]{}/%') classes[char.charCodeAt(0)] = DELIMITER

export function isWhiteCode(code: number | undefined): boolean {
  return code !== undefined && classes[code] === WHITE
}

/** Neither white space nor a delimiter: part of a name, a number or a word. */
export function isRegularCode(code: number | undefined): boolean {
  return code !== undefined && classes[code] === 0
}

export class PdfReader {
  readonly bytes: Buffer
  /** The offset of the next value. */
  at: number
  /** True when any value so far was left open, closed out of order, dropped or misspelt. */
  doubtful = false
  /** The offset of the last number that `readNumber` read. */
  numberAt = 0
  private readonly budget: ReadingBudget

  constructor(bytes: Buffer, at: number, budget: ReadingBudget) {
    this.bytes = bytes
    this.at = at
    this.budget = budget
  }

  /** Returns the value at this offset with all its contents; undefined at the end of the bytes. */
  readValue(): PdfValue | undefined {
    const frames: Frame[] = []
    let values = 0
    for (;;) {
      const from = this.at
      const token = this.readToken()
      this.budget.spend(this.at - from + 1)
      if (token === undefined || this.budget.spent) {
        this.doubtful = true
        return closeAll(frames)
      }
      let value: PdfValue | undefined
      if (token === 'open-dictionary' || token === 'open-array') {
        if (frames.length === PDF_DEPTH_MAX) {
          this.budget.exhaust()
          return closeAll(frames)
        }
        const key = frames.at(-1)?.key
        const wholly = frames.length === 0 || (key !== undefined && keptKeys.has(key))
        const opened: Frame['value'] =
          token === 'open-array'
            ? { kind: 'array', items: [], cut: false }
            : { kind: 'dictionary', entries: [] }
        frames.push({ value: opened, key: undefined, wholly })
        continue
      }
      if (token === 'close-dictionary' || token === 'close-array') {
        const kind = token === 'close-array' ? 'array' : 'dictionary'
        const innermost = frames.at(-1)
        if (innermost?.value.kind !== kind || innermost.key !== undefined) this.doubtful = true
        value = close(frames, kind)
        if (!value) continue
      } else {
        value = token
      }
      const frame = frames.at(-1)
      if (!frame) return value
      if (++values > PDF_VALUES_MAX) this.budget.exhaust()
      if (!place(frame, value)) this.doubtful = true
    }
  }

  /** Returns the next number in any spelling; undefined, with an unchanged offset, when there is none. */
  readNumber(): number | undefined {
    const from = this.at
    this.skipWhite()
    this.budget.spend(1)
    const word = /^[-+.\d][-+.\deE]*/.exec(this.bytes.toString('latin1', this.at, this.at + 24))?.[0]
    const number = word === undefined ? Number.NaN : Number.parseFloat(word.replace(/^[-+]+/, ''))
    if (word === undefined || Number.isNaN(number)) {
      this.at = from
      return undefined
    }
    this.numberAt = this.at
    this.at += word.length
    return number
  }

  /** Returns true when `word` is next after white space and comments, and moves behind it. */
  skipWord(word: string): boolean {
    this.skipWhite()
    if (this.bytes.toString('latin1', this.at, this.at + word.length) !== word) return false
    this.at += word.length
    return true
  }

  private readToken():
    | PdfValue
    | 'open-dictionary'
    | 'close-dictionary'
    | 'open-array'
    | 'close-array'
    | undefined {
    for (;;) {
      this.skipWhite()
      const { bytes } = this
      const code = bytes[this.at]
      if (code === undefined) return undefined
      switch (code) {
        case 0x2f: // slash
          return this.readName()
        case 0x28: // (
          return this.readString()
        case 0x3c: // <
          if (bytes[this.at + 1] === 0x3c) {
            this.at += 2
            return 'open-dictionary'
          }
          return this.readHexString()
        case 0x3e: // >
          if (bytes[this.at + 1] === 0x3e) {
            this.at += 2
            return 'close-dictionary'
          }
          this.doubtful = true
          this.at++
          continue
        case 0x5b: // [
          this.at++
          return 'open-array'
        case 0x5d: // ]
          this.at++
          return 'close-array'
        case 0x29: // )
        case 0x7b: // {
        case 0x7d: // }
          this.doubtful = true
          this.at++
          continue
        default:
          return this.readWord()
      }
    }
  }

  /** Skips white space and comments. */
  skipWhite(): void {
    const { bytes } = this
    let { at } = this
    for (;;) {
      const code = bytes[at]
      if (code === undefined) break
      if (classes[code] === WHITE) at++
      else if (code === 0x25) {
        while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++
      } else break
    }
    this.budget.spend((at - this.at) >> 2)
    this.at = at
  }

  /** #4A is J: names are compared in decoded form. */
  private readName(): PdfValue {
    const { bytes } = this
    const from = ++this.at
    let escaped = false
    for (;;) {
      const code = bytes[this.at]
      if (code === undefined || classes[code] !== 0) break
      if (code === 0x23) escaped = true
      this.at++
    }
    const raw = bytes.toString('latin1', from, Math.min(this.at, from + STRING_CHARS_MAX))
    if (!escaped) return { kind: 'name', name: raw }
    // Some readers decode a # without two digits, and some end a name at a NUL.
    if (/#(?![0-9A-Fa-f]{2})|#00/.test(raw)) this.doubtful = true
    const name = raw.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    return { kind: 'name', name }
  }

  private readString(): PdfValue {
    const { bytes } = this
    const codes: number[] = []
    let depth = 1
    this.at++
    while (this.at < bytes.length) {
      let code = bytes[this.at++] ?? 0
      if (code === 0x5c) {
        code = this.readEscape()
        if (code < 0) continue
      } else if (code === 0x28) depth++
      else if (code === 0x29 && --depth === 0) break
      if (codes.length < STRING_CHARS_MAX) codes.push(code)
    }
    if (depth > 0) this.doubtful = true
    return { kind: 'string', text: String.fromCharCode(...codes) }
  }

  /** Reads the character after a backslash; -1 for a continued line. */
  private readEscape(): number {
    const { bytes } = this
    const code = bytes[this.at++] ?? 0
    switch (code) {
      case 0x6e:
        return 0x0a
      case 0x72:
        return 0x0d
      case 0x74:
        return 0x09
      case 0x62:
        return 0x08
      case 0x66:
        return 0x0c
      case 0x0d:
        if (bytes[this.at] === 0x0a) this.at++
        return -1
      case 0x0a:
        return -1
    }
    if (code < 0x30 || code > 0x37) return code
    let octal = code - 0x30
    for (let digits = 1; digits < 3; digits++) {
      const next = bytes[this.at] ?? 0
      if (next < 0x30 || next > 0x37) break
      octal = octal * 8 + next - 0x30
      this.at++
    }
    return octal & 0xff
  }

  private readHexString(): PdfValue {
    const { bytes } = this
    const codes: number[] = []
    let high = -1
    let closed = false
    this.at++
    while (this.at < bytes.length && !closed) {
      const code = bytes[this.at++] ?? 0
      closed = code === 0x3e
      const digit = hexDigit(code)
      if (digit < 0) {
        if (!closed && classes[code] !== WHITE) this.doubtful = true
        continue
      }
      if (high < 0) high = digit
      else {
        if (codes.length < STRING_CHARS_MAX) codes.push(high * 16 + digit)
        high = -1
      }
    }
    if (!closed) this.doubtful = true
    if (high >= 0) codes.push(high * 16)
    return { kind: 'string', text: String.fromCharCode(...codes) }
  }

  private readWord(): PdfValue {
    const { bytes } = this
    const from = this.at
    for (;;) {
      const code = bytes[this.at]
      if (code === undefined || classes[code] !== 0) break
      this.at++
    }
    let word = bytes.toString('latin1', from, Math.min(this.at, from + 64))
    // Some writers omit the white space between a number and the end of its object.
    if (/^\d+endobj$/.test(word)) {
      this.at -= 'endobj'.length
      word = word.slice(0, -'endobj'.length)
    }
    if (!/^[-+]?\d*\.?\d*$/.test(word)) {
      if (!constants.has(word) && !NUMBER_LIKE.test(word)) this.doubtful = true
      return { kind: 'word', word }
    }
    const whole = /^\d{1,10}$/.test(word)
    return whole && this.readReferenceTail()
      ? { kind: 'reference', object: Number(word) }
      : { kind: 'number', number: Number(word) || 0, whole }
  }

  /** Reads a generation and R after an integer, which make a reference. */
  private readReferenceTail(): boolean {
    const back = this.at
    this.skipWhite()
    const from = this.at
    while (isDigit(this.bytes[this.at])) this.at++
    if (this.at > from && this.at - from <= 10) {
      this.skipWhite()
      const after = this.bytes[this.at + 1]
      if (this.bytes[this.at] === 0x52 && (after === undefined || classes[after] !== 0)) {
        this.at++
        return true
      }
    }
    this.at = back
    return false
  }
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
