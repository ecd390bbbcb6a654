/**
 * Parses JSON text strictly. Depth and number of keys are limited before and after parsing. Duplicate keys of an object
 * are detected (JSON.parse silently keeps the last one). An error is reported by its position and never quotes the
 * text.
 */
import { type Rejection, reject } from '../errors.ts'
import { limits } from '../limits.ts'
import { findDuplicateKeys, locateSyntaxError } from './json-syntax.ts'

/** The names and indexes from the root to a value, in the spelling of the text. */
export type JsonPath = readonly (string | number)[]

export type ParsedJson =
  | { readonly json: unknown; readonly duplicates: readonly JsonPath[] }
  | { readonly rejections: readonly Rejection[] }

/** Maximum number of keys of all objects of one text together. */
const keysMax = 50_000
const quote = 0x22
const backslash = 0x5c

function malformed(reason: string): ParsedJson {
  return { rejections: [reject('ERR.2004', '', reason)] }
}

/**
 * Parses the text of a request's body. Rejections: ERR.2004 (Reading 8: depth). A leading byte order mark is dropped
 * (RFC 8259, 8.1).
 */
export function parseJson(given: string): ParsedJson {
  const text = given.charCodeAt(0) === 0xfeff ? given.slice(1) : given
  const { tooDeep, colons } = scan(text)
  if (tooDeep) return malformed(`The body is nested deeper than ${limits.jsonDepthMax} levels.`)
  if (colons > keysMax) return malformed(`The body has more than ${keysMax} properties.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return malformed(describeError(text))
  }
  // Every key has a colon. Fewer keys than colons means duplicate keys.
  const duplicates = countKeys(json) === colons ? [] : findDuplicateKeys(text)
  return { json, duplicates }
}

/** One pass over the text outside of strings. The result is meaningless for invalid JSON, but the pass always ends. */
function scan(text: string): { tooDeep: boolean; colons: number } {
  let depth = 0
  let colons = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        if (at < 0) return { tooDeep: false, colons }
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > limits.jsonDepthMax) return { tooDeep: true, colons }
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x3a: // :
        colons++
        break
    }
  }
  return { tooDeep: false, colons }
}

/** The closing quote of the string that opens at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  for (const key of Object.keys(value)) count += 1 + countKeys((value as Record<string, unknown>)[key])
  return count
}

function describeError(text: string): string {
  if (text.trim() === '') return 'The body is empty; a JSON object is required.'
  const position = locateSyntaxError(text)
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - (before.lastIndexOf('\n') + 1) + 1
  const end = position >= text.length ? ': it ends too early' : ''
  return `The body is not valid JSON at line ${line}, column ${column}${end}.`
}
