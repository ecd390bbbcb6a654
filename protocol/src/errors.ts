// The error catalogue: every code with its one HTTP status, condition, example and remedy; its rows lie in `errors/`.
// The documentation, the operation `code-lists`, OpenAPI and the types of the SDK come from it. Reading 7.
import { accessErrors } from './errors/access-errors.ts'
import type { ErrorDefinition, ErrorStatus } from './errors/error-definition.ts'
import { requestErrors } from './errors/request-errors.ts'
import { serviceErrors } from './errors/service-errors.ts'
import { valueErrors } from './errors/value-errors.ts'

export type { ErrorDefinition, ErrorStatus } from './errors/error-definition.ts'

/** The error catalogue, in order of code. */
export const errorCatalogue = [
  ...valueErrors,
  ...requestErrors,
  ...accessErrors,
  ...serviceErrors,
] as const satisfies readonly ErrorDefinition[]

/** A code of the error catalogue, such as `ERR.1000`. */
export type ErrorCode = (typeof errorCatalogue)[number]['code']

/**
 * What a caller did wrong: the specification's Error object. A value, never thrown by a rule.
 * `field` is the dotted path in the specification's spelling (`associatedParties[0].birthDate`), empty where no field
 * is at fault; `reason` is a sentence that helps and never repeats personal data. Specification, Response envelope;
 * Reading 1.9.
 */
export interface Rejection {
  readonly code: ErrorCode
  readonly field: string
  readonly reason: string
}

/** Makes a rejection. */
export function reject(code: ErrorCode, field: string, reason: string): Rejection {
  return { code, field, reason }
}

const definitionByCode: ReadonlyMap<string, (typeof errorCatalogue)[number]> = new Map(
  errorCatalogue.map((definition) => [definition.code, definition]),
)

/** Whether the text is a code of this catalogue; a later version may answer codes that this one does not know. */
export function isErrorCode(text: string): text is ErrorCode {
  return definitionByCode.has(text)
}

/** The catalogue's row of a code. */
export function definitionOf(code: ErrorCode): ErrorDefinition {
  const definition = definitionByCode.get(code)
  if (definition === undefined) throw new Error(`${code} is not in the error catalogue`)
  return definition
}

/**
 * Which status an answer with several rejections has: the first of this list that any of them has. Who calls comes
 * first, then what the service can do at all, then whether the thing named exists, then how it was sent, then the
 * fields. 400 is before 409: a request that is wrong in itself stays wrong once the conflict is gone.
 */
export const statusPrecedence = [
  401, 429, 403, 500, 503, 404, 405, 406, 413, 415, 422, 400, 409,
] as const satisfies readonly ErrorStatus[]

/** The HTTP status of an answer with these rejections; throws when there are none, since that is no error answer. */
export function statusOf(rejections: readonly Rejection[]): ErrorStatus {
  const statuses = new Set(rejections.map((rejection) => definitionOf(rejection.code).status))
  const status = statusPrecedence.find((candidate) => statuses.has(candidate))
  if (status === undefined) throw new Error('an error answer needs at least one rejection')
  return status
}
