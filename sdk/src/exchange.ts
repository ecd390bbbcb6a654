/**
 * One HTTP exchange: a request sent once and its answer read, with a limit on silence. It answers a `Received`, or throws
 * `Lost` when there was no whole answer, or the caller's own reason when the caller ended it.
 */
import { Silence } from './failures.ts'

/** What fetch takes as a body. */
export type HttpBody = NonNullable<RequestInit['body']>

export interface Sending {
  readonly url: string
  /** POST when absent. */
  readonly method?: 'GET'
  readonly headers: Headers
  readonly body: HttpBody | undefined
  readonly fetch: typeof globalThis.fetch
  /** Longest silence; undefined for none. */
  readonly timeoutMs: number | undefined
  readonly signal: AbortSignal | undefined
  /** Whether the browser adds its cookies; as the runtime does when absent. */
  readonly credentials?: 'same-origin' | undefined
  /** Leave the body of a successful answer unread, as a stream. */
  readonly streams: boolean
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  /** The body, read; empty when it is answered as a stream. */
  readonly text: string
  readonly body: ReadableStream<Uint8Array> | undefined
}

/** No whole answer came. `sent` is false when the request surely never reached the service. */
export class Lost extends Error {
  readonly sent: boolean
  constructor(cause: unknown) {
    super(cause instanceof Error ? describe(cause) : String(cause), { cause })
    this.sent = !neverSentCodes.has(codeOf(cause))
  }
}

/** Sends the request and reads the answer. */
export async function exchange(sending: Sending): Promise<Received> {
  const silence = watchSilence(sending.timeoutMs, sending.signal)
  let streaming = false
  try {
    silence.begin()
    const { body } = sending
    const response = await sending.fetch(sending.url, {
      method: sending.method ?? 'POST',
      headers: sending.headers,
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      signal: silence.signal,
      redirect: 'manual',
      ...(sending.credentials === undefined ? {} : { credentials: sending.credentials }),
    } as RequestInit)
    const received = { status: response.status, headers: response.headers }
    if (sending.streams && response.ok) {
      streaming = true
      return { ...received, text: '', body: readWatched(response.body, silence) }
    }
    return { ...received, text: await readText(response.body, silence), body: undefined }
  } catch (cause) {
    sending.signal?.throwIfAborted()
    throw new Lost(silence.signal.aborted ? silence.signal.reason : cause)
  } finally {
    if (!streaming) silence.end()
  }
}

interface SilenceWatch {
  readonly signal: AbortSignal
  /** From now on the service is to be heard. */
  begin(): void
  /** It was heard. */
  pause(): void
  end(): void
}

/** A signal that aborts with the caller's, or when the service is silent for too long between `begin` and `pause`. */
function watchSilence(timeoutMs: number | undefined, caller: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  else caller?.addEventListener('abort', follow, { once: true })
  const pause = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    pause,
    begin() {
      pause()
      if (timeoutMs === undefined) return
      timer = setTimeout(() => controller.abort(new Silence(`No answer for ${timeoutMs} ms`)), timeoutMs)
    },
    end() {
      pause()
      caller?.removeEventListener('abort', follow)
    },
  }
}

/** The same bytes; silence is counted while the reader waits for the next piece, not while it is busy with the last. */
function readWatched(
  body: ReadableStream<Uint8Array> | null,
  silence: SilenceWatch,
): ReadableStream<Uint8Array> {
  const reader = body?.getReader()
  silence.pause()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        silence.begin()
        try {
          const piece = await reader?.read()
          silence.pause()
          if (piece?.value !== undefined) return controller.enqueue(piece.value)
          silence.end()
          controller.close()
        } catch (cause) {
          silence.end()
          controller.error(silence.signal.aborted ? silence.signal.reason : cause)
        }
      },
      async cancel(reason) {
        silence.end()
        await reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

async function readText(body: ReadableStream<Uint8Array> | null, silence: SilenceWatch): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (;;) {
    silence.begin()
    const { done, value } = await reader.read()
    silence.pause()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
}

/** Codes of Node's and Bun's fetch for a connection that was never made. Elsewhere the outcome counts as unknown. */
const neverSentCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

function codeOf(cause: unknown): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code
  }
  return undefined
}

/** "fetch failed" says nothing: the innermost cause does. */
function describe(error: Error): string {
  let inner = error
  while (inner.cause instanceof Error) inner = inner.cause
  const text = inner.message || codeOf(inner) || inner.name
  return inner === error ? text : `${error.message}: ${text}`
}
