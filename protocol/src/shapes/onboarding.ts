/** The onboarding result (Specification, Onboarding result record) with its extension members (Reading 4.2). */
import Type from 'typebox'
import { orNull, time } from '../answered-values.ts'
import { errorShape } from '../envelope.ts'
import { answeredCode } from '../field.ts'

const strict = { additionalProperties: false }

export const followUpShape = Type.Object(
  {
    id: Type.String({ description: 'ID of the follow-up, for answer-follow-up.' }),
    code: Type.String({ description: 'What the follow-up requests.', examples: ['AddressDocument'] }),
    kind: answeredCode('followUpKind', { description: '`Field`, `Document` or `Review`.' }),
    field: Type.String({ description: 'Path of the field in question; empty for the other kinds.' }),
    reasons: Type.Array(Type.String(), { description: 'Why it is requested, in words.' }),
    acceptedDocuments: Type.Array(Type.String(), {
      description:
        'References of the documents that answer the follow-up. get-document-types returns the type and the title of each.',
    }),
    status: answeredCode('followUpStatus', { description: 'Status of the follow-up.' }),
    blocking: Type.Boolean({
      description:
        'Whether the opening waits for the answer. Follow-ups of an open account are not blocking.',
    }),
    dueBy: orNull(time(), { description: 'By when it is to be answered; null without a limit.' }),
    answers: Type.Array(
      Type.Object(
        {
          at: time('When the answer arrived.'),
          documentId: Type.String({ description: 'ID of the given document, or empty.' }),
          fields: Type.Array(Type.String(), { description: 'Paths of the changed fields.' }),
          text: Type.String({ description: 'The given text, or empty.' }),
        },
        strict,
      ),
      { description: 'The answers of the firm, the earliest first.' },
    ),
  },
  strict,
)

/** A follow-up that an application would open, returned before its submission. */
export const foreseenFollowUpShape = Type.Object(
  {
    code: Type.String({ 'x-code-list': 'followUpCode', description: 'What the follow-up would request.' }),
    kind: Type.String({ 'x-code-list': 'followUpKind', description: '`Field`, `Document` or `Review`.' }),
    field: Type.String({ description: 'Path of the field in question; empty for the other kinds.' }),
    reasons: Type.Array(Type.String(), { description: 'Why it is requested, in words.' }),
    acceptedDocuments: Type.Array(Type.String(), {
      description:
        'References of the documents that answer the follow-up. get-document-types returns the type and the title of each.',
    }),
    blocking: Type.Boolean({ description: 'Whether the opening would wait for the answer.' }),
  },
  strict,
)

export const stageShape = Type.Object(
  {
    code: answeredCode('stageCode', { description: 'The stage.' }),
    status: answeredCode('stageStatus', { description: 'Status of the stage.' }),
    reason: Type.String({ description: 'Why the stage has this status; empty if there is nothing to say.' }),
  },
  strict,
)

const findingMembers = {
  rule: Type.String({
    description: 'Rule of account policy, a value of the code list `accountRule`.',
    examples: ['UsOwnerCertified'],
  }),
  effect: Type.String({
    description:
      '`ask`: the follow-up asks for it. `review`: operations decide. `restrict`: the account is restricted until the follow-up is answered. `note`: nothing waits.',
    examples: ['ask'],
  }),
  field: Type.String({ description: 'Path of the field in question, or empty.' }),
  reason: Type.String({ description: 'What is missing or unusual. Never contains personal data.' }),
  source: Type.String({ description: 'The law, rule or reading that the rule comes from.' }),
}

/** What a rule of account policy found, with the follow-up that it led to. */
const accountFindingShape = Type.Object(
  {
    ...findingMembers,
    followUpId: Type.String({
      description:
        'ID of the follow-up that requests the missing fact or waits for a decision; empty if there is none.',
    }),
    ended: Type.Boolean({
      description:
        'True if the record does not have it any more: the value was corrected, or is not stated any more. Operations may decide on it nevertheless.',
    }),
  },
  strict,
)

/** What a rule of account policy would find, returned before the submission. */
export const foreseenFindingShape = Type.Object(findingMembers, strict)

export const onboardingResultShape = Type.Object(
  {
    correlationId: Type.String({ description: 'Tracking identifier of the service, a UUIDv7.' }),
    currentState: answeredCode('onboardingState', { description: 'State of the onboarding.' }),
    createdOn: time('When the application arrived.'),
    lastUpdated: time('When the application last changed.'),
    expectedBy: orNull(time(), {
      description:
        'The time by which a waiting application is expected to continue. In `ActionRequired`, the earliest `dueBy` of the open follow-ups; after your answers, one market day ' +
        'after the last of them. In `ManualReview`, one market day after its beginning. Null while the service works on the application, and in the final states.',
    }),
    withdrawnOn: orNull(time(), {
      description: 'When the firm withdrew the application; null if it did not.',
    }),
    accountNumber: Type.String({ description: '8 characters.' }),
    remarks: Type.String({ description: 'The present state in words.' }),
    errorResponses: Type.Array(errorShape, {
      description:
        'What the processing of the accepted application found to be wrong; may be filled while `hasErrors` is false.',
    }),
    state: Type.Array(stageShape, { description: 'The stages of the processing.' }),
    followUps: Type.Array(followUpShape, {
      description: 'What was requested from the firm or waits for operations.',
    }),
    findings: Type.Array(accountFindingShape, {
      description:
        'The findings of account policy: those that led to a follow-up, then those noted in the present record.',
    }),
    request: Type.Record(Type.String(), Type.Unknown(), { description: 'The submitted blocks, masked.' }),
    history: Type.Array(
      Type.Object(
        {
          from: answeredCode('onboardingState', { description: 'The state before.' }),
          to: answeredCode('onboardingState', { description: 'The state after.' }),
          at: time('When the state changed.'),
          reason: Type.String({ description: 'Why the state changed.' }),
        },
        strict,
      ),
      { description: 'The changes of `currentState`, the earliest first.' },
    ),
  },
  strict,
)
