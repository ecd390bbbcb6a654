/**
 * Answers bytes that are not a valid HTTP request: one response in the envelope, then the connection closes (R070,
 * R072).
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { reject } from '@clearing/protocol'
import { continueTrace, renderTraceId } from '../trace-context.ts'
import type { Outlet } from './answer.ts'
import { renderRejections } from './envelope.ts'

const answers: Record<string, { status: number; reason: string; code?: 'ERR.2006' }> = {
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'The headers must be at most 16,384 bytes.' },
  CONNECT: { status: 405, code: 'ERR.2006', reason: 'The service is not a proxy: CONNECT is not supported.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, reason: 'The chunk extensions are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'The request did not arrive in time.' },
}
/** The body of a request stalls or takes too long. */
const bodyTooSlow = { status: 408, reason: 'The body of the request did not arrive in time.' }
const malformed: (typeof answers)[string] = { status: 400, reason: 'The request is not valid HTTP.' }

/** A socket with the response that Node has begun on it. */
interface Busy {
  readonly _httpMessage?: ServerResponse | null
}

export function answerClientError(outlet: Outlet, error: Error & { code?: string }, socket: Socket): void {
  // The client closed the connection, so no response can be delivered.
  if (error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE' || !socket.writable) {
    socket.destroy()
    return
  }
  const begun = (socket as Busy)._httpMessage
  if (begun?.req.complete && !begun.headersSent) {
    // A request was followed by bytes that are no request, for example because its Content-Length is too small. It is
    // answered, and then the connection ends.
    begun.shouldKeepAlive = false
    return
  }
  if (begun && !isOfItsBody(begun)) {
    // A response is being written on this connection; more bytes would corrupt it.
    socket.destroy()
    return
  }
  begun?.detachSocket(socket)
  const { status, reason, code = 'ERR.2004' } = answers[error.code ?? ''] ?? malformed
  const trace = newTraceId()
  outlet.logger.info({ traceId: trace, address: socket.remoteAddress, status, codes: [code] }, 'request')
  outlet.observe({ operation: '', status, durationMs: 0 })
  endWithRefusal(socket, { status, reason, code }, trace)
}

/**
 * Answers a request whose body stalls or takes too long, and closes the connection. A response that has begun is broken
 * off, and so is a load: a part of its lines may have been committed, and a refusal would be wrong.
 */
export function refuseSlowBody(raw: IncomingMessage, traceId: string | undefined): void {
  const begun = (raw.socket as Busy)._httpMessage
  if (begun?.req === raw && isOfItsBody(begun) && raw.socket.writable) {
    begun.detachSocket(raw.socket)
    endWithRefusal(raw.socket, { ...bodyTooSlow, code: 'ERR.2004' }, traceId ?? newTraceId())
    refusedAsSlow.add(raw)
  }
  // At once, so that no more of the body arrives and is acted on.
  raw.destroy()
}

const refusedAsSlow = new WeakSet<IncomingMessage>()

/** Status and error code, for the log, of a call whose body was refused as too slow. */
export function refusalOfSlowBody(raw: IncomingMessage): { status: number; code: string } | undefined {
  return refusedAsSlow.has(raw) ? { status: bodyTooSlow.status, code: 'ERR.2004' } : undefined
}

function newTraceId(): string {
  const { traceId, spanId } = continueTrace(undefined)
  return renderTraceId(traceId, spanId)
}

function endWithRefusal(
  socket: Socket,
  { status, reason, code }: { status: number; reason: string; code: 'ERR.2004' | 'ERR.2006' },
  trace: string,
): void {
  const text = renderRejections(status, [reject(code, '', reason)], trace)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${text}`,
  )
}

/**
 * Whether the bytes belong to the body of the request that waits for this response. A part of a body of lines
 * may have been committed already. A refusal would then be wrong, so the connection ends without a response.
 */
function isOfItsBody({ req, headersSent }: ServerResponse): boolean {
  const isOfLines = /^\s*(?:text\/csv|application\/x-ndjson)/i.test(req.headers['content-type'] ?? '')
  return !headersSent && !req.complete && !isOfLines
}
