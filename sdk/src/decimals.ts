/**
 * Reads decimal numbers of responses as the exact text that the service wrote. The data shape of the operation determines the decimal
 * members: properties of type number, never integers. Within one operation, no property name has both types.
 */
import type { OperationName } from '@clearing/protocol'
import { calls } from '@clearing/protocol/calls'

/** The names of the decimal members of an operation's `data`, for programs that write data elsewhere and must not lose digits. */
export function decimalNames(operation: OperationName): ReadonlySet<string> {
  return new Set(calls[operation].decimals)
}

/** A text of JSON, or a name with its colon and a number. Texts match whole, so that nothing inside them is found. */
const nameAndNumber = /("(?:[^"\\]|\\.)*")(\s*:\s*)(-?\d[\d.eE+-]*)|"(?:[^"\\]|\\.)*"/g

/** Writes the decimals of a JSON text as texts, before it is parsed: JSON.parse would round them. */
export function quoteDecimals(json: string, names: ReadonlySet<string>): string {
  return json.replace(nameAndNumber, (whole, name?: string, colon?: string, number?: string) =>
    name !== undefined && names.has(name.slice(1, -1)) ? `${name}${colon}"${number}"` : whole,
  )
}
