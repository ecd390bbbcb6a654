/** A call of a firm as the log of calls keeps it. */
import Type from 'typebox'
import { limits } from '../limits.ts'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T) =>
  Type.Union([shape, Type.Null()])
const cut = `without personal numbers and secrets, cut after ${limits.requestBodyKeptLengthMax} characters`

export const requestShape = Type.Object(
  {
    requestId: Type.String({ format: 'uuid' }),
    traceId: Type.String(),
    at: Type.String({ format: 'date-time', description: 'When it came, by the wall clock.' }),
    clientId: Type.String({ description: 'The credential.' }),
    operation: Type.String(),
    address: Type.String({ description: 'Where it came from.' }),
    status: Type.Integer({ description: 'Of the answer; 499 when the caller had gone before it.' }),
    errorCodes: Type.Array(Type.String(), { description: 'Of the answer’s errors, each once.' }),
    durationMs: Type.Integer(),
    idempotencyKey: orNull(Type.String()),
    replayed: Type.Boolean({ description: 'Whether it was answered with the first answer under its key.' }),
    requestBody: orNull(
      Type.String({
        description: `JSON as it was sent, ${cut}; null when it could not be read. Of forms the fields.`,
      }),
    ),
    answerBody: orNull(
      Type.String({
        description: `The answer, ${cut}; of calls that read something only when they were refused.`,
      }),
    ),
  },
  { additionalProperties: false },
)
