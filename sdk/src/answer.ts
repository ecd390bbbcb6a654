/** What a successful call answers, and how it is read from HTTP. Nothing is validated: members and values that this version does not know are kept. */
import type { Envelope } from '@clearing/protocol'
import type { HttpBody, Received } from './exchange.ts'
import type { AnsweredRejection } from './failures.ts'

/** The answer of an operation. */
export interface Answer<Data> {
  /** The payload of the operation. */
  readonly data: Data
  /** "Request successful.", or what else there is to know: for example that a change waits for an approval. */
  readonly message: string
  /** W3C trace id of the call: quote it when asking for help. */
  readonly traceId: string
  /** True when the service answered an earlier answer again, and did nothing: same idempotency key, or an exact repeat. */
  readonly replayed: boolean
  /** The key that a write was sent with; undefined for reads. */
  readonly idempotencyKey: string | undefined
  /** Headers of the answer: RateLimit, Deprecation, Sunset. */
  readonly headers: Headers
}

/** The answer of an operation that answers a file. */
export interface FileAnswer {
  readonly fileName: string
  readonly mediaType: string
  /** Undefined when the service does not say. */
  readonly sizeBytes: number | undefined
  /** The content, once: read it, or cancel it. */
  readonly body: ReadableStream<Uint8Array>
  /** The whole content, instead of `body`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  readonly traceId: string
  readonly headers: Headers
}

/** The envelope in a text, or undefined when it is none: something between us and the service has answered. */
export function parseEnvelope(
  text: string,
  revive: ((this: unknown, key: string, value: unknown, context: { source?: string }) => unknown) | undefined,
): Envelope<unknown> | undefined {
  try {
    const envelope: unknown = JSON.parse(text, revive as Parameters<typeof JSON.parse>[1])
    return isEnvelope(envelope) ? envelope : undefined
  } catch {
    return undefined
  }
}

const isEnvelope = (value: unknown): value is Envelope<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'hasErrors' in value &&
  'errors' in value &&
  Array.isArray(value.errors) &&
  'traceId' in value &&
  typeof value.traceId === 'string'

export const rejectionsOf = (envelope: Envelope<unknown> | undefined): readonly AnsweredRejection[] =>
  envelope?.errors ?? []

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

/** The file name of a Content-Disposition (RFC 6266): `filename*` before `filename`; never with a path. */
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
