/** Traces: the spans of requests are sent to an OTLP collector when one is configured. Trace ids exist in any case. */
import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export interface Traces {
  readonly tracer: Tracer
  stop(): Promise<void>
}

export function startTraces(endpoint: string): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
  return { tracer: provider.getTracer('clearing'), stop: () => provider.shutdown() }
}
