/** Error responses by status, one component each, with an example for each code of the catalogue. */
import { errorEnvelopeShape, invalidMessage } from '../envelope.ts'
import { type ErrorStatus, errorCatalogue } from '../errors.ts'
import { limits } from '../limits.ts'
import { type JsonObject, refer } from './schema-json.ts'
import type { SchemaBook } from './schemas.ts'

export const exampleTraceId = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** Error responses of the HTTP server, before the operation is known. Their code is ERR.2004. */
const ofHttp = {
  408: { code: 'ERR.2004', reason: 'The request did not arrive in time.' },
  431: {
    code: 'ERR.2004',
    reason: `The headers must be at most ${limits.headersSizeBytesMax.toLocaleString('en-US')} bytes.`,
  },
} as const

/** The HTTP statuses of all error responses. */
export type AnsweredStatus = ErrorStatus | keyof typeof ofHttp

const retryAfter = { 'Retry-After': refer('headers', 'RetryAfter') }

/** The headers of every response to a caller whose rate is known. */
export const rateHeaders: JsonObject = {
  RateLimit: refer('headers', 'RateLimit'),
  'RateLimit-Policy': refer('headers', 'RateLimitPolicy'),
  traceparent: refer('headers', 'Traceparent'),
}

/**
 * The headers of the responses of an operation. The responses are shared, also by operations that are not deprecated.
 */
const callHeaders: JsonObject = { ...rateHeaders, Deprecation: refer('headers', 'Deprecation') }

/** The statuses of responses that are sent before the operation is known. */
const beforeCall: ReadonlySet<AnsweredStatus> = new Set([405, 408, 431])

/** The response of each status: its name, the message of the envelope, its meaning and its headers. */
const answers: Record<
  AnsweredStatus,
  { name: string; message: string; description: string; headers?: JsonObject }
> = {
  400: {
    name: 'Invalid',
    message: invalidMessage,
    description: 'The request is invalid. The response lists every error found in it.',
  },
  401: {
    name: 'Unauthenticated',
    message: 'Authentication required.',
    description: 'No valid access token.',
    headers: { 'WWW-Authenticate': refer('headers', 'WwwAuthenticate') },
  },
  403: {
    name: 'Forbidden',
    message: 'Access denied.',
    description: 'The token lacks the scope, or the request names a value of another firm.',
    headers: { 'WWW-Authenticate': refer('headers', 'WwwAuthenticate') },
  },
  404: {
    name: 'NotFound',
    message: 'Not found.',
    description:
      'The object does not exist for this firm. An object of another firm gets the same response as an object that does not exist.',
  },
  405: {
    name: 'MethodNotAllowed',
    message: 'Method not allowed.',
    description: 'The request uses another method than POST.',
    headers: { Allow: refer('headers', 'Allow'), traceparent: refer('headers', 'Traceparent') },
  },
  406: {
    name: 'NotAcceptable',
    message: 'Not acceptable.',
    description: 'The Accept header excludes the media type of the response.',
  },
  408: {
    name: 'RequestTimeout',
    message: invalidMessage,
    description:
      'The request did not arrive in time, and the connection is closed. Nothing was changed: send the request again.',
  },
  409: {
    name: 'Conflict',
    message: 'Conflict.',
    description: 'The request contradicts the state of the record, or an identical request is still running.',
    headers: retryAfter,
  },
  413: { name: 'TooLarge', message: 'Request too large.', description: 'The body or the file is too large.' },
  415: {
    name: 'UnsupportedMediaType',
    message: 'Media type not supported.',
    description: 'Content-Type or the type of the file is not accepted.',
  },
  422: {
    name: 'KeyReused',
    message: 'Idempotency key reused.',
    description: 'The Idempotency-Key was used with another body.',
  },
  429: {
    name: 'TooManyRequests',
    message: 'Too many requests.',
    description: 'The client sent more requests than its rate allows.',
    headers: retryAfter,
  },
  431: {
    name: 'HeadersTooLarge',
    message: invalidMessage,
    description: `All headers together are larger than ${limits.headersSizeBytesMax} bytes. The connection is closed.`,
  },
  500: {
    name: 'Fault',
    message: 'Internal error.',
    description: 'The service failed. Quote the traceId to support.',
  },
  503: {
    name: 'Unavailable',
    message: 'Service unavailable.',
    description:
      'The service cannot process the request now. A write may have been committed: send it again with the same Idempotency-Key.',
    headers: retryAfter,
  },
}

const statuses = Object.keys(answers).map(Number) as AnsweredStatus[]

/** A reference to the response of a status. */
export function referToError(status: AnsweredStatus) {
  return refer('responses', answers[status].name)
}

/** The error responses of every path, which occur before the path is known. */
export const httpAnswers: JsonObject = { '408': referToError(408), '431': referToError(431) }

/** All error responses, as the components of a document. */
export function renderErrorAnswers(book: SchemaBook): JsonObject {
  const schema = book.render(errorEnvelopeShape, 'answer')
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description, headers } = answers[status]
      const all = { ...(beforeCall.has(status) ? {} : callHeaders), ...headers }
      const content = { 'application/json': { schema, examples: examplesOf(status) } }
      return [name, { description, ...(Object.keys(all).length === 0 ? {} : { headers: all }), content }]
    }),
  )
}

function examplesOf(status: AnsweredStatus): JsonObject {
  return status in ofHttp
    ? exampleOfHttp(status as keyof typeof ofHttp)
    : Object.fromEntries(
        errorCatalogue
          .filter((row) => row.status === status)
          .map(({ code, name, condition, remedy, example }) => [
            code,
            {
              summary: name,
              description: `${condition} ${remedy}`,
              value: exampleAnswer(status, { code, ...example }),
            },
          ]),
      )
}

function exampleOfHttp(status: keyof typeof ofHttp): JsonObject {
  const { code, reason } = ofHttp[status]
  return { http: { summary: reason, value: exampleAnswer(status, { code, field: '', reason }) } }
}

function exampleAnswer(status: AnsweredStatus, error: JsonObject): JsonObject {
  return {
    statusCode: status,
    message: answers[status].message,
    errors: [error],
    traceId: exampleTraceId,
    hasErrors: true,
  }
}
