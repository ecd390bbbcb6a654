/**
 * The types of fields in the lines of loads, and the conversion of a value (JSON, or text of CSV) to the type. A value
 * is accepted exactly or refused with a code of the catalogue; it is never rounded or truncated here.
 */

import { type Decimal, type DecimalLimits, parseDecimal, renderDecimal } from '@clearing/domain/decimal'
import { type ErrorCode, parseRangeDate } from '@clearing/protocol/values'
import { startOfEasternDay } from '../../store/books/calendar.ts'
import { parseJsonLine } from './json-line.ts'
import { NumberText } from './raw-line.ts'

export interface TextField {
  readonly kind: 'text'
  readonly max: number
  /** Identifiers are in capital letters. */
  readonly upper?: boolean
  /** Whether all characters can be seen, or at least one: an id of an earlier release may have others beside it. */
  readonly visible?: 'all' | 'one'
}
export interface DecimalField {
  readonly kind: 'decimal'
  readonly limits: DecimalLimits
}
export interface CodeField<Value extends string> {
  readonly kind: 'code'
  /** The values by their lower-case spelling. */
  readonly values: ReadonlyMap<string, Value>
}
export type LineField =
  | TextField
  | DecimalField
  | CodeField<string>
  | { readonly kind: 'date' | 'flag' | 'time' | 'texts' | 'objects' }
  | { readonly kind: 'whole'; readonly max: number }
  | { readonly kind: 'ratio'; readonly limits: DecimalLimits }

export type ValueOf<Field extends LineField> = Field extends TextField
  ? string
  : Field extends DecimalField
    ? { readonly value: Decimal; readonly text: string }
    : Field extends CodeField<infer Value>
      ? Value
      : Field extends { kind: 'date' | 'time' }
        ? string
        : Field extends { kind: 'flag' }
          ? boolean
          : Field extends { kind: 'texts' }
            ? readonly string[]
            : Field extends { kind: 'objects' }
              ? readonly Readonly<Record<string, unknown>>[]
              : Field extends { kind: 'whole' }
                ? number
                : { readonly received: Decimal; readonly held: Decimal }

/** The reason why a value is refused. */
export class Refusal {
  readonly code: ErrorCode
  readonly reason: string
  constructor(code: ErrorCode, reason: string) {
    this.code = code
    this.reason = reason
  }
}

export function codeField<Value extends string>(
  values: readonly Value[] | Readonly<Record<string, Value>>,
): CodeField<Value> {
  const spellings: [string, Value][] = Array.isArray(values)
    ? values.map((value) => [value, value])
    : Object.entries(values as Readonly<Record<string, Value>>)
  return { kind: 'code', values: new Map(spellings.map(([text, value]) => [text.toLowerCase(), value])) }
}

export function parseField(field: LineField, given: unknown): unknown | Refusal {
  switch (field.kind) {
    case 'text':
      return parseText(field, given)
    case 'decimal':
      return parseAmount(field.limits, given)
    case 'code':
      return parseCode(field, given)
    case 'date':
      return parseDay(given)
    case 'time':
      return parseTime(given)
    case 'flag':
      return parseFlag(given)
    case 'whole':
      return parseWhole(field.max, given)
    case 'ratio':
      return parseRatio(field.limits, given)
    case 'texts':
      return parseTexts(given)
    case 'objects':
      return parseObjects(given)
    default:
      return field satisfies never
  }
}

// Control characters, unpaired surrogates and direction overrides.
const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const plain = /^[\x20-\x7e]*$/
const mustBeText = new Refusal('ERR.2002', 'must be a string')
const holdsForbidden = new Refusal(
  'ERR.1016',
  'contains a control character or another character that is never accepted',
)

// Two identifiers that look equal are then equal.
const invisible = /\p{Default_Ignorable_Code_Point}/u
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Z}\u2800]/u
const nothingVisible = new Refusal('ERR.1016', 'must have a character that can be seen')

/** Whether the text has a character that a reader does not see. */
export function hasInvisible(text: string): boolean {
  return !plain.test(text) && invisible.test(text)
}

/** The text, trimmed and composed (NFC). Letter case and inner blanks are preserved. */
function parseText({ max, upper, visible: seen }: TextField, given: unknown): string | Refusal {
  if (typeof given !== 'string') return mustBeText
  let text = given.trim()
  if (!plain.test(given)) {
    if (forbidden.test(given)) return holdsForbidden
    if ((upper === true || seen === 'all') && invisible.test(text)) return holdsForbidden
    if (seen === 'one' && text !== '' && !visible.test(text)) return nothingVisible
    if (text.length > max * 8) return tooLong(text, max)
    text = text.normalize('NFC')
  }
  // Capital letters can be more: ß becomes SS.
  if (upper === true) text = text.toUpperCase()
  return text.length > max && [...text].length > max ? tooLong(text, max) : text
}

function tooLong(text: string, max: number): Refusal {
  return new Refusal('ERR.1010', `must be at most ${max} characters; got ${[...text].length}`)
}

function textOfNumber(given: unknown): string | undefined {
  if (typeof given === 'string') return given.trim()
  if (typeof given === 'number') return String(given)
  return given instanceof NumberText ? given.text : undefined
}

/** The number with its original digits. An exponent is written out. */
function parseAmount(limits: DecimalLimits, given: unknown): { value: Decimal; text: string } | Refusal {
  const text = textOfNumber(given)
  if (text === undefined) return new Refusal('ERR.2002', 'must be a number')
  const value = parseDecimal(text, limits)
  if (typeof value !== 'string') return { value, text: /[eE]/.test(text) ? renderDecimal(value) : text }
  switch (value) {
    case 'not a decimal number':
      return new Refusal('ERR.1016', 'must be a decimal number such as 1234.56')
    case 'too many decimal places':
      return new Refusal('ERR.1015', `must have at most ${limits.places} decimal places`)
    case 'too many digits':
      return new Refusal('ERR.1015', `must have at most ${limits.integerDigits} digits before the point`)
    case 'negative':
      return new Refusal('ERR.1015', 'must not be negative')
    default:
      return value satisfies never
  }
}

const codesNamedMax = 8

function parseCode({ values }: CodeField<string>, given: unknown): string | Refusal {
  const text = textOfNumber(given)
  if (text === undefined) return mustBeText
  const value = values.get(text) ?? values.get(text.toLowerCase())
  if (value !== undefined) return value
  const named = [...new Set(values.values())].slice(0, codesNamedMax).join(', ')
  return new Refusal('ERR.1015', `must be one of ${named}${values.size > codesNamedMax ? ', …' : ''}`)
}

const invalidDate = new Refusal('ERR.1024', 'must be a real date such as 2026-01-30')
const days = new Map<string, string | Refusal>()
const daysKeptMax = 50_000

/** The length of every accepted form. A longer text is not kept: texts of any length would fill the memory. */
const dayLengthMax = 10

/**
 * `yyyy-MM-dd`. `yyyyMMdd` and `MM/dd/yyyy` are accepted too (Reading 1.6). Cached, because feeds name few days often.
 */
function parseDay(given: unknown): string | Refusal {
  if (typeof given !== 'string') return mustBeText
  if (given.length > dayLengthMax) return readDay(given.trim())
  const known = days.get(given)
  if (known !== undefined) return known
  const day = readDay(given.trim())
  if (days.size >= daysKeptMax) days.clear()
  days.set(given, day)
  return day
}

function readDay(text: string): string | Refusal {
  const parsed = parseRangeDate(text)
  if (parsed === undefined) return invalidDate
  return parsed >= dayMin && parsed <= dayMax ? parsed : beyondDates
}

const dayMin = '1900-01-01'
const dayMax = '2199-12-31'
const beyondDates = new Refusal('ERR.1024', `must be from ${dayMin} to ${dayMax}`)

const timeForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * ISO 8601 with a time zone; the default zone is UTC. A date alone means the first moment of that day in New York,
 * because midnight UTC belongs to the day before there. The result is in UTC with milliseconds.
 */
function parseTime(given: unknown): string | Refusal {
  if (typeof given !== 'string') return mustBeText
  const match = timeForm.exec(given.trim())
  const day = parseDay(match?.[1])
  if (match === null || day instanceof Refusal) return invalidTime
  if (match[2] === undefined) return startOfEasternDay(day).toISOString()
  const [, , hour, minute, second = '00', fraction = '', zone = 'Z'] = match
  const at = new Date(`${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isNaN(at.getTime()) ? invalidTime : at.toISOString()
}

const invalidTime = new Refusal('ERR.1024', 'must be a time stamp such as 2026-01-30T21:00:00Z')

function parseFlag(given: unknown): boolean | Refusal {
  if (typeof given === 'boolean') return given
  const text = typeof given === 'string' ? given.trim().toLowerCase() : ''
  if (text === 'true' || text === 'y') return true
  if (text === 'false' || text === 'n') return false
  return new Refusal('ERR.1015', 'must be true or false')
}

function parseWhole(max: number, given: unknown): number | Refusal {
  const text = textOfNumber(given)
  if (text === undefined || !/^\d{1,9}$/.test(text)) return new Refusal('ERR.1016', 'must be a whole number')
  const value = Number(text)
  return value <= max ? value : new Refusal('ERR.1015', `must be at most ${max}`)
}

/** `3:2`: new to old. */
function parseRatio(limits: DecimalLimits, given: unknown): { received: Decimal; held: Decimal } | Refusal {
  if (typeof given !== 'string') return mustBeText
  const [received, held, more] = given.split(':').map((part) => parseDecimal(part.trim(), limits))
  if (typeof received !== 'bigint' || typeof held !== 'bigint' || more !== undefined) {
    return new Refusal('ERR.1016', 'must be new:old, such as 3:2')
  }
  return { received, held }
}

const textsMax = 20
const textsItem: TextField = { kind: 'text', max: 60 }

/** A JSON array of texts. In CSV they are joined by `|`. */
function parseTexts(given: unknown): readonly string[] | Refusal {
  const list: unknown = typeof given === 'string' ? given.split('|') : given
  if (!Array.isArray(list)) return new Refusal('ERR.2002', 'must be an array of strings')
  if (list.length > textsMax) return new Refusal('ERR.1010', `must have at most ${textsMax} items`)
  const texts = list.map((item) => parseText(textsItem, item))
  return texts.find((text) => text instanceof Refusal) ?? (texts as string[])
}

const objectsMax = 20

/** A JSON array of objects. In CSV it is the text of that array. */
function parseObjects(given: unknown): readonly Readonly<Record<string, unknown>>[] | Refusal {
  let list = given
  if (typeof given === 'string') {
    const parsed = parseJsonLine(`{"list":${given}}`)
    if ('rejection' in parsed) return new Refusal('ERR.2004', 'must be a JSON array of objects')
    list = parsed.members.list
  }
  if (!Array.isArray(list) || list.length === 0 || !list.every(isPlainObject))
    return new Refusal('ERR.2002', 'must be an array of objects')
  if (list.length > objectsMax) return new Refusal('ERR.1010', `must have at most ${objectsMax} items`)
  return list
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  )
}
