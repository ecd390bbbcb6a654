// The form of a row of the error catalogue. Reading 7.

/** The HTTP statuses of error responses (Reading 1.8). */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/** One row of the error catalogue. */
export interface ErrorDefinition {
  /** `ERR.` and four digits; never reused, never renumbered. */
  readonly code: string
  /** The title of the code. */
  readonly name: string
  /** The HTTP status of a response with this rejection only. */
  readonly status: ErrorStatus
  /** The condition under which the service returns this code. */
  readonly condition: string
  /** An example of the rejection; `field` is empty if no field is at fault. */
  readonly example: { readonly field: string; readonly reason: string }
  /** What the caller can do. */
  readonly remedy: string
}
