/**
 * Writes the response of a call and one log line. Responses go out through Node's own response: they are text already,
 * and Fastify's serialization would only cost time.
 */
import type { ServerResponse } from 'node:http'
import { type Rejection, statusOf } from '@clearing/protocol'
import { type Span, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { renderRateHeaders } from '../admission/rate-limit.ts'
import type { Call, Observation } from '../call.ts'
import { AnswerBroken, answerFault, ClientGone, renderFault } from '../faults.ts'
import type { HttpLimits } from '../limits.ts'
import { refusalOfSlowBody } from './client-error.ts'
import { deprecationHeaders } from './deprecation.ts'
import { renderRejections } from './envelope.ts'
import type { RequestLog } from './request-log.ts'

export interface Outlet {
  readonly logger: Logger
  readonly observe: (observation: Observation) => void
  /** Absent when calls are not recorded for their callers. */
  readonly requestLog?: RequestLog | undefined
  readonly limits: HttpLimits
}

export type Headers = Readonly<Record<string, string>>

/** Headers of every response of an operation: the response is data, not a page, and belongs to one caller. */
const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
}
const json = { 'content-type': 'application/json; charset=utf-8' }

/** Retry-After when there is no better estimate: during an outage, and while a concurrent duplicate runs. */
const outagePauseSeconds = '2'
const duplicatePauseSeconds = '1'

/** Status in the log of a call whose client closed the connection before the response. */
const clientGoneStatus = 499

export function headersOf(call: Call, reply: FastifyReply, more: Headers): Record<string, string> {
  const rate = call.rate === undefined ? undefined : renderRateHeaders(call.rate)
  const headers: Record<string, string> = {
    ...always,
    traceparent: call.traceId,
    ...rate,
    ...(call.consistency === undefined ? {} : { 'clearing-consistency': call.consistency }),
    ...deprecationHeaders(call.route?.operation.deprecated ?? call.deprecatedMember),
    ...more,
  }
  // The service is stopping, so the client must not reuse this connection.
  if (!reply.server.server.listening) headers.connection = 'close'
  return headers
}

interface TextAnswer {
  readonly status: number
  readonly text: string
  readonly headers?: Headers
  /** Error codes, for the log. */
  readonly codes?: readonly string[]
}

interface RejectionsDetail {
  readonly headers?: Headers
  readonly message?: string | undefined
}

/** Sends a complete response. */
export function sendText(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  { status, text, headers: more = {}, codes = [] }: TextAnswer,
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
  settle(outlet, call, status, codes, text)
}

export function sendRejections(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  rejections: readonly Rejection[],
  { headers: more = {}, message }: RejectionsDetail = {},
): void {
  const status = statusOf(rejections)
  const codes = [...new Set(rejections.map((rejection) => rejection.code))]
  const text = renderRejections(status, rejections, call.traceId, message)
  const pause =
    status === 503 ? outagePauseSeconds : codes.includes('ERR.2009') ? duplicatePauseSeconds : undefined
  const headers = pause === undefined ? more : { 'retry-after': pause, ...more }
  sendText(outlet, call, reply, { status, text, headers, codes })
}

/** Logs a fault with all its details. The response holds only an error code and the traceId. */
export function sendFault(outlet: Outlet, call: Call, reply: FastifyReply, fault: unknown): void {
  if (fault instanceof ClientGone || (reply.request.raw.destroyed && !reply.request.raw.complete)) {
    reply.hijack()
    reply.raw.destroy()
    const refused = refusalOfSlowBody(reply.request.raw)
    settle(outlet, call, refused?.status ?? clientGoneStatus, refused === undefined ? [] : [refused.code])
    return
  }
  const { traceId, route } = call
  outlet.logger.error({ traceId, operation: route?.name, fault: renderFault(fault) }, 'fault')
  if (fault instanceof AnswerBroken) return
  const { rejections, retryAfterSeconds } = answerFault(fault, route?.operation)
  sendRejections(
    outlet,
    call,
    reply,
    rejections,
    retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': `${retryAfterSeconds}` } },
  )
}

/**
 * Ends a call: writes the log line, the duration histogram and the span, all without values of the request, and adds
 * the call to the request log, which redacts values.
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
  outlet.observe({ operation: call.route?.name ?? '', status, durationMs, codes })
  if (call.span !== undefined) endSpan(call.span, status)
  outlet.requestLog?.keep(call, status, codes, answer)
}

function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * Waits until the client has read enough to take more. Resolves to false when the client has disconnected or
 * does not read within `timeoutMs`.
 */
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
