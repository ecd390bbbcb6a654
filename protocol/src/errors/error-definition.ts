// What a row of the error catalogue says. Reading 7.

/** The HTTP statuses an error answer can have (Reading 1.8). */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/** One row of the error catalogue. */
export interface ErrorDefinition {
  /** `ERR.` and four digits; never reused, never renumbered. */
  readonly code: string
  /** The title of the code, in the words of the catalogue. */
  readonly name: string
  /** The one HTTP status of an answer whose only rejection this is. */
  readonly status: ErrorStatus
  /** When the service answers with this code. */
  readonly condition: string
  /** A rejection as it may be seen; `field` is empty where no field is at fault. */
  readonly example: { readonly field: string; readonly reason: string }
  /** What the caller does about it. */
  readonly remedy: string
}
