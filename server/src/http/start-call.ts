/** Begins a call: its trace id, its span when traces are exported, and the address of its caller. */
import { ROOT_CONTEXT, type Span, SpanKind, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { addressOf } from '../identity/caller-address.ts'
import type { Call, Route } from './call.ts'
import { continueTrace, renderTraceId, type TraceContext } from './trace-context.ts'

export function startCall(
  request: FastifyRequest,
  route: Route | undefined,
  tracer: Tracer | undefined,
): Call {
  const { traceparent: header, 'clearing-consistency': sent } = request.raw.headers
  const own = continueTrace(typeof header === 'string' ? header : undefined)
  const span = tracer === undefined ? undefined : startSpan(tracer, own, route)
  const exported = span?.spanContext()
  return {
    traceId:
      exported === undefined || exported.spanId === own.parentSpanId || /^0+$/.test(exported.spanId)
        ? renderTraceId(own.traceId, own.spanId)
        : renderTraceId(exported.traceId, exported.spanId),
    startedMs: performance.now(),
    address: addressOf(request),
    route,
    span,
    firm: undefined,
    caller: undefined,
    rate: undefined,
    fault: undefined,
    deprecatedMember: undefined,
    bodySent: undefined,
    idempotencyKey: undefined,
    consistencySent: typeof sent === 'string' ? sent : undefined,
    consistency: undefined,
    replayed: false,
  }
}

/** Starts a span of the tracer. The call takes the ids of the span, so that the exported trace can be found by them. */
function startSpan(tracer: Tracer, { traceId, parentSpanId }: TraceContext, route: Route | undefined): Span {
  const parent =
    parentSpanId === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId,
          spanId: parentSpanId,
          traceFlags: TraceFlags.SAMPLED,
          isRemote: true,
        })
  return tracer.startSpan(
    route?.name ?? 'unknown path',
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': 'POST', 'http.route': route?.path ?? '' } },
    parent,
  )
}
