/** Reads the body of a request, with limits on its size and its time. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type JsonPath, limits, parseJson, type Rejection, reject } from '@clearing/protocol'
import { refuseSlowBody } from '../answer/client-error.ts'
import { ClientGone } from '../faults.ts'

const tooLarge: Rejection = reject(
  'ERR.2015',
  '',
  `The body must be at most ${limits.bodySizeBytesMax} bytes.`,
)

export interface BodyTimes {
  readonly totalTimeoutMs: number
  readonly idleTimeoutMs: number
  /** Of the call, for the response to a body that is too slow. */
  readonly traceId?: string
}

export type JsonBody =
  | { readonly json: unknown; readonly duplicates: readonly JsonPath[]; readonly text: string }
  | { readonly rejections: readonly Rejection[] }

/**
 * Returns the JSON of the body with its duplicate keys and its text, or the reason why it cannot be read. Throws
 * ClientGone.
 */
export async function readJsonBody(raw: IncomingMessage, times: BodyTimes): Promise<JsonBody> {
  const bytes = await readWhole(raw, limits.bodySizeBytesMax, times)
  if (bytes === undefined) return { rejections: [tooLarge] }
  if (!isUtf8(bytes)) return { rejections: [reject('ERR.2004', '', 'The body is not UTF-8.')] }
  const text = bytes.toString('utf8')
  return { ...parseJson(text), text }
}

/** Returns all bytes, or undefined when the body is too large; the rest of a large body is left unread. */
function readWhole(
  raw: IncomingMessage,
  sizeBytesMax: number,
  times: BodyTimes,
): Promise<Buffer | undefined> {
  if (Number(raw.headers['content-length'] ?? 0) > sizeBytesMax) return Promise.resolve(undefined)
  return new Promise((resolve, refuse) => {
    const pieces: Buffer[] = []
    let size = 0
    const stopWatching = raw.complete ? undefined : cutSlowBody(raw, times)
    const settle = () => {
      stopWatching?.()
      raw.off('data', onData)
      raw.off('end', onEnd)
      raw.off('close', onClose)
    }
    const onData = (piece: Buffer) => {
      size += piece.length
      pieces.push(piece)
      if (size <= sizeBytesMax) return
      settle()
      resolve(undefined)
    }
    const onEnd = () => {
      settle()
      resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size))
    }
    const onClose = () => {
      settle()
      refuse(new ClientGone('the connection ended before the body did'))
    }
    raw.on('data', onData)
    raw.on('end', onEnd)
    raw.on('close', onClose)
    raw.on('error', ignore)
  })
}

// The 'close' event of an aborted request reports the same as its 'error' event.
function ignore() {}
const checkMs = 1_000

/**
 * Refuses a body that stalls or takes too long in total, and closes its connection. Time in which the service itself
 * does not read is not counted as the client's delay. Returns a function that stops watching.
 */
export function cutSlowBody(raw: IncomingMessage, times: BodyTimes): () => void {
  const startedMs = performance.now()
  let bytesRead = -1
  let movedMs = startedMs
  const timer = setInterval(
    () => {
      const nowMs = performance.now()
      if (raw.socket.bytesRead !== bytesRead || raw.readableLength > 0) {
        bytesRead = raw.socket.bytesRead
        movedMs = nowMs
      }
      if (raw.complete || raw.destroyed) clearInterval(timer)
      else if (nowMs - movedMs > times.idleTimeoutMs || nowMs - startedMs > times.totalTimeoutMs)
        refuseSlowBody(raw, times.traceId)
    },
    Math.min(checkMs, times.idleTimeoutMs),
  )
  return () => clearInterval(timer)
}

/**
 * Reads the rest of an unneeded body for a short time, so that the client can read the response, and then closes the
 * connection.
 */
export function lingerOverBody(raw: IncomingMessage, lingerMs: number): void {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => raw.socket.destroy(), lingerMs)
  raw.once('close', () => clearTimeout(timer))
  raw.on('error', ignore)
  raw.resume()
}
