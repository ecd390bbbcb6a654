/**
 * Headers of a response whose operation, or a member of whose request, is deprecated: Deprecation (RFC 9745), Sunset
 * (RFC 8594) and a link to the documentation.
 */
import { type Deprecation, deprecatedMembers, type OperationDefinition } from '@clearing/protocol'

const rendered = new WeakMap<Deprecation, Readonly<Record<string, string>>>()

/** Returns no headers when nothing is deprecated. */
export function deprecationHeaders(
  deprecated: Deprecation | undefined,
): Readonly<Record<string, string>> | undefined {
  if (deprecated === undefined) return undefined
  const known = rendered.get(deprecated) ?? renderDeprecation(deprecated)
  rendered.set(deprecated, known)
  return known
}

function renderDeprecation({ since, sunset }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${new Date(since).getTime() / 1_000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
    link: '</docs/changelog>; rel="deprecation"; type="text/html"',
  }
}

const members = new WeakMap<OperationDefinition, ReadonlyMap<string, Deprecation>>()

/** Finds the deprecation of a member that the request has, or undefined. */
export function deprecationOf(operation: OperationDefinition, request: object): Deprecation | undefined {
  const known = members.get(operation) ?? deprecatedMembers(operation)
  members.set(operation, known)
  for (const [name, deprecation] of known) if (name in request) return deprecation
  return undefined
}
