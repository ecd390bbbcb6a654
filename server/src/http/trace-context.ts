/** Trace ids in the W3C format: a valid incoming `traceparent` is continued, always with a new span (Reading 1.10). */
import { drawRandom } from '../ids.ts'

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits of the new span. */
  readonly spanId: string
  /** The caller's span, when its traceparent is continued. */
  readonly parentSpanId: string | undefined
}

// A later version may add fields after the four. Version 00 has exactly four, and ff is invalid.
const traceparentForm =
  /^(?:00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}|(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?)$/
const onlyZeros = /^0+$/

export function continueTrace(traceparent: string | undefined): TraceContext {
  const parts = traceparent === undefined ? null : traceparentForm.exec(traceparent)
  const traceId = parts?.[1] ?? parts?.[3]
  const parentSpanId = parts?.[2] ?? parts?.[4]
  if (
    traceId !== undefined &&
    parentSpanId !== undefined &&
    !onlyZeros.test(traceId) &&
    !onlyZeros.test(parentSpanId)
  ) {
    return { traceId, spanId: randomHex(spanBytes), parentSpanId }
  }
  return { traceId: randomHex(traceBytes), spanId: randomHex(spanBytes), parentSpanId: undefined }
}

export function renderTraceId(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`
}

const traceBytes = 16
const spanBytes = 8

function randomHex(bytes: number): string {
  const hex = drawRandom(bytes).toString('hex')
  return onlyZeros.test(hex) ? randomHex(bytes) : hex
}
