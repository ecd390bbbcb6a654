/**
 * The result of a successful call, and how it is read from HTTP. Nothing is validated: members and values that this
 * version does not know are kept.
 */
import type { Envelope } from '@clearing/protocol'
import { quoteDecimals } from './decimals.ts'
import type { HttpBody, Received } from './exchange.ts'
import type { AnsweredRejection } from './failures.ts'

/** The result of a call of an operation. */
export interface Answer<Data> {
  /** The payload of the operation. */
  readonly data: Data
  /** "Request successful." or another remark, for example that a change waits for approval. */
  readonly message: string
  /** The W3C trace id of the call. Quote it to support. */
  readonly traceId: string
  /**
   * True if the service repeated an earlier response and changed nothing: the idempotency key or the whole request was
   * the same.
   */
  readonly replayed: boolean
  /** The idempotency key of a write; undefined for a read. */
  readonly idempotencyKey: string | undefined
  /** Headers of the response, such as RateLimit, Deprecation and Sunset. */
  readonly headers: Headers
}

/** The result of a call of an operation that returns a file. */
export interface FileAnswer {
  readonly fileName: string
  readonly mediaType: string
  /** Size of the file in bytes; undefined if the service does not send it. */
  readonly sizeBytes: number | undefined
  /**
   * The content as a stream, which can be read once. Read it or cancel it. If it breaks off, reading throws
   * `ServiceUnavailable`: call the method again.
   */
  readonly body: ReadableStream<Uint8Array>
  /** Reads the whole content. Use it instead of `body`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  readonly traceId: string
  readonly headers: Headers
}

/**
 * The envelope in a text, with these decimals as texts; undefined if the text is not an envelope, because an
 * intermediary sent the response.
 */
export function parseEnvelope(
  text: string,
  decimals: ReadonlySet<string> | undefined,
): Envelope<unknown> | undefined {
  try {
    const envelope: unknown = JSON.parse(decimals === undefined ? text : quoteDecimals(text, decimals))
    return isEnvelope(envelope) ? envelope : undefined
  } catch {
    return undefined
  }
}

function isEnvelope(value: unknown): value is Envelope<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hasErrors' in value &&
    'errors' in value &&
    Array.isArray(value.errors) &&
    'traceId' in value &&
    typeof value.traceId === 'string'
  )
}

/** The errors of a response; none if the body is not an envelope. */
export function rejectionsOf(envelope: Envelope<unknown> | undefined): readonly AnsweredRejection[] {
  return envelope?.errors ?? []
}

export function renderAnswer(
  envelope: Envelope<unknown>,
  received: Received,
  idempotencyKey: string | undefined,
): Answer<unknown> {
  return {
    data: envelope.data,
    message: envelope.message,
    traceId: envelope.traceId,
    replayed: received.headers.get('idempotent-replayed') === 'true',
    idempotencyKey,
    headers: received.headers,
  }
}

export function renderFileAnswer(received: Received, sentTraceparent: string): FileAnswer {
  const { headers } = received
  const body = received.body ?? new Blob([]).stream()
  const size = headers.get('content-length')
  return {
    fileName: parseFileName(headers.get('content-disposition')),
    mediaType: headers.get('content-type') ?? 'application/octet-stream',
    sizeBytes: size === null ? undefined : Number(size),
    body,
    bytes: async () => new Uint8Array(await new Response(body as HttpBody).arrayBuffer()),
    traceId: headers.get('traceparent') ?? sentTraceparent,
    headers,
  }
}

/**
 * The file name of a Content-Disposition header (RFC 6266). `filename*` takes precedence over `filename`. A path is
 * removed.
 */
export function parseFileName(header: string | null): string {
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1]
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header ?? '')?.[1]?.replace(/\\(.)/g, '$1')
  const bare = /filename\s*=\s*([^";\s]+)/i.exec(header ?? '')?.[1]
  const name = (extended === undefined ? undefined : decode(extended)) ?? quoted ?? bare ?? ''
  return name.split(/[/\\]/).at(-1) || 'document'
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
