/**
 * Describes the callers of an operation of the clearing firm: programs with a credential, and roles of staff in the
 * console. Markdown.
 */
import type { Audience } from '../operation.ts'
import { rolesFor } from '../roles.ts'

/** One sentence; empty for operations of client firms. */
export function describeCallers(name: string, audience: Audience): string[] {
  if (audience !== 'operations') return []
  const roles = rolesFor(name).map((role) => `\`${role}\``)
  const people = roles.length === 0 ? '' : `, or staff of the role ${roles.join(', ')} in the console`
  return [`Called with a credential of the clearing firm${people}.`]
}
