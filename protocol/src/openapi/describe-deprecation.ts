/** Describes the deprecation of an operation or a member, for the reference. */
import type { Deprecation } from '../operation.ts'

export const describeDeprecation = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}${sunset === undefined ? '' : `, to end on ${sunset}`}. ${instead}`
