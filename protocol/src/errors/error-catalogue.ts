// The error catalogue: every code with its one HTTP status, condition, example and remedy; its rows are in the other
// files of this folder. The documentation, the operation `code-lists`, OpenAPI and the types of the SDK come from it.
// Reading 7.
import { accessErrors } from './access-errors.ts'
import type { ErrorDefinition } from './error-definition.ts'
import { requestErrors } from './request-errors.ts'
import { serviceErrors } from './service-errors.ts'
import { valueErrors } from './value-errors.ts'

/**
 * The error catalogue, ordered by code. Reading 7; ERR.2012 to ERR.2015 were added so that each code has one status.
 */
export const errorCatalogue = [
  ...valueErrors,
  ...requestErrors,
  ...accessErrors,
  ...serviceErrors,
] as const satisfies readonly ErrorDefinition[]

/** A code of the error catalogue, such as `ERR.1000`. */
export type ErrorCode = (typeof errorCatalogue)[number]['code']

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
