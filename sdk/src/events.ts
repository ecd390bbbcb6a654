/**
 * Events as one loop: what is in the log already is pulled, what happens then is streamed, and a lost stream goes on where
 * it was. At least once: an event may come twice, and its `id` tells.
 */
import { type cloudEventShape, eventStreamPath, type Static } from '@clearing/protocol'
import { parseEnvelope, rejectionsOf } from './answer.ts'
import { type Connection, refusal } from './call.ts'
import { exchange, Lost } from './exchange.ts'
import { CallFailed, RequestRejected, ServiceFailed, ServiceUnavailable } from './failures.ts'
import { makeTraceparent } from './random.ts'
import { readServerSent } from './server-sent.ts'
import { defaults } from './settings.ts'
import { authorize } from './tokens.ts'
import { parseRetryAfter, retryDelay, wait } from './waiting.ts'

/** What happened: a CloudEvent (CloudEvents 1.0). Types are open: a later service may send new ones. */
export type CloudEvent = Static<typeof cloudEventShape>

/** Which events: all of these must be so. */
export interface EventsWanted {
  /** Types (`account.opened`) and wildcards (`document.*`); every type when absent. */
  readonly types?: readonly string[]
  readonly entityNumber?: string
  readonly repCode?: string
  readonly accountNumber?: string
  /** The `cursor` or `id` of the last event that was dealt with, or a `nextCursor`: what follows it comes. */
  readonly cursor?: string
}

/** Where a loop over events begins, and what ends it. */
export interface EventsSettings {
  /** Without a cursor: from the beginning of the log (the default), or what happens from now on. */
  readonly from?: 'start' | 'now'
  /** `false` ends after what is in the log already; by default the loop waits for more, and only a signal or `break` ends it. */
  readonly follow?: boolean
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * The service no longer has what followed the cursor. Read your accounts again, then go on from `cursor`.
 */
export class EventsMissed extends Error {
  override readonly name = 'EventsMissed'
  readonly cursor: string
  constructor(reason: string, cursor: string) {
    super(reason)
    this.cursor = cursor
  }
}

/** The pull, as the client's method does it. */
export type ListEvents = (
  request: Omit<EventsWanted, 'cursor'> & { readonly after?: string; readonly size: number },
  settings: { readonly signal?: AbortSignal },
) => Promise<{ readonly data: { events: CloudEvent[]; next: string; nextCursor: string } }>

const operation = 'events'
const pageSize = 500

/** See `Client.events`. */
export async function* followEvents(
  connection: Connection,
  listEvents: ListEvents,
  wanted: EventsWanted,
  settings: EventsSettings,
): AsyncGenerator<CloudEvent, void, undefined> {
  const { from = 'start', follow = true, signal } = settings
  const { cursor: start, ...filter } = wanted
  let cursor = start
  if (cursor !== undefined || from === 'start') {
    for (let more = true; more; ) {
      const request = { ...filter, ...(cursor === undefined ? {} : { after: cursor }), size: pageSize }
      const { data } = await listEvents(request, signal === undefined ? {} : { signal })
      yield* data.events
      cursor = data.nextCursor
      more = data.next !== ''
    }
  }
  if (follow) yield* stream(connection, wanted, cursor, signal)
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
      for await (const { event, data, id } of readServerSent(body)) {
        failures = 0
        tokenRenewed = false
        if (event === 'reset') throw missed(data)
        if (data !== '') yield JSON.parse(data) as CloudEvent
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
      failure = passing(cause)
    }
    failures += 1
    const { patience } = connection
    const delayMs =
      retryDelay(failures, failure.retryAfterMs, patience) ?? failure.retryAfterMs ?? patience.retryDelayMsMax
    connection.settings.onRetry?.({ operation, number: failures, delayMs, reason: failure })
    await wait(delayMs, signal)
  }
}

/** What a stream may come back after; anything else is thrown. */
function passing(cause: unknown): CallFailed {
  if (cause instanceof ServiceUnavailable) return cause
  if (cause instanceof RequestRejected && (cause.status === 408 || cause.status === 429)) return cause
  if (cause instanceof CallFailed || cause instanceof EventsMissed || !(cause instanceof Error)) throw cause
  // A broken connection, or silence; a mistake of the caller's own loop never comes here.
  return new ServiceUnavailable(`the stream broke, ${cause.message}`, {
    ...failureDetails(makeTraceparent()),
    cause,
  })
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

const failureDetails = (traceId: string) => ({ operation, traceId })

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
  authorize(headers, token)
  if (cursor !== undefined) headers.set('last-event-id', cursor)
  try {
    const received = await exchange({
      url: `${settings.baseUrl}${eventStreamPath}${renderQuery(wanted)}`,
      method: 'GET',
      headers,
      body: undefined,
      fetch,
      // Longer than the service is ever silent.
      timeoutMs: settings.timeoutMs ?? defaults.timeoutMs,
      signal,
      credentials: token === undefined ? 'same-origin' : undefined,
      streams: true,
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
    const summary = envelope?.message ?? 'the answer is not in the envelope of the service'
    if (status === 401) throw new TokenWasRefused(token, refusal(tokens, summary, details))
    if (status >= 502) throw new ServiceUnavailable(summary, details)
    throw status >= 400 && status < 500
      ? new RequestRejected(summary, details)
      : new ServiceFailed(summary, details)
  } catch (cause) {
    if (!(cause instanceof Lost)) throw cause
    throw new ServiceUnavailable(`no answer, ${cause.message}`, { ...failureDetails(traceparent), cause })
  }
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
