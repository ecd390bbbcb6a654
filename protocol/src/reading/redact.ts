/**
 * Requests and answers as they may be kept for their callers to look back at: without personal numbers, birth dates and
 * secrets, and cut at a length. What the contract does not know is not shown at all: only its name, since nobody knows what
 * a caller put there by mistake.
 */
import type { TSchema } from 'typebox'
import { readerOf } from './read-request.ts'
import type { Reader } from './reader.ts'

/** Fields, by their canonical names, whose values are never kept. A test holds this list against every operation. */
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

/** Nine digits by themselves, as tax ids are written, in a field that is for something else. */
const looksPersonal = /(?<![\w-])(?:\d{3}[- ]?\d{2}[- ]?\d{4}|\d{2}-\d{7})(?![\w-])/g
const mask = (text: string): string => text.replace(looksPersonal, '[redacted]')

/** The JSON text of a request as its caller spelled it, at most so many characters. */
export function redactRequest(schema: TSchema, json: unknown, lengthMax: number): string {
  const text = new BoundedText(lengthMax)
  writeValue(text, json, readerOf(schema))
  return text.end()
}

const answered = new RegExp(
  `"(${[...redactedNames].join('|')})":(?:"(?:[^"\\\\]|\\\\.|\\\\$)*(?:"|$)|[^",}\\]]+)`,
  'g',
)

/** Beyond the cut, so that a number across it is seen whole. */
const lookAhead = 16

/** The JSON text of an answer of ours, at most so many characters. A refusal names fields as the caller spelled them. */
export const redactAnswer = (text: string, lengthMax: number): string =>
  mask(text.slice(0, lengthMax + lookAhead).replace(answered, (_, name: string) => `"${name}":${redacted}`))
    .slice(0, lengthMax)
    .toWellFormed()

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
    text.add(mask(JSON.stringify(value)))
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
    const name = JSON.stringify(mask(spelled.slice(0, nameLengthMax)))
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

  add(text: string): void {
    if (!this.full) this.#text += text
  }

  end(): string {
    return this.#text.slice(0, this.#lengthMax).toWellFormed()
  }
}
