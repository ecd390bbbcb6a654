/**
 * Describes which values of an example a reader replaces with their own, and which operations return them. Markdown.
 */
import type { OperationExample } from '../operation.ts'

/** One sentence; empty if the example runs unchanged. */
export function describeYours({ yours = {} }: OperationExample): string[] {
  const values = Object.entries(yours).map(([member, operation]) => `\`${member}\` from \`${operation}\``)
  return values.length === 0 ? [] : [`Replace with your own values: ${values.join(', ')}.`]
}
