/**
 * One HTTP exchange: sends a request once and reads its response, with a limit on the time without data. Returns a
 * `Received`. Throws `Lost` if there was no complete response, the reason of the caller's signal, or a TypeError for a
 * port that fetch refuses, because no retry can help.
 */
import { Silence } from './failures.ts'
import { onAbort } from './on-abort.ts'

/** A body that fetch accepts. */
export type HttpBody = NonNullable<RequestInit['body']>

export interface Sending {
  readonly url: string
  /** The HTTP method. The default is POST. */
  readonly method?: 'GET'
  readonly headers: Headers
  readonly body: HttpBody | undefined
  readonly fetch: typeof globalThis.fetch
  /** Longest time without data, in milliseconds; undefined for no limit. */
  readonly timeoutMs: number | undefined
  readonly signal: AbortSignal | undefined
  /** Whether the browser adds its cookies. The default is that of the runtime. */
  readonly credentials?: 'same-origin' | undefined
  /** Whether the body of a successful response with these headers is left unread, as a stream. */
  readonly streams: (headers: Headers) => boolean
  /** The error of a stream that breaks off or stops. The default is its cause. */
  readonly brokeOff?: (cause: Lost, readBytes: number, headers: Headers) => Error
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  /** The text of the body; empty if the body is left as a stream. */
  readonly text: string
  readonly body: ReadableStream<Uint8Array> | undefined
}

/** No complete response arrived. `sent` is false if the request certainly never reached the service. */
export class Lost extends Error {
  readonly sent: boolean
  /** What happened, in a few words. */
  readonly summary: string
  constructor(cause: unknown) {
    super(cause instanceof Error ? describe(cause) : String(cause), { cause })
    this.sent = !neverSentCodes.has(codeOf(cause))
    this.summary = cause instanceof Silence ? cause.message : `no response, ${this.message}`
  }
}

/** Sends the request and reads the response. */
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
    if (response.ok && sending.streams(response.headers)) {
      streaming = true
      const { brokeOff } = sending
      const failed = (cause: unknown, readBytes: number) => {
        if (brokeOff === undefined || sending.signal?.aborted) return cause
        return brokeOff(new Lost(cause), readBytes, response.headers)
      }
      return { ...received, text: '', body: readWatched(response.body, silence, failed) }
    }
    return { ...received, text: await readText(response.body, silence), body: undefined }
  } catch (cause) {
    sending.signal?.throwIfAborted()
    if (isBadPort(cause))
      throw new TypeError(`fetch does not connect to the port of ${sending.url}: use another port`, { cause })
    throw new Lost(silence.signal.aborted ? silence.signal.reason : cause)
  } finally {
    if (!streaming) silence.end()
  }
}

interface SilenceWatch {
  readonly signal: AbortSignal
  /** Starts the timer. */
  begin(): void
  /** Stops the timer: data arrived. */
  pause(): void
  end(): void
}

/** The longest time of a timer. A longer one would end at once. */
const timerMsMax = 2 ** 31 - 1

/**
 * A signal that aborts with the caller's signal, or if too much time passes without data between `begin` and `pause`.
 */
function watchSilence(timeoutMs: number | undefined, caller: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => controller.abort(caller?.reason)
  const ignore = caller === undefined ? undefined : onAbort(caller, follow)
  const pause = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    pause,
    begin() {
      pause()
      if (timeoutMs === undefined || timeoutMs > timerMsMax) return
      timer = setTimeout(() => controller.abort(new Silence(`no response for ${timeoutMs} ms`)), timeoutMs)
    },
    end() {
      pause()
      ignore?.()
    },
  }
}

/**
 * Passes the bytes on. The timer runs while the reader waits for the next chunk, not while it processes the last one.
 */
function readWatched(
  body: ReadableStream<Uint8Array> | null,
  silence: SilenceWatch,
  failed: (cause: unknown, readBytes: number) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body?.getReader()
  let readBytes = 0
  silence.pause()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        silence.begin()
        try {
          const piece = await reader?.read()
          silence.pause()
          if (piece?.value !== undefined) {
            readBytes += piece.value.byteLength
            return controller.enqueue(piece.value)
          }
          silence.end()
          controller.close()
        } catch (cause) {
          silence.end()
          controller.error(failed(silence.signal.aborted ? silence.signal.reason : cause, readBytes))
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

/**
 * Error codes of Node's and Bun's fetch for a connection that was never established. With other codes the outcome
 * counts as unknown.
 */
const neverSentCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

/** Node's fetch refuses the ports that the Fetch standard names as bad, such as 1 and 6000, without a code. */
function isBadPort(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'
}

function codeOf(cause: unknown): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code
  }
  return undefined
}

/** The innermost cause of an error, since "fetch failed" carries no information. */
function describe(error: Error): string {
  let inner = error
  while (inner.cause instanceof Error) inner = inner.cause
  const text = inner.message || codeOf(inner) || inner.name
  return inner === error ? text : `${error.message}: ${text}`
}
