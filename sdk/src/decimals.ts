/**
 * Reads decimal numbers of responses as the exact text that the service wrote. The data shape of the operation
 * determines the decimal members: properties of type number, never integers. Within one operation, no property name has
 * both types.
 */
import type { OperationName } from '@clearing/protocol'
import { calls } from '@clearing/protocol/calls'

/**
 * The names of the decimal members of an operation's `data`, for programs that write data elsewhere and must not lose
 * digits.
 */
export function decimalNames(operation: OperationName): ReadonlySet<string> {
  return new Set(calls[operation].decimals)
}

/**
 * Converts the decimals of a JSON text to strings before the text is parsed, because JSON.parse would round
 * them. A name begins
 * after `{` or `,`. The content of a string is never matched, because quotation marks in it are escaped.
 */
export function quoteDecimals(json: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return json
  const members = new RegExp(`([{,]\\s*"(?:${[...names].join('|')})"\\s*:\\s*)(-?\\d[\\d.eE+-]*)`, 'g')
  return json.replace(members, '$1"$2"')
}
