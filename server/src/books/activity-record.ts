/**
 * The trade activity record in its stored form and in responses. Stored: the values in a fixed order, without
 * names and without the effect of later corrections. In responses: the object of the specification, built by
 * joining texts.
 */
import { activityFieldLengths, activityFieldsUnbounded } from '@clearing/protocol/values'
import { recordSeparator } from '../store/books/append-lines.ts'

export const recordFields = [
  ...Object.keys(activityFieldLengths),
  ...activityFieldsUnbounded,
] as readonly string[]

const indexes = new Map(recordFields.map((name, at) => [name, at]))
/** The index of a field in the array of values. */
export function fieldIndexOf(name: string): number {
  const at = indexes.get(name)
  if (at === undefined) throw new Error(`${name} is not a field of the activity record`)
  return at
}

/** The index of the list of views, which is JSON. It is empty when the record has only its own view. */
export const viewsAt = recordFields.length

/** The text to store. */
export function packRecord(values: readonly string[]): string {
  return values.join(recordSeparator)
}

const starts = recordFields.map((name, at) => `${at === 0 ? '{' : ','}"${name}":"`)
const cancelStatusAt = fieldIndexOf('cancelStatus')
const rebillStatusAt = fieldIndexOf('rebillStatus')
const activityTypeAt = fieldIndexOf('activityType')
const netAmountAt = fieldIndexOf('netAmount')
const quantityAt = fieldIndexOf('quantity')
const fxRateAt = fieldIndexOf('fxRate')
/** Characters that JSON escapes in a text without control characters. */
const needsEscape = /["\\]/
const escaped = /["\\]/g

/** Facts about a line that are not in its record. */
export interface FactsOfLine {
  readonly enteredOn: string
  /** The id of the line itself. That of a cancel or a rebill is not in its record. */
  readonly externalId: string
  /** True if a cancel or a rebill names the line. */
  readonly cancelled: boolean
  readonly rebilled: boolean
  /** True for a cancel that reverses no line. */
  readonly isWithoutEffect: boolean
  /** The value if the record has none. */
  readonly fxRate: string | undefined
  /** The value that replaces the one in the record. */
  readonly amounts: AmountsOfLine
  /** Names of the closings of the line, a JSON list. */
  readonly closings: string
  /** The securities that the line moved, a JSON list. */
  readonly securitiesMoved: string
}

/** Fields of the record that state the quantity and the amounts that a line moved. */
export interface AmountsOfLine {
  readonly netAmount: string
  readonly quantity: string
}

/** The values of a record, in the order of `recordFields`, and its list of views. */
export function splitRecord(kept: string): string[] {
  return kept.split(recordSeparator)
}

/** The amounts as the record has them. */
export function amountsOf(values: readonly string[]): AmountsOfLine {
  return {
    netAmount: values[netAmountAt] ?? '',
    quantity: values[quantityAt] ?? '',
  }
}

/** The list of views. Empty when the record has only its own view. */
export function viewsOf(values: readonly string[]): string {
  return values[viewsAt] ?? ''
}

/** JSON text of the record. Values of `facts` replace those of the record. */
export function renderRecord(kept: string, values: string[], facts: FactsOfLine): string {
  const { enteredOn, externalId, fxRate, amounts, closings, securitiesMoved } = facts
  values[netAmountAt] = amounts.netAmount
  values[quantityAt] = amounts.quantity
  if (fxRate !== undefined) values[fxRateAt] ||= fxRate
  const views = values[viewsAt] || `["${escapeText(values[activityTypeAt] ?? '')}"]`
  if (facts.cancelled) values[cancelStatusAt] = 'Cancelled'
  if (facts.isWithoutEffect) values[cancelStatusAt] = 'NoEffect'
  if (facts.rebilled) values[rebillStatusAt] = 'R'
  const isPlain = !needsEscape.test(kept)
  let text = ''
  for (let at = 0; at < starts.length; at += 1) {
    const value = values[at] as string
    text += `${starts[at]}${isPlain ? value : escapeText(value)}"`
  }
  return `${text},"activityTypeViewsList":${views},"enteredOn":"${enteredOn}","externalId":"${escapeText(externalId)}","closings":${closings},"securitiesMoved":${securitiesMoved}}`
}

function escapeText(value: string): string {
  return value.replace(escaped, '\\$&')
}

const descriptionLengthMax = activityFieldLengths.description
const descriptionLinesMax = 4

/**
 * A security's description, divided between words over the four description fields of the record. The
 * position has the rest.
 */
export function wrapDescription(description: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of description.split(/\s+/).flatMap(breakWord)) {
    if (line === '') line = word
    else if (line.length + 1 + word.length <= descriptionLengthMax) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  return lines.slice(0, descriptionLinesMax)
}

function breakWord(word: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < word.length; at += descriptionLengthMax)
    parts.push(word.slice(at, at + descriptionLengthMax))
  return parts
}
