/** The envelope around every answer of a business path (Specification, Response envelope). */
import Type, { type TSchema } from 'typebox'
import type { Rejection } from './errors.ts'

export interface Envelope<Data> {
  /** HTTP status of the outcome; the same as the answer's own. */
  readonly statusCode: number
  /** Short text on the outcome: "Request successful." or "Request invalid.", or what went wrong. */
  readonly message: string
  /** The payload; absent when the request has errors. */
  readonly data?: Data
  /** Every error found in the request; empty on success. */
  readonly errors: readonly Rejection[]
  /** W3C trace id of this call, `00-<32 hex>-<16 hex>-01`: quote it when asking for help. */
  readonly traceId: string
  readonly hasErrors: boolean
}

export const successMessage = 'Request successful.'
export const invalidMessage = 'Request invalid.'

export const errorShape = Type.Object(
  {
    code: Type.String({ description: 'Code of the catalogue.', examples: ['ERR.1000'] }),
    field: Type.String({
      description: 'Dotted path of the field in the request; empty where none is at fault.',
    }),
    reason: Type.String({ description: 'What is wrong and how to mend it. Never repeats personal data.' }),
  },
  { additionalProperties: false },
)

const traceIdShape = Type.String({
  description: 'W3C trace id of the call.',
  pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
})

/** The schema of a successful answer around `data`. */
export const envelopeShape = <T extends TSchema>(data: T) =>
  Type.Object(
    {
      statusCode: Type.Integer({ examples: [200] }),
      message: Type.String({ examples: [successMessage] }),
      data,
      errors: Type.Array(errorShape, { maxItems: 0 }),
      traceId: traceIdShape,
      hasErrors: Type.Literal(false),
    },
    { additionalProperties: false },
  )

/** The schema of an answer that reports errors; it has no `data`. */
export const errorEnvelopeShape = Type.Object(
  {
    statusCode: Type.Integer({ examples: [400] }),
    message: Type.String({ examples: [invalidMessage] }),
    errors: Type.Array(errorShape, { minItems: 1 }),
    traceId: traceIdShape,
    hasErrors: Type.Literal(true),
  },
  { additionalProperties: false },
)
