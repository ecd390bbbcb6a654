/**
 * Renders the text of a response: data or rejections in the envelope (Specification, Response envelope; Reading 1.8).
 */
import {
  type ErrorStatus,
  invalidMessage,
  limits,
  maskFieldName,
  type Rejection,
  successMessage,
} from '@clearing/protocol'

/** The envelope around the JSON text of `data`. */
export function renderSuccess(data: string, traceId: string, message: string = successMessage): string {
  return `${renderStart(message)}${data}${renderEnd(traceId)}`
}

/** The text before and after the JSON text of `data`. */
export function renderStart(message: string = successMessage): string {
  return `{"statusCode":200,"message":${JSON.stringify(message)},"data":`
}
export function renderEnd(traceId: string): string {
  return `,"errors":[],"traceId":"${traceId}","hasErrors":false}`
}

export function renderRejections(
  status: number,
  rejections: readonly Rejection[],
  traceId: string,
  message: string = messages[status] ?? invalidMessage,
): string {
  // The rules of an operation can add to the errors of the reading.
  const errors = rejections
    .slice(0, limits.rejectionsMax)
    .map((one) => ({ ...one, field: maskFieldName(one.field) }))
  return JSON.stringify({ statusCode: status, message, errors, traceId, hasErrors: true })
}

const messages: Record<number, string> = {
  400: invalidMessage,
  401: 'Authentication required.',
  403: 'Access denied.',
  404: 'Not found.',
  405: 'Method not allowed.',
  406: 'Not acceptable.',
  409: 'Conflict.',
  413: 'Request too large.',
  415: 'Media type not supported.',
  422: 'Idempotency key reused.',
  429: 'Too many requests.',
  500: 'Internal error.',
  503: 'Service unavailable.',
} satisfies Record<ErrorStatus, string>
