/** Who calls an operation of the clearing firm: programs by a credential, and which people in the console; in Markdown. */
import type { Audience } from '../operation.ts'
import { rolesFor } from '../roles.ts'

/** One sentence, or nothing for what client firms call. */
export function describeCallers(name: string, audience: Audience): string[] {
  if (audience !== 'operations') return []
  const roles = rolesFor(name).map((role) => `\`${role}\``)
  const people = roles.length === 0 ? '' : `, or staff of the role ${roles.join(', ')} in the console`
  return [`Called with a credential of the clearing firm${people}.`]
}
