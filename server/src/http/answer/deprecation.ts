/** What the answers of an operation say when it is on its way out: Deprecation (RFC 9745), Sunset (RFC 8594), and where to read on. */
import type { Deprecation, OperationDefinition } from '@clearing/protocol'

const rendered = new WeakMap<Deprecation, Readonly<Record<string, string>>>()

/** Nothing for an operation that stays. */
export const deprecationHeaders = (
  operation: OperationDefinition | undefined,
): Readonly<Record<string, string>> | undefined => {
  const deprecated = operation?.deprecated
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
