/**
 * The operation that returns the log of a firm's own calls: requests and responses, without personal numbers and
 * secrets.
 */
import Type from 'typebox'
import { block, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { cursor, next, orNullCursor, pageOf } from '../paging.ts'
import { requestShape } from '../shapes/request.ts'

const traceIdLength = 55
const nameLengthMax = 100
function time(description: string) {
  const examples = ['2026-01-31T14:30:00Z']
  return optional(Type.String({ description, format: 'date-time', maxLength: 40, examples }))
}

export const listRequests = defineOperation({
  audience: 'firm',
  scope: 'accounts:read',
  body: 'json',
  origin: 'extension',
  summary: 'List calls of the firm',
  description:
    `Returns the calls of the firm’s credentials, the latest first, kept for ${limits.requestKeptDays} days. Filters are \`traceId\`, a range of time, status, ` +
    'operation and credential; a call must match all of them. A call appears about a second after its response. Rejected calls are logged once the token has ' +
    'identified the firm. Tax ids, government ids, birth dates and secrets are not kept. A page can hold fewer calls than its size, or none, and still have a next page.',
  writes: false,
  request: block({
    traceId: optional(
      words(traceIdLength, {
        description: 'The trace id of a response, or its 32 hexadecimal digits for all calls of the trace.',
        examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
      }),
    ),
    from: time('The earliest time of a call.'),
    to: time('The latest time of a call.'),
    status: optional(
      Type.Union(
        [
          Type.Integer({ minimum: 200, maximum: 599 }),
          words(3, { description: 'The status as text, or a class of statuses.', examples: ['4xx'] }),
        ],
        { description: 'HTTP status of the response, or a class of statuses: `4xx`.' },
      ),
    ),
    operation: optional(
      words(nameLengthMax, { description: 'Name of the operation.', examples: ['new-account'] }),
    ),
    clientId: optional(words(nameLengthMax, { description: 'ID of the credential.' })),
    ...pageOf(),
    cursor: cursor(limits.cursorLengthMax),
  }),
  data: Type.Object(
    {
      requests: Type.Array(requestShape, { description: 'The latest first.' }),
      next,
      nextCursor: orNullCursor(),
    },
    { additionalProperties: false },
  ),
  examples: [
    { title: 'The latest', request: {} },
    { title: 'Rejected calls', request: { status: '4xx', size: 10 } },
  ],
})
