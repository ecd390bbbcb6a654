/**
 * Operations around new-account: checking an application without submitting it, answering a follow-up, opening several
 * accounts.
 */
import Type from 'typebox'
import { errorShape } from '../envelope.ts'
import { accountNumber, apart, block, flag, list, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { newAccountRequest, updateAccountRequest } from '../shapes/account.ts'
import { householdAccountRequest, householdPersonRequest } from '../shapes/household.ts'
import {
  foreseenFindingShape,
  foreseenFollowUpShape,
  onboardingResultShape,
  stageShape,
} from '../shapes/onboarding.ts'
import { exampleAccount, exampleIds, householdExample, newAccountExample } from './examples.ts'

const strict = { additionalProperties: false }
const firm = { audience: 'firm', body: 'json', origin: 'extension', scope: 'accounts:write' } as const

export const validateAccount = defineOperation({
  ...firm,
  summary: 'Check an application without submitting it',
  description:
    'Takes the request of new-account and rejects the same requests with the same errors. For a valid application, returns the first state in which its onboarding ' +
    'would wait, and every follow-up that its checks would open, with the documents that answer it. Nothing is stored: no account number is reserved, no job is ' +
    'queued and no event is written.',
  writes: false,
  request: newAccountRequest,
  data: Type.Object(
    {
      valid: Type.Boolean({ description: 'Always true: an invalid application is rejected with errors.' }),
      registrationType: Type.String({
        description: 'The registration type of the application, a value of the code list `registrationType`.',
      }),
      accountName: Type.String({ description: 'The title that the account would get.' }),
      possibleDuplicates: Type.Array(Type.String(), {
        description: 'Accounts of your firm with the same person and registration type.',
      }),
      currentState: Type.String({
        'x-code-list': 'onboardingState',
        description:
          'The first state in which the onboarding would wait for the firm or for operations, or the final state if it would not wait. The checks use the current watch lists.',
      }),
      errorResponses: Type.Array(errorShape, { description: 'The errors that the checks would find.' }),
      state: Type.Array(stageShape, { description: 'The stages of the onboarding in that state.' }),
      followUps: Type.Array(foreseenFollowUpShape, {
        description:
          'The follow-ups of all stages, on the assumption that each is answered, and approved where operations decide.',
      }),
      findings: Type.Array(foreseenFindingShape, {
        description:
          'What the rules of account policy find: what leads to a follow-up or to a decision of operations, then what is only noted.',
      }),
    },
    strict,
  ),
  examples: [{ title: 'An individual account', request: newAccountExample }],
})

const { accountNumber: _, ...changeable } = updateAccountRequest.properties

export const answerFollowUp = defineOperation({
  ...firm,
  summary: 'Answer a follow-up',
  description:
    'Answers one follow-up of an application with `documentId` (a document added before, whose reference the follow-up accepts), with `changes` (blocks as ' +
    'update-account takes them, which must include the field in question), or with `text`, which operations read. A text can be sent beside the other two. The ' +
    'onboarding continues without a further call: at once after changes, after the approval of the document, or after the decision on the text.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    followUpId: words(20, {
      description: 'ID of the follow-up, as onboarding-result returns it.',
      examples: ['FU-1'],
    }),
    documentId: optional(
      words(36, {
        description: 'ID of the document that answers the follow-up. For follow-ups of the kind Document.',
      }),
    ),
    changes: optional(
      block(changeable, {
        aliases: (updateAccountRequest as { 'x-aliases'?: Record<string, string> })['x-aliases'] ?? {},
        blanks: 'kept',
        description:
          'The blocks that change, as in update-account. They must include the field in question. For follow-ups of the kind Field, and for a document that the change makes unnecessary.',
      }),
    ),
    text: optional(words(limits.noteLengthMax, { description: 'The answer in words.' })),
  }),
  data: onboardingResultShape,
  examples: [
    {
      title: 'With a document',
      request: {
        accountNumber: exampleAccount,
        followUpId: 'FU-1',
        documentId: exampleIds.document,
        text: 'The bill of October.',
      },
      yours: { accountNumber: 'new-account', documentId: 'add-document' },
    },
    {
      title: 'In words',
      request: { accountNumber: exampleAccount, followUpId: 'FU-1', text: 'The owner moved last week.' },
      yours: { accountNumber: 'new-account' },
    },
  ],
})

const openResultShape = Type.Object(
  {
    position: Type.Integer({ description: 'Position of the application in `accounts`, from 0.' }),
    outcome: Type.String({ description: '`Accepted` or `Rejected`.' }),
    accountNumber: Type.String({ description: 'Empty when rejected.' }),
    accountName: Type.String({ description: 'Empty when rejected.' }),
    accountStatus: Type.String({
      'x-code-list': 'accountStatus',
      description: 'Pending; empty when rejected.',
    }),
    errors: Type.Array(errorShape, { description: 'The errors that new-account would have returned.' }),
  },
  strict,
)

export const openAccounts = defineOperation({
  ...firm,
  summary: 'Open several accounts',
  description:
    'Takes up to 100 applications in one request. Each follows the rules of new-account and has its own result. Define the persons of a household once in `persons`, ' +
    'and name them by `person` in place of an owner, an associated party or a beneficiary. Members beside `person` apply to that account only. With  ' +
    '`allOrNone`, one rejected application rejects the whole request and no account is opened. Each account is a submission of its own with its own onboarding and events.',
  writes: true,
  request: block({
    persons: optional(
      list(householdPersonRequest, { description: 'The persons of the household, each defined once.' }),
    ),
    accounts: list(apart(householdAccountRequest), { description: 'The applications, at most 100.' }),
    allOrNone: optional(
      flag('true', {
        description:
          'Whether one rejected application rejects the whole request, so that no account is opened. The default is false.',
      }),
    ),
  }),
  data: Type.Object(
    {
      accepted: Type.Integer({ description: 'Number of applications that were accepted.' }),
      rejected: Type.Integer({ description: 'Number of applications that were rejected.' }),
      results: Type.Array(openResultShape, {
        description: 'One result for each application, in the order of the request.',
      }),
    },
    strict,
  ),
  examples: [{ title: 'A couple: an account each, and one together', request: householdExample }],
})
