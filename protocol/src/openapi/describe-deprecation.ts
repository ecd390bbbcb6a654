/** Describes the deprecation of an operation or a member, for the reference. */
import type { Deprecation } from '../operation.ts'

export function describeDeprecation({ since, sunset, instead }: Deprecation): string {
  return `Deprecated since ${since}${sunset === undefined ? '' : `, to end on ${sunset}`}. ${instead}`
}
