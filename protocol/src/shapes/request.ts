/** A call of a firm in the log of calls. */
import Type from 'typebox'
import { orNull, time } from '../answered-values.ts'
import { limits } from '../limits.ts'

const cut = `without personal numbers and secrets, cut after ${limits.requestBodyKeptLengthMax} characters`

export const requestShape = Type.Object(
  {
    requestId: Type.String({ format: 'uuid', description: 'ID of the call in the log.' }),
    traceId: Type.String({ description: 'W3C trace id of the call.' }),
    at: time('When the call arrived, by the wall clock.'),
    clientId: Type.String({ description: 'ID of the credential.' }),
    operation: Type.String({ description: 'Name of the operation.' }),
    address: Type.String({ description: 'Network address of the caller.' }),
    status: Type.Integer({
      description: 'HTTP status of the response; 499 if the caller disconnected before it.',
    }),
    errorCodes: Type.Array(Type.String(), { description: 'Error codes of the response, each once.' }),
    durationMs: Type.Integer({ description: 'Duration of the call, in milliseconds.' }),
    idempotencyKey: orNull(Type.String(), {
      description: 'The Idempotency-Key of the call; null without one.',
    }),
    replayed: Type.Boolean({
      description: 'Whether the response repeats the first response of the Idempotency-Key.',
    }),
    requestBody: orNull(Type.String(), {
      description: `The request as JSON, ${cut}; null if it could not be read. For a form, its fields.`,
    }),
    answerBody: orNull(Type.String(), {
      description: `The response, ${cut}. For calls that only read, kept if the call was rejected.`,
    }),
  },
  { additionalProperties: false },
)
