/** Which values of an example a reader replaces by their own, and where those come from; in Markdown. */
import type { OperationExample } from '../operation.ts'

/** One sentence, or nothing where the example runs as it stands. */
export function describeYours({ yours = {} }: OperationExample): string[] {
  const values = Object.entries(yours).map(
    ([member, operation]) => `\`${member}\` as \`${operation}\` answers it`,
  )
  return values.length === 0 ? [] : [`Put in your own: ${values.join(', ')}.`]
}
