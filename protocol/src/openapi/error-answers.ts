/** Error answers by status, with an example for each code of the catalogue: one component each. */
import { errorEnvelopeShape, invalidMessage } from '../envelope.ts'
import { type ErrorStatus, errorCatalogue } from '../errors.ts'
import { limits } from '../limits.ts'
import { type JsonObject, refer } from './schema-json.ts'
import type { SchemaBook } from './schemas.ts'

export const exampleTraceId = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** What HTTP itself answers, before it knows an operation. Their code is that of bytes that are no request. */
const ofHttp = {
  408: { code: 'ERR.2004', reason: 'The request did not arrive in time.' },
  431: {
    code: 'ERR.2004',
    reason: `The headers must be at most ${limits.headersSizeBytesMax.toLocaleString('en-US')} bytes.`,
  },
} as const

/** The HTTP statuses of all answers that are no success. */
export type AnsweredStatus = ErrorStatus | keyof typeof ofHttp

const retryAfter = { 'Retry-After': refer('headers', 'RetryAfter') }

/** Of the answer of each status: its name, the envelope's message, its meaning, the headers it carries. */
const answers: Record<
  AnsweredStatus,
  { name: string; message: string; description: string; headers?: JsonObject }
> = {
  400: {
    name: 'Invalid',
    message: invalidMessage,
    description: 'The request is invalid; every error found in it is told.',
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
    description: 'The token lacks the scope, or a value of another firm was named.',
  },
  404: {
    name: 'NotFound',
    message: 'Not found.',
    description:
      'Does not exist for this firm. What belongs to another firm is not told apart from what does not exist.',
  },
  405: {
    name: 'MethodNotAllowed',
    message: 'Method not allowed.',
    description: 'Called with another method than POST.',
    headers: { Allow: refer('headers', 'Allow') },
  },
  406: {
    name: 'NotAcceptable',
    message: 'Not acceptable.',
    description: 'The Accept header excludes the answer.',
  },
  408: {
    name: 'RequestTimeout',
    message: invalidMessage,
    description: 'The request did not arrive in time; the connection ends. Nothing was done: send it again.',
  },
  409: {
    name: 'Conflict',
    message: 'Conflict.',
    description: 'Contradicts the state of the record, or a twin of the request is still running.',
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
    description: `The headers together are larger than ${limits.headersSizeBytesMax} bytes; the connection ends.`,
  },
  500: { name: 'Fault', message: 'Internal error.', description: 'The service failed; quote the traceId.' },
  503: {
    name: 'Unavailable',
    message: 'Service unavailable.',
    description:
      'The service cannot do this now. A write may have happened: send it again with the same Idempotency-Key.',
    headers: retryAfter,
  },
}

const statuses = Object.keys(answers).map(Number) as AnsweredStatus[]

/** A reference to the answer of a status. */
export const referToError = (status: AnsweredStatus) => refer('responses', answers[status].name)

/** The answers that every path can have, for what comes before the path is known. */
export const httpAnswers: JsonObject = { '408': referToError(408), '431': referToError(431) }

/** All answers, as the components of a document. */
export function renderErrorAnswers(book: SchemaBook): JsonObject {
  const schema = book.render(errorEnvelopeShape, 'answer')
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description, headers } = answers[status]
      const content = { 'application/json': { schema, examples: examplesOf(status) } }
      return [name, { description, ...(headers === undefined ? {} : { headers }), content }]
    }),
  )
}

const examplesOf = (status: AnsweredStatus): JsonObject =>
  status in ofHttp
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

const exampleOfHttp = (status: keyof typeof ofHttp): JsonObject => {
  const { code, reason } = ofHttp[status]
  return { http: { summary: reason, value: exampleAnswer(status, { code, field: '', reason }) } }
}

const exampleAnswer = (status: AnsweredStatus, error: JsonObject): JsonObject => ({
  statusCode: status,
  message: answers[status].message,
  errors: [error],
  traceId: exampleTraceId,
  hasErrors: true,
})
