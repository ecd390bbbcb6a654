/** Operations that decide on applications and documents. In the sandbox client firms may call them too. */
import Type from 'typebox'
import { numberOfAccount, textOf, time } from '../answered-values.ts'
import { accountNumber, block, code, date, flag, list, optional, text, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { partyMeanings } from '../party-meanings.ts'
import { documentDetailShape } from '../shapes/document.ts'
import { onboardingResultShape } from '../shapes/onboarding.ts'
import { exampleAccount, exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

export const decideOnboarding = defineOperation({
  ...operations,
  inSandbox: 'accounts:write',
  summary: 'Decide on an application',
  description:
    'Approves or rejects an application that waits in ManualReview; its onboarding then continues without a further call. Watch-list matches are decided one by one ' +
    'with decide-match: an approval while a match is open is rejected with ERR.2010, which names the match.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    decision: code('decision', { description: 'Whether the application is approved or rejected.' }),
    reason: optional(
      words(limits.noteLengthMax, { description: 'The reason of the decision. Required for a rejection.' }),
    ),
  }),
  data: onboardingResultShape,
  examples: [
    {
      title: 'Approve the identity',
      request: {
        accountNumber: exampleAccount,
        decision: 'Approved',
        reason: 'The passport and the record agree.',
      },
      yours: { accountNumber: 'new-account' },
    },
  ],
})

export const requestInformation = defineOperation({
  ...operations,
  inSandbox: 'accounts:write',
  summary: 'Request information for an application',
  description:
    'Requests documents or fields from the firm for an application that waits in ManualReview. The application becomes ActionRequired with a follow-up for each request, and its open review ' +
    `ends as Waived. The firm has ${limits.followUpDueDays} days. After the last answer the check runs again.`,
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    requests: list(
      block({
        code: code('followUpCode', { description: 'A code of the kind Document or Field.' }),
        field: optional(
          words(limits.fieldPathLengthMax, {
            description:
              'Path in the record, such as `primaryOwner.birthDate`. Required for the kind Field: a field that update-account changes. For a document, the party that it is about.',
            examples: ['primaryOwner.legalAddress', 'associatedParties[0]'],
          }),
        ),
        reason: words(limits.noteLengthMax, {
          description: 'The firm reads it, so do not write personal data.',
        }),
      }),
      { description: 'What the firm is to send.' },
    ),
  }),
  data: onboardingResultShape,
  examples: [
    {
      title: 'A birth date, and a document for the address',
      request: {
        accountNumber: exampleAccount,
        requests: [
          {
            code: 'FieldCorrection',
            field: 'primaryOwner.birthDate',
            reason: 'The passport has another date.',
          },
          {
            code: 'AddressDocument',
            field: 'primaryOwner',
            reason: 'A bill that names the owner and the street.',
          },
        ],
      },
      yours: { accountNumber: 'new-account' },
    },
  ],
})

const writtenToRecord =
  'With it, the document is written to the record of the person. Without it, the firm is asked to enter the document with update-account.'

export const decideDocument = defineOperation({
  ...operations,
  inSandbox: 'documents:write',
  summary: 'Decide on a document',
  description:
    'Approves a document, or rejects it with a code. The follow-up that the document answers is accepted or opened again. ' +
    'The person who added a document cannot approve it.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    documentId: words(36, { description: 'ID of the document.' }),
    decision: code('decision', { description: 'Whether the document is approved or rejected.' }),
    rejectionCode: optional(
      code('documentRejectionCode', {
        description: 'Why the document is rejected. Required for a rejection, and absent for an approval.',
      }),
    ),
    reason: optional(words(limits.noteLengthMax, { description: 'The reason of the decision.' })),
    signedOn: optional(
      date({
        description:
          'Day of the signature on an approved Form W-8BEN, W-8BEN-E, W-8ECI or W-8EXP. The form is valid until the end of the third calendar year after this day, or after its receipt if the day is absent. A Form W-8EXP without this day does not lapse: state it unless the form is of a government, a central bank of issue or an international organization.',
      }),
    ),
    ownerDied: optional(
      flag('true', {
        description:
          'Of an approved death certificate: `false` if the person who died does not own the account, such as a beneficiary. Otherwise the account gets the restriction OwnerDeceased, and an application waits in ManualReview.',
      }),
    ),
    idNumber: optional(
      text(limits.governmentIdNumberLengthMax, {
        description: `Number on an approved passport, driver's license or national identity card that renews an expired one. ${writtenToRecord}`,
      }),
    ),
    idLocation: optional(text(2, { description: `${partyMeanings.idLocation} Required with idNumber.` })),
    idIssueDate: optional(
      date({
        description:
          'Day of issue of the renewed document. Required if the record has that of the earlier one.',
      }),
    ),
    idExpiration: optional(
      date({ description: 'Day of expiration of the renewed document. Required with idNumber.' }),
    ),
  }),
  data: documentDetailShape,
  examples: [
    {
      title: 'A blurred scan',
      request: {
        accountNumber: '30100001',
        documentId: exampleIds.document,
        decision: 'Rejected',
        rejectionCode: 'BLURRY',
        reason: 'The date can not be read.',
      },
      yours: { documentId: 'add-document' },
    },
  ],
})

export const getApplication = defineOperation({
  ...operations,
  summary: 'Read an application as it was sent',
  description:
    'Returns the text of the request that made an account, as it was received, and each value beside the value that the service read. Tax ids, government id ' +
    'numbers and birth dates are masked; a person in the console reads them after giving a reason, which is recorded. Applications that were sent before the service ' +
    'stored requests are not found.',
  writes: false,
  body: 'json',
  request: block({ accountNumber: accountNumber() }),
  data: Type.Object(
    {
      accountNumber: numberOfAccount,
      operation: Type.String({
        description: 'The operation that the firm called.',
        examples: ['new-account'],
      }),
      sentOn: time('When the request was received.'),
      text: Type.String({
        description:
          'The body as it was received, with masked values replaced. For a request for several accounts, only this account and the persons that it names.',
      }),
      fields: Type.Array(
        Type.Object(
          {
            field: Type.String({
              description: 'Path of the value in the record.',
              examples: ['primaryOwner.firstName'],
            }),
            sentAs: Type.String({
              description: 'The field as the firm spelled it; empty when the firm did not send it.',
            }),
            sent: textOf('The value as the firm sent it; empty when the firm did not send it.'),
            understood: Type.String({
              description:
                'The value that the service read. Empty when the service kept the value in other fields only.',
            }),
          },
          strict,
        ),
        {
          description:
            'The values in the order of the request, then what the service added to the application.',
        },
      ),
    },
    strict,
  ),
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})
