/**
 * What a call can end with instead of an answer. Each error names the operation, the codes, fields and reasons, and the
 * traceId to quote when asking for help; none repeats personal data, since reasons never do.
 */
import type { ErrorCode } from '@clearing/protocol'

/** An error of the catalogue as it was answered. The codes are open: a later service may answer new ones. */
export interface AnsweredRejection {
  readonly code: ErrorCode | (string & {})
  /** Dotted path of the field at fault (`associatedParties[0].birthDate`), empty where none is. */
  readonly field: string
  /** What is wrong and how to mend it. */
  readonly reason: string
}

export interface FailureDetails {
  readonly operation: string
  readonly traceId: string
  readonly status?: number | undefined
  readonly rejections?: readonly AnsweredRejection[] | undefined
  readonly idempotencyKey?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A call that got no successful answer. Catch this one for all of them but `TokenRefused`. */
export class CallFailed extends Error {
  override readonly name: string = 'CallFailed'
  /** What happened, in a few words. */
  readonly summary: string
  /** The operation's name, such as `new-account`. */
  readonly operation: string
  /** HTTP status of the last answer; undefined when there was none. */
  readonly status: number | undefined
  /** The errors that the service answered; empty when it answered none. */
  readonly rejections: readonly AnsweredRejection[]
  /** W3C trace id of the call: quote it when asking for help. Without an answer it is the one that the client sent. */
  readonly traceId: string
  /** The key a write was sent with; undefined for reads. */
  readonly idempotencyKey: string | undefined
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(summary: string, details: FailureDetails) {
    const { cause, rejections = [] } = details
    super(renderMessage(summary, details), cause === undefined ? undefined : { cause })
    this.summary = summary
    this.operation = details.operation
    this.status = details.status
    this.rejections = rejections
    this.traceId = details.traceId
    this.idempotencyKey = details.idempotencyKey
    this.retryAfterMs = details.retryAfterMs
  }

  /** Whether the service answered this code. */
  has(code: ErrorCode | (string & {})): boolean {
    return this.rejections.some((rejection) => rejection.code === code)
  }

  /** The errors at a field, or inside it: `at('primaryOwner')` includes `primaryOwner.lastName`. */
  at(field: string): readonly AnsweredRejection[] {
    return this.rejections.filter(
      (rejection) =>
        rejection.field === field ||
        rejection.field.startsWith(`${field}.`) ||
        rejection.field.startsWith(`${field}[`),
    )
  }
}

/** The service refused the request (4xx): something in it is wrong, and sending it again does not help. Nothing was changed. */
export class RequestRejected extends CallFailed {
  override readonly name: string = 'RequestRejected'
  declare readonly status: number
}

/** The session of the page has ended, or there is none (401): sign in, then call again. Only of clients with `session: 'page'`. */
export class SignedOut extends RequestRejected {
  override readonly name = 'SignedOut'
}

/** The service failed (500), or something between answered what is not an answer of the service. */
export class ServiceFailed extends CallFailed {
  override readonly name = 'ServiceFailed'
}

/** The service could not be reached or cannot answer now, and nothing was changed. Try again later. */
export class ServiceUnavailable extends CallFailed {
  override readonly name = 'ServiceUnavailable'
}

/**
 * A write was sent and its outcome is not known: the connection broke, or time ran out. Send the same request again with
 * the same `idempotencyKey`: it is done once, and the answer is that of the first time if there was one.
 */
export class OutcomeUnknown extends CallFailed {
  override readonly name = 'OutcomeUnknown'
  declare readonly idempotencyKey: string
}

/** The token endpoint refused the credentials: an error object of RFC 6749, section 5.2. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly status: number
  /** `invalid_client`, `invalid_scope`, `unauthorized_client`… */
  readonly error: string
  readonly errorDescription: string | undefined

  constructor(status: number, error: string, errorDescription: string | undefined) {
    super(`No access token (${status} ${error})${errorDescription ? `: ${errorDescription}` : ''}`)
    this.status = status
    this.error = error
    this.errorDescription = errorDescription
  }
}

/** The service was silent for longer than `timeoutMs`: the cause of a failure. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

const linesShownMax = 20

function renderMessage(summary: string, details: FailureDetails): string {
  const { rejections = [], status } = details
  const shown = rejections.slice(0, linesShownMax).map(renderRejection)
  const rest = rejections.length - shown.length
  const head = `${details.operation}: ${summary}${status === undefined ? '' : ` (${status})`}`
  return [head, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : []), `  traceId ${details.traceId}`].join(
    '\n',
  )
}

const renderRejection = ({ code, field, reason }: AnsweredRejection) =>
  `  ${code}${field === '' ? '' : ` ${field}`}: ${reason}`
