/**
 * Events as one loop: stored events are read from the log, new events are streamed, and a lost stream is
 * resumed at its position. Each event is delivered at least once; a repeated event has the same `id`.
 */
import type { cloudEventShape, Static } from '@clearing/protocol'
import { eventStreamPath } from '@clearing/protocol/calls'
import { parseEnvelope, rejectionsOf } from './answer.ts'
import { type Connection, consistencyOf, reach, refusal } from './call.ts'
import { exchange, Lost } from './exchange.ts'
import { type CallFailed, RequestRejected, ServiceFailed, ServiceUnavailable } from './failures.ts'
import { makeTraceparent } from './random.ts'
import { readServerSent, type ServerSent } from './server-sent.ts'
import { checkNames, settingNames } from './setting-names.ts'
import { defaults } from './settings.ts'
import { authorize } from './tokens.ts'
import { faultRetriesMax, parseRetryAfter, retryDelay, wait } from './waiting.ts'

/** An event: a CloudEvent (CloudEvents 1.0). A later version of the service may send new types. */
export type CloudEvent = Static<typeof cloudEventShape>

/** The filter of events. An event must match every given member. */
export interface EventsWanted {
  /** Event types (`account.opened`) and wildcards (`document.*`). The default is every type. */
  readonly types?: readonly string[] | undefined
  readonly entityNumber?: string | undefined
  readonly repCode?: string | undefined
  readonly accountNumber?: string | undefined
  /** The `cursor` or `id` of the last processed event, or a `nextCursor`. The loop begins after it. */
  readonly cursor?: string | undefined
}

/** Where a loop over events begins and how it ends. */
export interface EventsSettings {
  /** Where to begin without a cursor: at the beginning of the log (the default), or with new events only. */
  readonly from?: 'start' | 'now' | undefined
  /**
   * `false` ends the loop after the stored events. By default the loop waits for new events, and only a signal or
   * `break` ends it.
   */
  readonly follow?: boolean | undefined
  /** Ends the loop. The loop then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The service no longer has the events after the cursor, or was restored to a moment before it. Read your accounts
 * again, then continue from `cursor`.
 */
export class EventsMissed extends Error {
  override readonly name = 'EventsMissed'
  readonly cursor: string
  constructor(reason: string, cursor: string) {
    super(reason)
    this.cursor = cursor
  }
}

/** Reads one page of the log, as the client's method does. */
export type ListEvents = (
  request: Omit<EventsWanted, 'cursor'> & { readonly after?: string; readonly size: number },
  settings: { readonly signal?: AbortSignal | undefined },
) => Promise<{
  readonly data: { events: CloudEvent[]; next: string; nextCursor: string }
  readonly headers: Headers
}>

const operation = 'events'
const pageSize = 500

/** See `Client.events`. */
export async function* followEvents(
  connection: Connection,
  listEvents: ListEvents,
  wanted: EventsWanted,
  settings: EventsSettings,
): AsyncGenerator<CloudEvent, void, undefined> {
  checkNames(settings, settingNames.events)
  checkNames(wanted, settingNames.filter)
  const { from = 'start', follow = true, signal } = settings
  const { cursor: start, ...filter } = wanted
  let cursor = start
  if (cursor !== undefined || from === 'start') {
    for (let more = true; more; ) {
      const request = { ...filter, ...(cursor === undefined ? {} : { after: cursor }), size: pageSize }
      const asked = listEvents(request, signal === undefined ? {} : { signal })
      const { data, headers } = await asked.catch(async (cause: unknown) => {
        if (cursor !== undefined && isOfCursor(cause)) await findMissed(connection, wanted, cursor, signal)
        throw cause
      })
      const consistency = consistencyOf(headers)
      for (const event of data.events) {
        signal?.throwIfAborted()
        yield consistency === undefined ? event : { ...event, consistency }
      }
      cursor = data.nextCursor
      more = data.next !== ''
    }
  }
  if (follow) yield* stream(connection, wanted, cursor, signal)
}

/** Whether a page of the log was rejected for its position. */
function isOfCursor(cause: unknown): boolean {
  return cause instanceof RequestRejected && cause.at('after').length > 0
}

/**
 * Throws `EventsMissed` if the events after the cursor are missing. Only a stream returns the cursor to continue with
 * as a value.
 */
async function findMissed(
  connection: Connection,
  wanted: EventsWanted,
  cursor: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const token = await connection.tokens?.current(signal)
  const opened = await openStream(connection, wanted, cursor, token, signal).catch(() => undefined)
  if (opened === undefined) return
  let blocks = 0
  for await (const { event, data } of readStream(opened)) {
    if (event === 'reset') throw missed(data)
    // The first block only names the position.
    blocks += 1
    if (blocks > 1) return
  }
}

async function* stream(
  connection: Connection,
  wanted: EventsWanted,
  start: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<CloudEvent, void, undefined> {
  let cursor = start
  let failures = 0
  let tokenRenewed = false
  for (;;) {
    let failure: CallFailed
    try {
      const token = await connection.tokens?.current(signal)
      const body = await openStream(connection, wanted, cursor, token, signal)
      for await (const { event, data, id } of readStream(body)) {
        failures = 0
        tokenRenewed = false
        if (event === 'reset') throw missed(data)
        if (data !== '') {
          const streamed = JSON.parse(data) as CloudEvent
          // Before the event is processed: its processing reads what it reports.
          reach(connection, streamed.consistency)
          yield streamed
        }
        cursor = id ?? cursor
      }
      failure = new ServiceUnavailable('the stream ended', failureDetails(makeTraceparent()))
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof TokenWasRefused) {
        if (cause.token !== undefined) connection.tokens?.forget(cause.token)
        if (tokenRenewed || cause.token === undefined) throw cause.failure
        tokenRenewed = true
        continue
      }
      failure = passing(cause, failures)
    }
    failures += 1
    const { patience } = connection
    const delayMs =
      retryDelay(failures, failure.retryAfterMs, patience) ?? failure.retryAfterMs ?? patience.retryDelayMsMax
    connection.settings.onRetry?.({ operation, number: failures, delayMs, reason: failure })
    await wait(delayMs, signal)
  }
}

/**
 * Returns a failure after which the stream can be resumed, after so many failures in a row. Throws any other, such as
 * one of the credentials.
 */
function passing(cause: unknown, failures: number): CallFailed {
  if (cause instanceof ServiceUnavailable) return cause
  if (cause instanceof ServiceFailed && cause.status === 500 && failures < faultRetriesMax) return cause
  if (cause instanceof RequestRejected && (cause.status === 408 || cause.status === 429)) return cause
  throw cause
}

/** The messages of a stream. A broken connection or a timeout is a `ServiceUnavailable`. */
async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSent> {
  try {
    yield* readServerSent(body)
  } catch (cause) {
    const summary = `the stream broke, ${cause instanceof Error ? cause.message : String(cause)}`
    throw new ServiceUnavailable(summary, { ...failureDetails(makeTraceparent()), cause })
  }
}

class TokenWasRefused extends Error {
  readonly token: string | undefined
  readonly failure: CallFailed
  constructor(token: string | undefined, failure: CallFailed) {
    super('the token was refused')
    this.token = token
    this.failure = failure
  }
}

function failureDetails(traceId: string) {
  return { operation, traceId }
}

async function openStream(
  connection: Connection,
  wanted: EventsWanted,
  cursor: string | undefined,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const { settings, fetch, tokens } = connection
  const traceparent = makeTraceparent()
  const headers = new Headers({ accept: 'text/event-stream', traceparent })
  const url = `${settings.baseUrl}${eventStreamPath}${renderQuery(wanted)}`
  await authorize(headers, token, { tokens, method: 'GET', url })
  if (cursor !== undefined) headers.set('last-event-id', cursor)
  try {
    const received = await exchange({
      url,
      method: 'GET',
      headers,
      body: undefined,
      fetch,
      // Longer than the longest interval between two messages of the service.
      timeoutMs: settings.timeoutMs ?? defaults.timeoutMs,
      signal,
      credentials: token === undefined ? 'same-origin' : undefined,
      streams: isEventStream,
    })
    if (received.body !== undefined) return received.body
    const envelope = parseEnvelope(received.text, undefined)
    const { status } = received
    const details = {
      ...failureDetails(envelope?.traceId ?? traceparent),
      status,
      rejections: rejectionsOf(envelope),
      retryAfterMs: parseRetryAfter(received.headers.get('retry-after')),
    }
    const summary = envelope?.message ?? 'the response is not in the envelope of the service'
    if (status === 401) throw new TokenWasRefused(token, refusal(tokens, summary, details))
    if (status >= 502) throw new ServiceUnavailable(summary, details)
    const isOfService = envelope !== undefined || status === 408 || status === 429
    throw status >= 400 && status < 500 && isOfService
      ? new RequestRejected(summary, details)
      : new ServiceFailed(summary, details)
  } catch (cause) {
    if (!(cause instanceof Lost)) throw cause
    throw new ServiceUnavailable(cause.summary, { ...failureDetails(traceparent), cause })
  }
}

/** Whether a response is a stream of events, not a page of an intermediary. */
function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
}

function renderQuery({ types, entityNumber, repCode, accountNumber }: EventsWanted): string {
  const query = new URLSearchParams()
  if (types !== undefined && types.length > 0) query.set('types', types.join(','))
  for (const [name, value] of Object.entries({ entityNumber, repCode, accountNumber })) {
    if (value !== undefined) query.set(name, value)
  }
  return query.size === 0 ? '' : `?${query}`
}

function missed(data: string): EventsMissed {
  const { reason, cursor } = JSON.parse(data) as { reason?: unknown; cursor?: unknown }
  return new EventsMissed(String(reason ?? 'Events were missed.'), String(cursor ?? ''))
}
