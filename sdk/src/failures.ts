/**
 * The errors of a call. Each error holds the operation, the codes, fields and reasons of the rejections, and the
 * traceId to quote to support. No error contains personal data, because reasons never contain any.
 */
import type { ErrorCode } from '@clearing/protocol'

/** An error of the catalogue in a response. A later version of the service may return new codes. */
export interface AnsweredRejection {
  readonly code: ErrorCode | (string & {})
  /** Dotted path of the field at fault (`associatedParties[0].birthDate`); empty if no field is at fault. */
  readonly field: string
  /** What is wrong and how to correct it. */
  readonly reason: string
  /**
   * The rule of account policy that was broken, a value of the code list `accountRule`; absent for other
   * errors.
   */
  readonly rule?: string
}

export interface FailureDetails {
  readonly operation: string
  readonly traceId: string
  readonly status?: number | undefined
  readonly rejections?: readonly AnsweredRejection[] | undefined
  readonly idempotencyKey?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** Whether it is not known if the attempt took effect. The message then does not state that nothing was changed. */
  readonly mayHaveTakenEffect?: boolean
  /** Whether an intermediary sent the response, so that the service may not know the call. */
  readonly byIntermediary?: boolean
  readonly cause?: unknown
}

/** A call without a successful response. The base class of all errors of a call except `TokenRefused`. */
export class CallFailed extends Error {
  override readonly name: string = 'CallFailed'
  /** The failure in a few words. */
  readonly summary: string
  /** The operation's name, such as `new-account`. */
  readonly operation: string
  /** HTTP status of the last response; undefined if there was none. */
  readonly status: number | undefined
  /** The errors in the response; empty if there are none. */
  readonly rejections: readonly AnsweredRejection[]
  /** The W3C trace id of the call. Quote it to support. Without a response it is the id that the client sent. */
  readonly traceId: string
  /** The idempotency key of a write; undefined for a read. */
  readonly idempotencyKey: string | undefined
  /** The wait that the service requested (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(summary: string, details: FailureDetails) {
    const { cause, rejections = [] } = details
    const message = renderMessage(summary, details, new.target.advise(details))
    super(message, cause === undefined ? undefined : { cause })
    this.summary = summary
    this.operation = details.operation
    this.status = details.status
    this.rejections = rejections
    this.traceId = details.traceId
    this.idempotencyKey = details.idempotencyKey
    this.retryAfterMs = details.retryAfterMs
  }

  /**
   * What the caller can do, as the last line of the message. Empty if the rest of the message already states
   * it.
   */
  protected static advise(_details: FailureDetails): string {
    return ''
  }

  /** Whether the response holds this code. */
  has(code: ErrorCode | (string & {})): boolean {
    return this.rejections.some((rejection) => rejection.code === code)
  }

  /** The errors of a field and of the fields inside it: `at('primaryOwner')` includes `primaryOwner.lastName`. */
  at(field: string): readonly AnsweredRejection[] {
    return this.rejections.filter(
      (rejection) =>
        rejection.field === field ||
        rejection.field.startsWith(`${field}.`) ||
        rejection.field.startsWith(`${field}[`),
    )
  }
}

/**
 * The service rejected the request (4xx). The request must be corrected; a retry does not help. Nothing was changed.
 */
export class RequestRejected extends CallFailed {
  override readonly name: string = 'RequestRejected'
  declare readonly status: number

  protected static override advise({ status, rejections = [] }: FailureDetails): string {
    const has = (code: ErrorCode) => rejections.some((rejection) => rejection.code === code)
    if (has('ERR.3004')) return 'Use a credential that was granted the scope, or ask for it.'
    if (has('ERR.2029')) return 'Call from a network of the credential, or ask operations to add yours.'
    if (has('ERR.2008')) return 'Use another idempotency key for another request.'
    if (has('ERR.2009')) return 'Send the same request again after a moment, with the same idempotency key.'
    if (has('ERR.2010')) return 'Read the record again, and send the change with its version.'
    if (status === 401) return 'Check the credentials of the client, or the token that accessToken returns.'
    if (status === 403) return 'Use a credential of the firm that the values belong to.'
    if (status === 429) return 'Send fewer requests at a time.'
    if (rejections.length === 0)
      return 'Nothing was changed. Check that baseUrl is the address of the service.'
    return 'Nothing was changed. Correct the request and send it again.'
  }
}

/**
 * The session of the page has ended or does not exist (401). Sign in, then call again. Only for clients with `session:
 * 'page'`.
 */
export class SignedOut extends RequestRejected {
  override readonly name = 'SignedOut'

  protected static override advise(): string {
    return 'Sign in again.'
  }
}

/** The service failed (500), or an intermediary sent a response that is not a response of the service. */
export class ServiceFailed extends CallFailed {
  override readonly name = 'ServiceFailed'

  protected static override advise({ byIntermediary }: FailureDetails): string {
    if (byIntermediary === true)
      return 'Check baseUrl, and the proxy, gateway or firewall before the service, which may not have received the call.'
    return 'Report it with the traceId. A write can be sent again with the same idempotency key.'
  }
}

/**
 * The service could not be reached or is not available, or a returned file broke off. Nothing was changed. Try again
 * later.
 */
export class ServiceUnavailable extends CallFailed {
  override readonly name = 'ServiceUnavailable'

  protected static override advise({ status, cause, mayHaveTakenEffect }: FailureDetails): string {
    const effect = mayHaveTakenEffect === true ? '' : 'Nothing was changed. '
    if (isTimeout(cause)) return `${effect}${moreTime}`
    return status === undefined
      ? `${effect}Check that the service runs at baseUrl, then send the call again.`
      : `${effect}Send the call again later.`
  }
}

/**
 * A write was sent and its outcome is not known: the connection broke or a timeout occurred. Send the same request
 * again with the same `idempotencyKey`: the write takes effect once, and the response is that of the first attempt if
 * it took effect.
 */
export class OutcomeUnknown extends CallFailed {
  override readonly name = 'OutcomeUnknown'
  declare readonly idempotencyKey: string

  protected static override advise({ cause }: FailureDetails): string {
    return isTimeout(cause) ? moreTime : ''
  }
}

const tokenAdvice: Readonly<Record<string, string | undefined>> = {
  invalid_client: 'Check clientId and clientSecret. The credential may be disabled, or its secret replaced.',
  unexpected_answer: 'The response is not that of a token endpoint. Check baseUrl, or tokenUrl.',
  invalid_scope: 'Request only scopes that the credential was granted.',
}

const keyAdvice =
  'Check clientId, clientKey, whose public half operations set with replace-client-keys, and issuer. The credential may be disabled.'

/** Descriptions of `invalid_client` for right credentials. They contain the remedy. */
const explained =
  /not be used from this address|signed token requests only|^The assertion (?:expire|has)|^The (?:iat|nbf) of the assertion/

function adviceFor(status: number, error: string, description = '', signed = false): string | undefined {
  if (explained.test(description)) return undefined
  if (error === 'unexpected_answer' && description !== '')
    return status === 404 ? 'Check baseUrl, or tokenUrl.' : undefined
  return signed && error === 'invalid_client' ? keyAdvice : tokenAdvice[error]
}

/** The token endpoint rejected the credentials with an error object of RFC 6749, section 5.2. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly status: number
  /** The error code: `invalid_client`, `invalid_scope`, `unauthorized_client`… */
  readonly error: string
  readonly errorDescription: string | undefined
  /** What the caller can check; undefined if the description already states it. */
  readonly advice: string | undefined

  constructor(status: number, error: string, errorDescription: string | undefined, signed = false) {
    const advice = adviceFor(status, error, errorDescription, signed)
    const described = errorDescription ? `: ${errorDescription}` : ''
    super(`No access token (${status} ${error})${described}${advice ? `\n  ${advice}` : ''}`)
    this.status = status
    this.error = error
    this.errorDescription = errorDescription
    this.advice = advice
  }
}

/** No data arrived for longer than `timeoutMs`. Occurs as the cause of a failure. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

const moreTime = 'If the service needs longer, raise timeoutMs; otherwise send the call again later.'

function isTimeout(fault: unknown): boolean {
  let cause = fault
  while (cause instanceof Error && !(cause instanceof Silence)) cause = cause.cause
  return cause instanceof Silence
}

const linesShownMax = 20

function renderMessage(summary: string, details: FailureDetails, advice: string): string {
  const { rejections = [], status } = details
  const shown = rejections.slice(0, linesShownMax).map(renderRejection)
  const rest = rejections.length - shown.length
  const head = `${details.operation}: ${summary}${status === undefined ? '' : ` (${status})`}`
  return [
    head,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    `  traceId ${details.traceId}`,
    ...(advice === '' ? [] : [`  ${advice}`]),
  ].join('\n')
}

function renderRejection({ code, field, reason }: AnsweredRejection) {
  return `  ${code}${field === '' ? '' : ` ${field}`}: ${reason}`
}
