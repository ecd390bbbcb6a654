// Rejections: the errors of a request, each with a code of the error catalogue, and the HTTP status of a response with
// several.
import type { AccountRule } from './codes/account-rules.ts'
import { definitionOf, type ErrorCode } from './errors/error-catalogue.ts'
import type { ErrorStatus } from './errors/error-definition.ts'

export { definitionOf, type ErrorCode, errorCatalogue, isErrorCode } from './errors/error-catalogue.ts'
export type { ErrorDefinition, ErrorStatus } from './errors/error-definition.ts'

/**
 * An error of a request: the specification's Error object. It is a value that rules return and never throw.
 * `field` is the dotted path in the specification's spelling (`associatedParties[0].birthDate`), empty if no field
 * is at fault. `reason` is a sentence that states how to correct the request. It never contains personal data.
 * Specification, Response envelope; Reading 1.9.
 */
export interface Rejection {
  readonly code: ErrorCode
  readonly field: string
  readonly reason: string
  /**
   * The rule of account policy that was broken, a row of the code list `accountRule`; absent for other errors.
   */
  readonly rule?: AccountRule
}

/** Makes a rejection. */
export function reject(code: ErrorCode, field: string, reason: string, rule?: AccountRule): Rejection {
  return rule === undefined ? { code, field, reason } : { code, field, reason, rule }
}

/**
 * The order of statuses for a response with several rejections: the first status of this list that any of them has. The
 * order is authentication, faults of the service, existence of the named object, form of the request, fields. 400
 * precedes 409, because an invalid request stays invalid after the conflict is gone.
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
