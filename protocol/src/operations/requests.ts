/** The log of a firm's own calls, for its engineers: what was asked and answered, without personal numbers and secrets. */
import Type from 'typebox'
import { block, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { cursor, next, orNullCursor, pageOf } from '../paging.ts'
import { requestShape } from '../shapes/request.ts'

const traceIdLength = 55
const nameLengthMax = 100
const time = () =>
  optional(Type.String({ format: 'date-time', maxLength: 40, examples: ['2026-01-31T14:30:00Z'] }))

export const listRequests = defineOperation({
  audience: 'firm',
  scope: 'accounts:read',
  body: 'json',
  origin: 'extension',
  summary: 'The firm’s own calls',
  description:
    `The calls of the firm’s credentials, the latest first, kept ${limits.requestKeptDays} days: found by \`traceId\`, a range of time, status, ` +
    'operation and credential; all that are given must match. A call is there about a second after its answer. Refused calls are there as ' +
    'soon as the token has told whose they are. Tax ids, government ids, birth dates and secrets are not kept. A page may have fewer ' +
    'calls than asked for, or none, and lead on.',
  writes: false,
  request: block({
    traceId: optional(
      words(traceIdLength, {
        description: 'Of an answer; or the 32 digits in its middle, for all calls of the trace.',
        examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
      }),
    ),
    from: time(),
    to: time(),
    status: optional(
      Type.Union([
        Type.Integer({ minimum: 200, maximum: 599 }),
        words(3, { description: 'The same as text, or a class: `4xx`.', examples: ['4xx'] }),
      ]),
    ),
    operation: optional(words(nameLengthMax, { examples: ['new-account'] })),
    clientId: optional(words(nameLengthMax)),
    ...pageOf(),
    cursor: cursor(nameLengthMax),
  }),
  data: Type.Object(
    {
      requests: Type.Array(requestShape),
      next,
      nextCursor: orNullCursor(),
    },
    { additionalProperties: false },
  ),
  examples: [
    { title: 'The latest', request: {} },
    { title: 'What was refused', request: { status: '4xx', size: 10 } },
  ],
})
