/** The envelope of every response of an operation (Specification, Response envelope). */
import Type, { type TSchema } from 'typebox'
import type { Rejection } from './errors.ts'

export interface Envelope<Data> {
  /** The HTTP status of the response. */
  readonly statusCode: number
  /** The outcome in a few words: "Request successful.", "Request invalid." or a short text on the failure. */
  readonly message: string
  /** The payload; absent if the request has errors. */
  readonly data?: Data
  /** All errors found in the request; empty on success. */
  readonly errors: readonly Rejection[]
  /** The W3C trace id of the call, `00-<32 hex>-<16 hex>-01`. Quote it to support. */
  readonly traceId: string
  readonly hasErrors: boolean
}

export const successMessage = 'Request successful.'
export const invalidMessage = 'Request invalid.'

export const errorShape = Type.Object(
  {
    code: Type.String({ description: 'Code of the error catalogue.', examples: ['ERR.1000'] }),
    field: Type.String({
      description: 'Dotted path of the field in the request; empty if no field is at fault.',
    }),
    reason: Type.String({
      description: 'What is wrong and how to correct it. Never contains personal data.',
    }),
    rule: Type.Optional(
      Type.String({
        description: 'The rule of account policy that was broken, a value of the code list `accountRule`.',
        examples: ['RoleMissing'],
      }),
    ),
  },
  { additionalProperties: false },
)

const traceIdShape = Type.String({
  description: 'W3C trace id of the call.',
  pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
})

function statusCode(example: number) {
  return Type.Integer({ description: 'The HTTP status of the response.', examples: [example] })
}
function message(example: string) {
  const description = 'The outcome in a few words, or what a reader of `data` has to know.'
  return Type.String({ description, examples: [example] })
}
const hasErrors = 'Whether `errors` has any.'

/** The schema of a successful response with this `data`. */
export function envelopeShape<T extends TSchema>(data: T) {
  return Type.Object(
    {
      statusCode: statusCode(200),
      message: message(successMessage),
      data,
      errors: Type.Array(errorShape, { description: 'Empty on success.', maxItems: 0 }),
      traceId: traceIdShape,
      hasErrors: Type.Literal(false, { description: hasErrors }),
    },
    { additionalProperties: false },
  )
}

/** The schema of an error response, which has no `data`. */
export const errorEnvelopeShape = Type.Object(
  {
    statusCode: statusCode(400),
    message: message(invalidMessage),
    errors: Type.Array(errorShape, {
      description: 'All errors that were found in the request.',
      minItems: 1,
    }),
    traceId: traceIdShape,
    hasErrors: Type.Literal(true, { description: hasErrors }),
  },
  { additionalProperties: false },
)
