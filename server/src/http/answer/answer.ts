/**
 * Writes the one answer of a call to the wire, and its one line to the log. Answers go out through Node's own response:
 * they are text already, and nothing of Fastify's serialisation is needed for them.
 */
import type { ServerResponse } from 'node:http'
import { type Rejection, statusOf } from '@clearing/protocol'
import { type Span, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { renderRateHeaders } from '../admission/rate-limit.ts'
import { lingerOverBody } from '../body/read-body.ts'
import type { Call, Observation } from '../call.ts'
import { AnswerBroken, answerFault, ClientGone, renderFault } from '../faults.ts'
import type { HttpLimits } from '../limits.ts'
import { deprecationHeaders } from './deprecation.ts'
import { renderRejections } from './envelope.ts'
import type { RequestLog } from './request-log.ts'

export interface Outlet {
  readonly logger: Logger
  readonly observe: (observation: Observation) => void
  /** Absent where calls are not kept for their callers to look back at. */
  readonly requestLog?: RequestLog | undefined
  readonly limits: HttpLimits
}

export type Headers = Readonly<Record<string, string>>

/** Of every answer of a business path: it is data, not a page, and belongs to its caller alone. */
const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
}
const json = { 'content-type': 'application/json; charset=utf-8' }

/** Retry-After where nobody knows better: an outage, a twin that still runs. */
const outagePauseSeconds = '2'
const duplicatePauseSeconds = '1'

/** What the log says of a call that ended without an answer: the caller had gone. */
const clientGoneStatus = 499

export function headersOf(call: Call, reply: FastifyReply, more: Headers): Record<string, string> {
  const rate = call.rate === undefined ? undefined : renderRateHeaders(call.rate)
  const headers: Record<string, string> = {
    ...always,
    traceparent: call.traceId,
    ...rate,
    ...deprecationHeaders(call.route?.operation.deprecated ?? call.deprecatedMember),
    ...more,
  }
  // The service is stopping: this connection gets no further answer.
  if (!reply.server.server.listening) headers.connection = 'close'
  return headers
}

/** Sends a whole answer. */
export function sendText(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  status: number,
  text: string,
  more: Headers = {},
  codes: readonly string[] = [],
): void {
  const response = reply.raw
  reply.hijack()
  if (response.destroyed || response.headersSent) {
    settle(outlet, call, clientGoneStatus, codes)
    return
  }
  const headers = headersOf(call, reply, { ...json, 'content-length': `${Buffer.byteLength(text)}`, ...more })
  response.writeHead(status, headers)
  response.end(text)
  lingerOverBody(reply.request.raw, outlet.limits.lingerMs)
  settle(outlet, call, status, codes, text)
}

export function sendRejections(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  rejections: readonly Rejection[],
  more: Headers = {},
  message?: string,
): void {
  const status = statusOf(rejections)
  const codes = [...new Set(rejections.map((rejection) => rejection.code))]
  const text = renderRejections(status, rejections, call.traceId, message)
  const pause =
    status === 503 ? outagePauseSeconds : codes.includes('ERR.2009') ? duplicatePauseSeconds : undefined
  const headers = pause === undefined ? more : { 'retry-after': pause, ...more }
  sendText(outlet, call, reply, status, text, headers, codes)
}

/** Logs a fault whole and answers it with a code and the traceId, nothing else. */
export function sendFault(outlet: Outlet, call: Call, reply: FastifyReply, fault: unknown): void {
  if (fault instanceof ClientGone || (reply.request.raw.destroyed && !reply.request.raw.complete)) {
    reply.hijack()
    reply.raw.destroy()
    settle(outlet, call, clientGoneStatus, [])
    return
  }
  const { traceId, route } = call
  outlet.logger.error({ traceId, operation: route?.name, fault: renderFault(fault) }, 'fault')
  if (fault instanceof AnswerBroken) return
  const { rejections, retryAfterSeconds } = answerFault(fault, route?.operation.writes ?? false)
  sendRejections(
    outlet,
    call,
    reply,
    rejections,
    retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` },
  )
}

/**
 * The end of a call: the one line of the log, the histogram, the span, with no values of the request among them; and the log
 * of calls, which redacts what it keeps.
 */
export function settle(
  outlet: Outlet,
  call: Call,
  status: number,
  codes: readonly string[],
  answer?: string,
): void {
  const durationMs = performance.now() - call.startedMs
  outlet.logger.info(
    {
      traceId: call.traceId,
      operation: call.route?.name,
      firmId: call.firm?.firmId,
      clientId: call.caller?.clientId,
      address: call.address,
      status,
      codes: codes.length === 0 ? undefined : codes,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
    },
    'request',
  )
  outlet.observe({ operation: call.route?.name ?? '', status, durationMs })
  if (call.span !== undefined) endSpan(call.span, status)
  outlet.requestLog?.keep(call, status, codes, answer)
}

function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Waits until the client has read enough to be given more; false when it is gone or does not read for too long. */
export function drained(response: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settleAs = (more: boolean) => () => {
      clearTimeout(timer)
      response.off('drain', onDrain)
      response.off('close', onClose)
      resolve(more)
    }
    const onDrain = settleAs(true)
    const onClose = settleAs(false)
    const timer = setTimeout(onClose, timeoutMs)
    response.on('drain', onDrain)
    response.on('close', onClose)
    if (response.destroyed) onClose()
  })
}
