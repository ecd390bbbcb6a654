/**
 * Finds the position of a syntax error in JSON, and the duplicate keys of valid JSON. Slower than JSON.parse, and
 * called only for texts with an error. Iterative, so that deep nesting does not use the stack.
 */
import type { JsonPath } from './json-text.ts'

const duplicatesMax = 100

function isSpace(code: number) {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
function isDigit(code: number) {
  return code >= 0x30 && code <= 0x39
}
function isHex(code: number) {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
}
const escapes = '"\\/bfnrt'

/** The number of characters read, and whether they were valid. */
type Scanned = { readonly end: number; readonly right: boolean }

function scanString(text: string, start: number): Scanned {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { end: at + 1, right: true }
    if (code < 0x20) return { end: at, right: false }
    if (code !== 0x5c) continue
    at++
    if (text[at] === 'u') {
      for (let digit = 1; digit <= 4; digit++) {
        if (!isHex(text.charCodeAt(at + digit)))
          return { end: Math.min(at + digit, text.length), right: false }
      }
      at += 4
    } else if (at >= text.length || !escapes.includes(text[at] as string)) return { end: at, right: false }
  }
  return { end: text.length, right: false }
}

function scanNumber(text: string, start: number): Scanned {
  let at = start
  const digits = (): boolean => {
    const first = at
    while (isDigit(text.charCodeAt(at))) at++
    return at > first
  }
  if (text[at] === '-') at++
  if (text[at] === '0') at++
  else if (!digits()) return { end: at, right: false }
  if (text[at] === '.') {
    at++
    if (!digits()) return { end: at, right: false }
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at++
    if (text[at] === '+' || text[at] === '-') at++
    if (!digits()) return { end: at, right: false }
  }
  return { end: at, right: true }
}

function scanScalar(text: string, start: number): Scanned {
  if (text[start] === '"') return scanString(text, start)
  if (text[start] === '-' || isDigit(text.charCodeAt(start))) return scanNumber(text, start)
  for (const word of ['true', 'false', 'null']) {
    if (word[0] !== text[start]) continue
    let at = 0
    while (at < word.length && word[at] === text[start + at]) at++
    return { end: start + at, right: at === word.length }
  }
  return { end: start, right: false }
}

interface Frame {
  readonly array: boolean
  readonly keys: Set<string>
  /** The key or index of the member that is being read. */
  at: string | number
}

/**
 * Walks the text and calls `onKey` for each key. Returns the position of the first invalid character, the length of the
 * text if it ends too early, or -1 if it is valid JSON.
 */
function walk(text: string, onKey: (frames: readonly Frame[], key: string) => void): number {
  const frames: Frame[] = []
  let due: 'value' | 'first' | 'key' | 'colon' | 'after' = 'value'
  let at = 0
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at++
    const mark = text[at]
    if (mark === undefined) return due === 'after' && frames.length === 0 ? -1 : text.length
    const frame = frames.at(-1)
    if (due === 'after') {
      if (frame === undefined) return at
      if (mark === (frame.array ? ']' : '}')) frames.pop()
      else if (mark !== ',') return at
      else if (frame.array) {
        frame.at = (frame.at as number) + 1
        due = 'value'
      } else due = 'key'
      at++
    } else if (due === 'colon') {
      if (mark !== ':') return at
      at++
      due = 'value'
    } else if (due === 'first' && mark === (frame?.array ? ']' : '}')) {
      frames.pop()
      at++
      due = 'after'
    } else if (due === 'key' || (due === 'first' && frame !== undefined && !frame.array)) {
      if (mark !== '"') return at
      const { end, right } = scanString(text, at)
      if (!right) return end
      const key = JSON.parse(text.slice(at, end)) as string
      ;(frame as Frame).at = key
      onKey(frames, key)
      at = end
      due = 'colon'
    } else if (mark === '[' || mark === '{') {
      frames.push({ array: mark === '[', keys: new Set(), at: 0 })
      at++
      due = 'first'
    } else {
      const { end, right } = scanScalar(text, at)
      if (!right) return end
      at = end
      due = 'after'
    }
  }
}

/** The position of the first error; -1 if the text is valid JSON. */
export function locateSyntaxError(text: string): number {
  return walk(text, () => {})
}

/** The places of a text that a search has passed, as a tree: a path of long keys is not compared as a whole. */
interface Passed {
  readonly within: Map<string | number, Passed>
  found: boolean
}

function passedAt(root: Passed, frames: readonly Frame[]): Passed {
  let place = root
  for (const { at } of frames) {
    let inner = place.within.get(at)
    if (inner === undefined) {
      inner = { within: new Map(), found: false }
      place.within.set(at, inner)
    }
    place = inner
  }
  return place
}

/** The paths of duplicate keys in this valid JSON text, each once. */
export function findDuplicateKeys(text: string): JsonPath[] {
  const found: JsonPath[] = []
  const root: Passed = { within: new Map(), found: false }
  walk(text, (frames, key) => {
    const { keys } = frames.at(-1) as Frame
    if (!keys.has(key)) {
      keys.add(key)
      return
    }
    if (found.length >= duplicatesMax) return
    const place = passedAt(root, frames)
    if (place.found) return
    place.found = true
    found.push(frames.map((frame) => frame.at))
  })
  return found
}
