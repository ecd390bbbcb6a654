/** Applications before and around new-account: looking ahead, answering what is asked, opening several at once. */
import Type from 'typebox'
import { errorShape } from '../envelope.ts'
import { accountNumber, apart, block, flag, list, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { newAccountRequest, updateAccountRequest } from '../shapes/account.ts'
import { householdAccountRequest, householdPersonRequest } from '../shapes/household.ts'
import { foreseenFollowUpShape, onboardingResultShape, stageShape } from '../shapes/onboarding.ts'
import { exampleAccount, exampleIds, householdExample, newAccountExample } from './examples.ts'

const strict = { additionalProperties: false }
const firm = { audience: 'firm', body: 'json', origin: 'extension', scope: 'accounts:write' } as const

export const validateAccount = defineOperation({
  ...firm,
  summary: 'Check an application without submitting it',
  description:
    'Takes what new-account takes and refuses what it would refuse, with the same errors. For an application that would be taken it ' +
    'answers where its onboarding would first come to rest and every follow-up that its checks would open, with the documents ' +
    'that answer it. Nothing is stored: no number is taken, nothing is queued, no event is written.',
  writes: false,
  request: newAccountRequest,
  data: Type.Object(
    {
      valid: Type.Boolean({ description: 'True: what is not valid is refused.' }),
      registrationType: Type.String(),
      accountName: Type.String({ description: 'The title that the account would have.' }),
      possibleDuplicates: Type.Array(Type.String(), {
        description: 'Your accounts with the same person and registration.',
      }),
      currentState: Type.String({
        'x-code-list': 'onboardingState',
        description:
          'The first state in which somebody is waited for, or the last one when nobody is. Checks are made against the lists of now.',
      }),
      errorResponses: Type.Array(errorShape, { description: 'What checks would find wrong.' }),
      state: Type.Array(stageShape, { description: 'The stages in that state.' }),
      followUps: Type.Array(foreseenFollowUpShape, {
        description: 'Of all stages: as if each were answered, and approved where operations decide.',
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
    'Gives one follow-up of an application its answer: `documentId` of a document that was added before and is of an accepted reference; ' +
    '`changes`, blocks as update-account takes them, among them the field in question; or a `text`, which operations read. ' +
    'A text may also stand beside the others. The onboarding goes on by itself: at once after changes, after the document’s ' +
    'approval, after the decision on a text.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    followUpId: words(20, { examples: ['FU-1'] }),
    documentId: optional(words(36)),
    changes: optional(
      block(changeable, {
        aliases: (updateAccountRequest as { 'x-aliases'?: Record<string, string> })['x-aliases'] ?? {},
        blanks: 'kept',
      }),
    ),
    text: optional(words(limits.noteLengthMax)),
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
    position: Type.Integer({ description: 'Of the application in `accounts`, from 0.' }),
    outcome: Type.String({ description: '`Accepted` or `Rejected`.' }),
    accountNumber: Type.String({ description: 'Empty when rejected.' }),
    accountName: Type.String({ description: 'Empty when rejected.' }),
    accountStatus: Type.String({
      'x-code-list': 'accountStatus',
      description: 'Pending; empty when rejected.',
    }),
    errors: Type.Array(errorShape, { description: 'What new-account would have answered.' }),
  },
  strict,
)

export const openAccounts = defineOperation({
  ...firm,
  summary: 'Open several accounts',
  description:
    'Up to 100 applications in one request, each by the rules of new-account and with a result of its own. Persons of a household are given ' +
    'once in `persons` and named by `person` wherever an owner, an associated party or a beneficiary stands; what stands beside ' +
    'the name is of that account alone. With `allOrNone` one application that is refused refuses the request, and nothing is opened. ' +
    'Each account is a submission of its own with its own onboarding and events.',
  writes: true,
  request: block({
    persons: optional(list(householdPersonRequest)),
    accounts: list(apart(householdAccountRequest)),
    allOrNone: optional(flag('true')),
  }),
  data: Type.Object(
    {
      accepted: Type.Integer(),
      rejected: Type.Integer(),
      results: Type.Array(openResultShape, { description: 'In the order of the applications.' }),
    },
    strict,
  ),
  examples: [{ title: 'A couple: an account each, and one together', request: householdExample }],
})
