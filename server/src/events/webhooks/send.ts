/**
 * Makes one delivery attempt: a POST to the receiver with limits on its time and on the response, without redirects.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { limits } from '@clearing/protocol'
import { type AddressPolicy, AddressRefused, guardedLookup, parseReceiverUrl } from './receiver-address.ts'

/** One attempt, as the log of deliveries stores it. */
export interface Attempt {
  /** By the wall clock. */
  readonly at: string
  readonly durationMs: number
  readonly status: number | null
  /** The beginning of the response body. */
  readonly answer: string
  /** Empty after a success. */
  readonly error: string
}

export interface Attempted extends Attempt {
  readonly outcome: 'delivered' | 'gone' | 'failed' | 'stopped'
  readonly retryAfterMs: number
}

export interface Sending {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Dispatcher {
  send(sending: Sending): Promise<Attempted>
  close(): void
}

const idleMs = 30_000
const answerBytesMax = 65_536
const retryAfterMsMax = 24 * 60 * 60 * 1_000

/** Keeps connections to receivers open between deliveries. */
export function openDispatcher(policy: AddressPolicy): Dispatcher {
  const settings = { keepAlive: true, maxFreeSockets: 32, timeout: idleMs }
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) }
  const lookup = guardedLookup(policy)

  const exchange = (url: URL, sending: Sending, signal: AbortSignal): Promise<[IncomingMessage, string]> =>
    new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:'
      const request = (secure ? requestHttps : requestHttp)(
        url,
        {
          method: 'POST',
          headers: { ...sending.headers, 'content-length': Buffer.byteLength(sending.body) },
          agent: agents[secure ? 'https:' : 'http:'],
          lookup,
          signal,
        },
        (answer) => {
          readBeginning(answer).then((text) => resolve([answer, text]), reject)
        },
      )
      // Without a listener, node would end the connection in silence.
      request.on('upgrade', (answer, socket) => {
        socket.destroy()
        resolve([answer, ''])
      })
      request.on('error', reject)
      // However the receiver ends the exchange, no attempt outlives its time.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      request.end(sending.body)
    })

  return {
    async send(sending) {
      const at = new Date().toISOString()
      const startedMs = performance.now()
      const timeUp = AbortSignal.timeout(sending.timeoutMs)
      const finish = (
        outcome: Attempted['outcome'],
        error: string,
        [answer, text]: [IncomingMessage | undefined, string] = [undefined, ''],
      ): Attempted => ({
        at,
        durationMs: Math.round(performance.now() - startedMs),
        status: answer?.statusCode ?? null,
        answer: text,
        error,
        outcome,
        retryAfterMs: parseRetryAfter(answer?.headers['retry-after']),
      })
      const url = parseReceiverUrl(sending.url, policy)
      if (typeof url === 'string') return finish('failed', url)
      try {
        const answered = await exchange(url, sending, AbortSignal.any([sending.signal, timeUp]))
        const status = answered[0].statusCode ?? 0
        if (status >= 200 && status < 300) return finish('delivered', '', answered)
        if (status === 410)
          return finish('gone', 'The receiver answered 410 (Gone); the webhook is disabled.', answered)
        if (status >= 300 && status < 400) return finish('failed', 'Redirects are not followed.', answered)
        return finish('failed', `The receiver answered ${status}.`, answered)
      } catch (cause) {
        if (sending.signal.aborted) return finish('stopped', 'The service stopped.')
        if (timeUp.aborted) return finish('failed', `No answer within ${sending.timeoutMs} ms.`)
        return finish('failed', describe(cause))
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** Returns the beginning of the body as text for people. The rest is read and discarded, up to a limit. */
async function readBeginning(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let kept = 0
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length
    if (kept < limits.webhookAnswerLengthMax * 4) {
      pieces.push(piece)
      kept += piece.length
    }
    if (size > answerBytesMax) break
  }
  const text = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\p{Cc}/gu, ' ')
  return text.slice(0, limits.webhookAnswerLengthMax).toWellFormed()
}

/** Reads seconds or a date; returns 0 for anything else. */
function parseRetryAfter(header: string | undefined): number {
  if (header === undefined) return 0
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.min(retryAfterMsMax, Math.max(0, ms)) : 0
}

function describe(cause: unknown): string {
  if (cause instanceof AddressRefused) return cause.message
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '' ? 'The connection failed.' : `The connection failed (${code}).`
}
