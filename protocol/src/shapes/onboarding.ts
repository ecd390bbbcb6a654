/** The onboarding result (Specification, Onboarding result record) with its extension members (Reading 4.2). */
import Type from 'typebox'
import { errorShape } from '../envelope.ts'
import { answeredCode } from '../field.ts'

const strict = { additionalProperties: false }

export const followUpShape = Type.Object(
  {
    id: Type.String(),
    code: Type.String({ description: 'What is asked for.', examples: ['AddressDocument'] }),
    kind: answeredCode('followUpKind', { description: 'Field, Document or Review.' }),
    field: Type.String({ description: 'The field in question, or empty.' }),
    reasons: Type.Array(Type.String()),
    acceptedDocuments: Type.Array(Type.String(), { description: 'References of documents that answer it.' }),
    status: answeredCode('followUpStatus'),
    blocking: Type.Boolean({
      description: 'Whether the opening waits for the answer. What an open account is asked is not blocking.',
    }),
    dueBy: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    answers: Type.Array(
      Type.Object(
        {
          at: Type.String({ format: 'date-time' }),
          documentId: Type.String({ description: 'The document that was given, or empty.' }),
          fields: Type.Array(Type.String(), { description: 'Paths of the fields that were changed.' }),
          text: Type.String({ description: 'What was written, or empty.' }),
        },
        strict,
      ),
      { description: 'What the firm answered, the first first.' },
    ),
  },
  strict,
)

/** A follow-up that an application would be asked, before it is one. */
export const foreseenFollowUpShape = Type.Object(
  {
    code: Type.String({ 'x-code-list': 'followUpCode' }),
    kind: Type.String({ 'x-code-list': 'followUpKind' }),
    field: Type.String({ description: 'The field in question, or empty.' }),
    reasons: Type.Array(Type.String()),
    acceptedDocuments: Type.Array(Type.String(), { description: 'References of documents that answer it.' }),
    blocking: Type.Boolean({ description: 'Whether the opening would wait for the answer.' }),
  },
  strict,
)

export const stageShape = Type.Object(
  {
    code: answeredCode('stageCode'),
    status: answeredCode('stageStatus'),
    reason: Type.String(),
  },
  strict,
)

export const onboardingResultShape = Type.Object(
  {
    correlationId: Type.String({ description: 'Our tracking identifier, a UUIDv7.' }),
    currentState: answeredCode('onboardingState'),
    createdOn: Type.String({ format: 'date-time' }),
    lastUpdated: Type.String({ format: 'date-time' }),
    accountNumber: Type.String(),
    remarks: Type.String(),
    errorResponses: Type.Array(errorShape),
    state: Type.Array(stageShape),
    followUps: Type.Array(followUpShape),
    request: Type.Record(Type.String(), Type.Unknown(), { description: 'The blocks as submitted, masked.' }),
    history: Type.Array(
      Type.Object(
        {
          from: Type.String(),
          to: Type.String(),
          at: Type.String({ format: 'date-time' }),
          reason: Type.String(),
        },
        strict,
      ),
    ),
  },
  strict,
)
