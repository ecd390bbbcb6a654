/** What is on its way out, an operation or a member, in words for the reference. */
import type { Deprecation } from '../operation.ts'

export const describeDeprecation = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}${sunset === undefined ? '' : `, to end on ${sunset}`}. ${instead}`
