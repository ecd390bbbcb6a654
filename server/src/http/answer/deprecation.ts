/**
 * What an answer says when its operation, or a member of its request, is on its way out: Deprecation (RFC 9745), Sunset (RFC 8594), and
 * where to read on.
 */
import { type Deprecation, deprecatedMembers, type OperationDefinition } from '@clearing/protocol'

const rendered = new WeakMap<Deprecation, Readonly<Record<string, string>>>()

/** Nothing for what stays. */
export const deprecationHeaders = (
  deprecated: Deprecation | undefined,
): Readonly<Record<string, string>> | undefined => {
  if (deprecated === undefined) return undefined
  const known = rendered.get(deprecated) ?? renderDeprecation(deprecated)
  rendered.set(deprecated, known)
  return known
}

const renderDeprecation = ({ since, sunset }: Deprecation): Record<string, string> => ({
  deprecation: `@${new Date(since).getTime() / 1_000}`,
  ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
  link: '</docs/changelog>; rel="deprecation"; type="text/html"',
})

const members = new WeakMap<OperationDefinition, ReadonlyMap<string, Deprecation>>()

/** That of a member which the request has; undefined when all that it has stay. */
export function deprecationOf(operation: OperationDefinition, request: object): Deprecation | undefined {
  const known = members.get(operation) ?? deprecatedMembers(operation)
  members.set(operation, known)
  for (const [name, deprecation] of known) if (name in request) return deprecation
  return undefined
}
