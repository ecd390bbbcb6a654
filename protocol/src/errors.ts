// The error catalogue: every code with its one HTTP status, condition, example and remedy; its rows lie in `errors/`.
// The documentation, the operation `code-lists`, OpenAPI and the types of the SDK come from it. Reading 7.
import type { AccountRule } from './codes/account-rules.ts'
import { accessErrors } from './errors/access-errors.ts'
import type { ErrorDefinition, ErrorStatus } from './errors/error-definition.ts'
import { requestErrors } from './errors/request-errors.ts'
import { serviceErrors } from './errors/service-errors.ts'
import { valueErrors } from './errors/value-errors.ts'

export type { ErrorDefinition, ErrorStatus } from './errors/error-definition.ts'

/** The error catalogue, ordered by code. Reading 7; ERR.2012 to ERR.2015 were added so that each code has one status. */
export const errorCatalogue = [
  ...valueErrors,
  ...requestErrors,
  ...accessErrors,
  ...serviceErrors,
] as const satisfies readonly ErrorDefinition[]

/** A code of the error catalogue, such as `ERR.1000`. */
export type ErrorCode = (typeof errorCatalogue)[number]['code']

/**
 * An error of a request: the specification's Error object. It is a value; rules return it and never throw it.
 * `field` is the dotted path in the specification's spelling (`associatedParties[0].birthDate`), empty if no field
 * is at fault. `reason` is a sentence that says how to correct the request and never contains personal data.
 * Specification, Response envelope; Reading 1.9.
 */
export interface Rejection {
  readonly code: ErrorCode
  readonly field: string
  readonly reason: string
  /** The rule of account policy that refuses, a row of the code list `accountRule`; absent if no such rule does. */
  readonly rule?: AccountRule
}

/** Makes a rejection. */
export function reject(code: ErrorCode, field: string, reason: string, rule?: AccountRule): Rejection {
  return rule === undefined ? { code, field, reason } : { code, field, reason, rule }
}

const definitionByCode: ReadonlyMap<string, (typeof errorCatalogue)[number]> = new Map(
  errorCatalogue.map((definition) => [definition.code, definition]),
)

/** Whether the text is a code of this catalogue. A later version may return codes that this version does not know. */
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
 * The order of statuses for a response with several rejections: the first status of this list that any of them has. The order is
 * authentication, faults of the service, existence of the named object, form of the request, fields. 400 precedes 409,
 * because an invalid request stays invalid after the conflict is gone.
 */
export const statusPrecedence = [
  401, 429, 403, 500, 503, 404, 405, 406, 413, 415, 422, 400, 409,
] as const satisfies readonly ErrorStatus[]

/** The HTTP status of a response with these rejections. Throws if the list is empty. */
export function statusOf(rejections: readonly Rejection[]): ErrorStatus {
  const statuses = new Set(rejections.map((rejection) => definitionOf(rejection.code).status))
  const status = statusPrecedence.find((candidate) => statuses.has(candidate))
  if (status === undefined) throw new Error('an error response needs at least one rejection')
  return status
}
