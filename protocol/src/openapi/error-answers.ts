/** Error answers by status, with an example for each code of the catalogue: one component each. */
import { errorEnvelopeShape, invalidMessage } from '../envelope.ts'
import { type ErrorStatus, errorCatalogue } from '../errors.ts'
import { type JsonObject, refer } from './schema-json.ts'
import type { SchemaBook } from './schemas.ts'

export const exampleTraceId = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

const retryAfter = { 'Retry-After': refer('headers', 'RetryAfter') }

/** Of the answer of each status: its name, the envelope's message, its meaning, the headers it carries. */
const answers: Record<
  ErrorStatus,
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
  500: { name: 'Fault', message: 'Internal error.', description: 'The service failed; quote the traceId.' },
  503: {
    name: 'Unavailable',
    message: 'Service unavailable.',
    description:
      'The service cannot do this now. A write may have happened: send it again with the same Idempotency-Key.',
    headers: retryAfter,
  },
}

export const errorStatuses = Object.keys(answers).map(Number) as ErrorStatus[]

/** A reference to the answer of a status. */
export const referToError = (status: ErrorStatus) => refer('responses', answers[status].name)

/** All answers, as the components of a document. */
export function renderErrorAnswers(book: SchemaBook): JsonObject {
  const schema = book.render(errorEnvelopeShape, 'answer')
  return Object.fromEntries(
    errorStatuses.map((status) => {
      const { name, description, headers } = answers[status]
      const content = { 'application/json': { schema, examples: examplesOf(status) } }
      return [name, { description, ...(headers === undefined ? {} : { headers }), content }]
    }),
  )
}

const examplesOf = (status: ErrorStatus): JsonObject =>
  Object.fromEntries(
    errorCatalogue
      .filter((row) => row.status === status)
      .map(({ code, name, condition, remedy, example }) => [
        code,
        {
          summary: name,
          description: `${condition} ${remedy}`,
          value: {
            statusCode: status,
            message: answers[status].message,
            errors: [{ code, ...example }],
            traceId: exampleTraceId,
            hasErrors: true,
          },
        },
      ]),
  )
