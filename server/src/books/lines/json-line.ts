/** Parses one line of NDJSON. No number loses a digit: a number that a float could change stays a text. */
import { parseJson, type Rejection, reject } from '@clearing/protocol/values'
import { NumberText } from './raw-line.ts'

/**
 * A float prints every number of up to fifteen digits unchanged. A line with a longer number or an exponent
 * is parsed with the text of its numbers.
 */
const inexact = /[\d.]{16}|\d[eE]/

export const notJson = reject('ERR.2004', '', 'The line is not valid JSON.')
const notAnObject = reject('ERR.2004', '', 'The line must be a JSON object.')

/** The members of the line, or the reason why it has none. */
export function parseJsonLine(
  text: string,
): { readonly members: Record<string, unknown> } | { readonly rejection: Rejection } {
  const parsed = parseJson(text)
  if ('rejections' in parsed) return { rejection: notJson }
  const { json, duplicates } = parsed
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { rejection: notAnObject }
  const [twice] = duplicates
  if (twice !== undefined) {
    return { rejection: reject('ERR.1014', twice.join('.'), 'The line gives this field twice.') }
  }
  if (!inexact.test(text)) return { members: json as Record<string, unknown> }
  return { members: JSON.parse(text, keepNumberText) }
}

function keepNumberText(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value
}
