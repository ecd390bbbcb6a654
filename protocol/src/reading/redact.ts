/**
 * Redacts requests and responses for the log of calls: removes personal numbers, birth dates and secrets, and truncates
 * the text. If the contract does not define a property, only its name is kept, because its value can be anything.
 */
import type { TSchema } from 'typebox'
import { maskFieldName } from './mask-name.ts'
import { readerOf } from './read-request.ts'
import type { Reader } from './reader.ts'

/** Canonical names of the fields whose values are never kept. A test compares this list with every operation. */
export const redactedNames: ReadonlySet<string> = new Set([
  'taxIdNumber',
  'taxId',
  'idNumber',
  'birthDate',
  'secret',
  'clientSecret',
  'password',
])

const redacted = '"[redacted]"'
const unknown = '"[unknown field]"'
const nameLengthMax = 100

/** Nine digits in the form of a tax id, in a field with another purpose. */
const looksPersonal = /(?<![\w-])(?:\d{3}[- ]?\d{2}[- ]?\d{4}|\d{2}-\d{7})(?![\w-])/g
function mask(text: string): string {
  return text.replace(looksPersonal, '[redacted]')
}

/** The redacted JSON text of a request in the spelling of its caller, with a maximum length. */
export function redactRequest(schema: TSchema, json: unknown, lengthMax: number): string {
  const text = new BoundedText(lengthMax)
  writeValue(text, json, readerOf(schema))
  return text.end()
}

const answered = new RegExp(
  `"(${[...redactedNames].join('|')})":(?:"(?:[^"\\\\]|\\\\.|\\\\$)*(?:"|$)|[^",}\\]]+)`,
  'g',
)

/** Characters read beyond the cut, so that a number that crosses the cut is recognized. */
const lookAhead = 16

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The redacted JSON text of a response, with a maximum length. An error response names fields in the spelling of the
 * caller.
 */
export function redactAnswer(text: string, lengthMax: number): string {
  const kept = mask(
    text.slice(0, lengthMax + lookAhead).replace(answered, (_, name: string) => `"${name}":${redacted}`),
  ).slice(0, lengthMax)
  // A copy, because V8 keeps a whole text in memory for a part of it. Encoding makes it well-formed too.
  return text.length > lengthMax ? decoder.decode(encoder.encode(kept)) : kept.toWellFormed()
}

function writeValue(text: BoundedText, value: unknown, reader: Reader | undefined): void {
  if (text.full) return
  if (Array.isArray(value)) {
    text.add('[')
    value.forEach((one, at) => {
      if (at > 0) text.add(',')
      writeValue(text, one, reader?.item)
    })
    text.add(']')
  } else if (typeof value !== 'object' || value === null) {
    text.add(mask(JSON.stringify(text.shorten(value))))
  } else if (reader?.member === undefined) {
    text.add(unknown)
  } else {
    writeBlock(text, value, reader.member)
  }
}

function writeBlock(text: BoundedText, block: object, memberOf: NonNullable<Reader['member']>): void {
  text.add('{')
  Object.entries(block).forEach(([spelled, value], at) => {
    if (text.full) return
    const name = JSON.stringify(maskFieldName(spelled).slice(0, nameLengthMax))
    text.add(at > 0 ? `,${name}:` : `${name}:`)
    const member = memberOf(spelled)
    if (member === undefined) text.add(unknown)
    else if (!redactedNames.has(member.name)) writeValue(text, value, member.reader)
    else text.add(value === null || value === '' ? JSON.stringify(value) : redacted)
  })
  text.add('}')
}

class BoundedText {
  readonly #lengthMax: number
  #text = ''

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax
  }

  get full(): boolean {
    return this.#text.length > this.#lengthMax
  }

  /** A value without the characters that cannot fit. V8 would keep the whole value in memory for its beginning. */
  shorten(value: unknown): unknown {
    return typeof value === 'string' ? value.slice(0, this.#lengthMax + lookAhead) : value
  }

  add(text: string): void {
    if (!this.full) this.#text += text
  }

  end(): string {
    return this.#text.slice(0, this.#lengthMax).toWellFormed()
  }
}
