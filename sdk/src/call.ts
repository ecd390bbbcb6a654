/**
 * Calls an operation: gets a token, sends attempts until one is conclusive, and throws an error with the known facts if
 * none is. Lost responses, 408, 429, 502, 503, 504, 520 to 524 and 409 In Progress are retried, and 500 twice. All
 * attempts of a write have the same idempotency key and take effect once (Reading 1.12).
 */
import type { Body, OperationName } from '@clearing/protocol'
import {
  type Answer,
  type FileAnswer,
  parseEnvelope,
  rejectionsOf,
  renderAnswer,
  renderFileAnswer,
} from './answer.ts'
import { checkIdempotencyKey, checkLimits, readHeaders } from './check-settings.ts'
import type { OpenableBody } from './content.ts'
import { exchange, Lost, type Received } from './exchange.ts'
import {
  CallFailed,
  type FailureDetails,
  OutcomeUnknown,
  RequestRejected,
  ServiceFailed,
  ServiceUnavailable,
  SignedOut,
} from './failures.ts'
import { makeIdempotencyKey, makeTraceparent } from './random.ts'
import { checkNames, settingNames } from './setting-names.ts'
import { type CallSettings, type ConnectionSettings, defaults } from './settings.ts'
import { authorize, type TokenSource } from './tokens.ts'
import { faultRetriesMax, nextRetry, type Patience, parseRetryAfter, retryLimitsOf, wait } from './waiting.ts'

/** The parts that all calls of a client share. */
export interface Connection {
  readonly settings: ConnectionSettings
  /** The source of tokens; undefined for pages of the service, which have a session instead. */
  readonly tokens: TokenSource | undefined
  readonly fetch: typeof globalThis.fetch
  readonly patience: Patience
  /** The greatest `Clearing-Consistency` of writes and events. Later reads see at least that state. */
  consistency: string
}

/** The members of an operation's definition that determine the form of a call. */
export interface CalledOperation {
  readonly writes: boolean
  readonly body: Body
  readonly answers: 'file' | undefined
}

/** The operation to call, with its request and settings. */
export interface Target {
  readonly name: OperationName
  readonly operation: CalledOperation
  readonly url: string
  readonly body: OpenableBody
  /** The names of decimals that are returned as texts. */
  readonly decimals: ReadonlySet<string> | undefined
}

/** The outcome of one attempt. */
type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer<unknown> | FileAnswer }
  | { readonly kind: 'refused'; readonly failure: CallFailed }
  | { readonly kind: 'tokenRefused'; readonly failure: CallFailed }
  /** A failure that can be temporary. `undone`: the attempt certainly changed nothing. */
  | { readonly kind: 'passing'; readonly failure: CallFailed; readonly undone: boolean }

interface Call extends Target {
  readonly connection: Connection
  readonly settings: CallSettings
  readonly headers: Headers
  readonly idempotencyKey: string | undefined
  readonly traceparent: string
}

const consistencyHeader = 'clearing-consistency'

/** The state that a response names; undefined if it names none. */
export function consistencyOf(headers: Headers): string | undefined {
  return headers.get(consistencyHeader) ?? undefined
}

/** Later calls of the client see at least this state. */
export function reach(connection: Connection, state: string | undefined): void {
  connection.consistency = greater(connection.consistency, state ?? '')
}

function greater(one: string, other: string): string {
  return one > other ? one : other
}

/** A stream can be sent once. */
const noRetries = { retries: 0, retryForMs: 0 }

/**
 * Calls an operation. Throws `CallFailed`, `TokenRefused`, `TypeError` for a wrong setting, or the reason of the
 * caller's signal.
 */
export async function callOperation(
  connection: Connection,
  target: Target,
  settings: CallSettings,
): Promise<Answer<unknown> | FileAnswer> {
  checkNames(settings, settingNames.call)
  checkLimits(settings)
  const call = prepareCall(connection, target, settings)
  const { tokens } = connection
  const ofCall = retryLimitsOf(settings, connection.settings)
  const limits = target.body.repeatable ? ofCall : noRetries
  const startedMs = performance.now()
  let tokenRenewed = false
  let undone = true
  let faults = 0
  for (let number = 1; ; ) {
    let outcome: Outcome
    try {
      const token = await tokens?.current(settings.signal, {
        ...settings,
        ...ofCall,
        retryForMs: ofCall.retryForMs - (performance.now() - startedMs),
      })
      outcome = await attempt(call, token, number === 1 && !tokenRenewed)
      if (outcome.kind === 'tokenRefused' && token !== undefined) {
        tokens?.forget(token)
        if (!tokenRenewed && target.body.repeatable) {
          tokenRenewed = true
          continue
        }
      }
    } catch (cause) {
      settings.signal?.throwIfAborted()
      throw undone || !(cause instanceof Error) ? cause : outcomeUnknown(call, cause)
    }
    if (outcome.kind === 'answered') return outcome.answer
    const { failure } = outcome
    if (outcome.kind === 'refused')
      throw undone || isOfTheRequest(failure) ? failure : outcomeUnknown(call, failure)
    if (outcome.kind === 'passing') {
      undone &&= outcome.undone
      // A token can become invalid while the call waits for its next attempt.
      tokenRenewed = false
    }
    if (failure instanceof ServiceFailed) faults += 1
    const delayMs =
      outcome.kind === 'tokenRefused' || faults > faultRetriesMax
        ? undefined
        : nextRetry(limits, number, performance.now() - startedMs, failure.retryAfterMs, connection.patience)
    if (delayMs === undefined) throw undone ? failure : outcomeUnknown(call, failure)
    connection.settings.onRetry?.({ operation: target.name, number, delayMs, reason: failure })
    await wait(delayMs, settings.signal)
    number++
  }
}

function prepareCall(connection: Connection, target: Target, settings: CallSettings): Call {
  const headers = readHeaders(settings.headers)
  const traceparent = headers.get('traceparent') ?? makeTraceparent()
  const idempotencyKey = target.operation.writes ? keyOf(settings) : undefined
  headers.set('traceparent', traceparent)
  const { cell } = connection.settings
  if (cell !== undefined) headers.set('clearing-cell', cell)
  headers.set('accept', target.operation.answers === 'file' ? '*/*' : 'application/json')
  if (target.body.contentType !== undefined) headers.set('content-type', target.body.contentType)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  return { ...target, connection, settings, headers, idempotencyKey, traceparent }
}

function keyOf({ idempotencyKey }: CallSettings): string {
  if (idempotencyKey === undefined) return makeIdempotencyKey()
  checkIdempotencyKey(idempotencyKey)
  return idempotencyKey
}

async function attempt(call: Call, token: string | undefined, isFirst: boolean): Promise<Outcome> {
  const { connection, operation, settings } = call
  const headers = new Headers(call.headers)
  await authorize(headers, token, { tokens: connection.tokens, method: 'POST', url: call.url })
  const wanted = [connection.consistency, settings.consistency ?? '', headers.get(consistencyHeader) ?? '']
  const consistency = wanted.reduce(greater)
  if (consistency !== '') headers.set(consistencyHeader, consistency)
  if (isFirst && settings.sandboxFault !== undefined) headers.set('x-sandbox-fault', settings.sandboxFault)
  const report = reportAttempt(call)
  try {
    const received = await exchange({
      url: call.url,
      headers,
      body: call.body.open(),
      fetch: connection.fetch,
      timeoutMs: settings.timeoutMs ?? silenceAllowedMs(operation, connection.settings),
      signal: settings.signal,
      credentials: token === undefined ? 'same-origin' : undefined,
      streams: (given) => operation.answers === 'file' && !isPage(given),
      brokeOff: (cause, readBytes, given) => fileBrokeOff(call, cause, readBytes, given),
    })
    report(received.status)
    reach(connection, consistencyOf(received.headers))
    return judge(call, received)
  } catch (cause) {
    report(undefined)
    if (!(cause instanceof Lost)) throw cause
    const undone = !cause.sent || !operation.writes
    const details = { ...detailsOf(call), cause, mayHaveTakenEffect: !undone }
    return { kind: 'passing', failure: new ServiceUnavailable(cause.summary, details), undone }
  }
}

/** Whether a response is a page of an intermediary, for example a sign-in page. No file of the service is HTML. */
function isPage(headers: Headers): boolean {
  return /^text\/html\b/i.test(headers.get('content-type') ?? '')
}

/** The error of a returned file that cannot be read to its end. The operations that return files change nothing. */
function fileBrokeOff(call: Call, cause: Lost, readBytes: number, headers: Headers): CallFailed {
  const size = headers.get('content-length')
  const read = size === null ? `${readBytes} bytes` : `${readBytes} of ${size} bytes`
  return new ServiceUnavailable(`the file broke off after ${read}: ${cause.message}`, {
    ...detailsOf(call),
    status: 200,
    traceId: headers.get('traceparent') ?? call.traceparent,
    cause,
  })
}

/**
 * Whether the service judged the request itself. A refusal of the caller (a 403 that names no field), or by an
 * intermediary, does not tell whether an earlier attempt took effect.
 */
function isOfTheRequest({ status, rejections }: CallFailed): boolean {
  const isOfTheCaller = status === 403 && rejections.every(({ field }) => field === '')
  return rejections.length > 0 && !isOfTheCaller
}

/** Calls the hook for the start of an attempt. The returned function calls the hook for its end, once. */
function reportAttempt({ connection, name, url, traceparent, idempotencyKey }: Call) {
  const { onRequest, onResponse } = connection.settings
  const begun = { operation: name, url, traceId: traceparent, idempotencyKey }
  const startedMs = performance.now()
  let isReported = false
  onRequest?.(begun)
  return (status: number | undefined) => {
    if (!isReported) onResponse?.({ ...begun, status, durationMs: performance.now() - startedMs })
    isReported = true
  }
}

function silenceAllowedMs({ body }: CalledOperation, { timeoutMs }: ConnectionSettings): number | undefined {
  switch (body) {
    case 'json':
      return timeoutMs ?? defaults.timeoutMs
    case 'multipart':
      return Math.max(timeoutMs ?? 0, defaults.uploadTimeoutMs)
    case 'lines':
      return undefined
    default:
      return body satisfies never
  }
}

function judge(call: Call, received: Received): Outcome {
  if (received.body !== undefined) {
    return { kind: 'answered', answer: renderFileAnswer(received, call.traceparent) }
  }
  const { status } = received
  const envelope = parseEnvelope(received.text, call.decimals)
  if (status === 200 && envelope !== undefined && !envelope.hasErrors) {
    return { kind: 'answered', answer: renderAnswer(envelope, received, call.idempotencyKey) }
  }
  const details = {
    ...detailsOf(call),
    status,
    traceId: envelope?.traceId ?? call.traceparent,
    rejections: rejectionsOf(envelope),
    retryAfterMs: parseRetryAfter(received.headers.get('retry-after')),
  }
  const summary = envelope?.message ?? 'the response is not in the envelope of the service'
  const { writes } = call.operation
  const passing = (failure: CallFailed, undone: boolean): Outcome => ({
    kind: 'passing',
    failure,
    undone: undone || !writes,
  })
  const unavailable = (reason: string, undone: boolean) =>
    passing(new ServiceUnavailable(reason, { ...details, mayHaveTakenEffect: writes && !undone }), undone)
  if (status === 200 && envelope === undefined && isCut(received))
    return unavailable('the response is incomplete', false)
  // A refusal of the service is final for the program; that of an intermediary says nothing about the request.
  if (envelope === undefined && status >= 300 && status < 500 && !ofAnySender.has(status)) {
    const failure = new ServiceFailed(describeForeign(received), { ...details, byIntermediary: true })
    return { kind: 'refused', failure }
  }
  switch (status) {
    case 401:
      return { kind: 'tokenRefused', failure: refusal(call.connection.tokens, summary, details) }
    case 409: {
      const failure = new RequestRejected(summary, details)
      return failure.has('ERR.2009') ? passing(failure, false) : { kind: 'refused', failure }
    }
    case 408:
    case 429:
      return passing(new RequestRejected(summary, details), true)
    case 500:
      return passing(new ServiceFailed(summary, details), true)
    case 502:
    case 503:
    case 504:
    // Cloudflare could not reach the service, or got no response that it understands.
    case 520:
    case 521:
    case 522:
    case 523:
    case 524:
      return unavailable(
        summary,
        details.rejections.some(({ code }) => code === 'ERR.1004'),
      )
    default: {
      const isRejection = status >= 400 && status < 500
      const failure = isRejection
        ? new RequestRejected(summary, details)
        : new ServiceFailed(summary, details)
      return { kind: 'refused', failure }
    }
  }
}

/** A new token, or a later attempt, can help, also if an intermediary sent the response. */
const ofAnySender: ReadonlySet<number> = new Set([401, 408, 429])

function describeForeign({ status, headers }: Received): string {
  const location = status < 400 ? headers.get('location') : null
  return location === null
    ? 'an intermediary answered, not the service'
    : `an intermediary answered, not the service: it redirects to ${location}; if the service is there, set baseUrl to that address`
}

/**
 * Whether the response broke off. Behind an intermediary that sends no length or compresses, HTTP itself does not show
 * this.
 */
function isCut({ text }: Received): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

/** The error that the caller gets for a 401. */
export function refusal(tokens: TokenSource | undefined, summary: string, details: FailureDetails) {
  return new (tokens === undefined ? SignedOut : RequestRejected)(summary, details)
}

function detailsOf({ name, idempotencyKey, traceparent }: Call): FailureDetails {
  return {
    operation: name,
    idempotencyKey,
    traceId: traceparent,
  }
}

function outcomeUnknown(call: Call, cause: Error): CallFailed {
  const last = cause instanceof CallFailed ? cause : undefined
  const reason = last?.summary ?? cause.message
  const summary = `${reason}; the write may have taken effect: send it again with the idempotency key ${call.idempotencyKey}`
  return new OutcomeUnknown(summary, {
    ...detailsOf(call),
    status: last?.status,
    rejections: last?.rejections,
    retryAfterMs: last?.retryAfterMs,
    traceId: last?.traceId ?? call.traceparent,
    cause,
  })
}
