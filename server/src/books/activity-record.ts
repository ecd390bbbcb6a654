/**
 * The trade activity record as it is kept and as it is answered. Kept: the values in a fixed order, without names and
 * without what later corrections tell. Answered: the object of the specification, made by joining texts.
 */
import { activityFieldLengths, activityFieldsUnbounded } from '@clearing/protocol'

export const recordFields = [
  ...Object.keys(activityFieldLengths),
  ...activityFieldsUnbounded,
] as readonly string[]

const place = new Map(recordFields.map((name, at) => [name, at]))
/** Where a field stands in the array; for code that fills it. */
export function placeOf(name: string): number {
  const at = place.get(name)
  if (at === undefined) throw new Error(`${name} is not a field of the activity record`)
  return at
}

const separator = '\t'

/**
 * The text to keep: the values, joined by tabs, which no value has. Appended is the list of views as JSON, empty where the
 * record has just the one that it is of.
 */
export function packRecord(values: readonly string[], views: readonly string[] | undefined): string {
  return `${values.join(separator)}${separator}${views === undefined ? '' : JSON.stringify(views)}`
}

const starts = recordFields.map((name, at) => `${at === 0 ? '{' : ','}"${name}":"`)
const cancelStatusAt = placeOf('cancelStatus')
const rebillStatusAt = placeOf('rebillStatus')
const activityTypeAt = placeOf('activityType')
const netAmountAt = placeOf('netAmount')
const quantityAt = placeOf('quantity')
const fxRateAt = placeOf('fxRate')
/** What JSON writes otherwise in a text without control characters. */
const needsEscape = /["\\]/
const escaped = /["\\]/g

/** What is told of a line beside its record. */
export interface ToldOfLine {
  readonly enteredOn: string
  /** A cancel, or a rebill, names the line. */
  readonly cancelled: boolean
  readonly rebilled: boolean
  /** Where the record has none. */
  readonly fxRate: string | undefined
  /** In the place of what the record has. */
  readonly amounts: AmountsOfLine
  /** Names of what the line closed, a list in JSON. */
  readonly closings: string
}

/** Texts of the record that say what a line moved. */
export interface AmountsOfLine {
  readonly netAmount: string
  readonly quantity: string
}

/** The values of a record, in the order of `recordFields`, and its list of views behind them. */
export function splitRecord(kept: string): string[] {
  return kept.split(separator)
}

/** The amounts as the record has them. */
export function amountsOf(values: readonly string[]): AmountsOfLine {
  return {
    netAmount: values[netAmountAt] ?? '',
    quantity: values[quantityAt] ?? '',
  }
}

/** The list of views, where the record has another than the one that it is of; else empty. */
export function viewsOf(values: readonly string[]): string {
  return values[starts.length] ?? ''
}

/** JSON text of the record, whose values are put in the place of what is told otherwise. */
export function renderRecord(kept: string, values: string[], told: ToldOfLine): string {
  const { enteredOn, cancelled, rebilled, fxRate, amounts, closings } = told
  values[netAmountAt] = amounts.netAmount
  values[quantityAt] = amounts.quantity
  if (fxRate !== undefined) values[fxRateAt] ||= fxRate
  const views = values[starts.length] || `["${escapeText(values[activityTypeAt] ?? '')}"]`
  if (cancelled) values[cancelStatusAt] = 'Cancelled'
  if (rebilled) values[rebillStatusAt] = 'R'
  const isPlain = !needsEscape.test(kept)
  let text = ''
  for (let at = 0; at < starts.length; at += 1) {
    const value = values[at] as string
    text += `${starts[at]}${isPlain ? value : escapeText(value)}"`
  }
  return `${text},"activityTypeViewsList":${views},"enteredOn":"${enteredOn}","closings":${closings}}`
}

function escapeText(value: string): string {
  return value.replace(escaped, '\\$&')
}

const descriptionLengthMax = activityFieldLengths.description
const descriptionLinesMax = 4

/** A security's description over the record's four description fields, broken between words; what does not fit is left to get from the position. */
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
