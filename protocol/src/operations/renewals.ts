/** Operations on the renewals of open accounts: listing what falls due, requesting it, and waiving a follow-up. */
import Type from 'typebox'
import { day, listOf, numberOfAccount, ofFirm, orNull, textOf, titleOfAccount } from '../answered-values.ts'
import {
  accountNumber,
  answeredCode,
  block,
  code,
  earliest,
  latest,
  list,
  optional,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { onboardingResultShape } from '../shapes/onboarding.ts'
import { exampleAccount } from './examples.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const
const renewalShape = Type.Object(
  {
    accountNumber: numberOfAccount,
    accountName: titleOfAccount,
    accountStatus: answeredCode('accountStatus', { description: 'Status of the account.' }),
    ...ofFirm,
    kind: answeredCode('renewalKind', { description: 'What is to be renewed.' }),
    customerId: Type.String({ description: 'ID of the party that the renewal concerns.' }),
    field: Type.String({ description: 'Path in the record.' }),
    fallsOn: Type.String({
      format: 'date',
      description:
        'The first day on which the item is missing. For a minor who comes of age, the first day of the month, since birth dates are encrypted.',
    }),
    state: answeredCode('renewalState', { description: 'State of the renewal.' }),
    followUpId: Type.String({
      description: 'ID of the follow-up that requests the item; empty if none is open.',
    }),
    dueOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The last day for an answer; null if nothing is requested.',
    }),
    restrictionId: Type.String({
      description: 'ID of the restriction for a late answer; empty if there is none.',
    }),
  },
  strict,
)

export const listRenewals = defineOperation({
  ...operations,
  summary: 'List renewals of open accounts',
  description:
    'Returns expiring identification, tax forms that lapse or were never received, minors who come of age, and missing trusted contacts, the ' +
    'earliest first. The close of a business day requests the items that are due, and restricts accounts that did not answer in time.',
  writes: false,
  request: block({
    kind: optional(code('renewalKind', { description: 'Returns renewals of this kind only.' })),
    state: optional(code('renewalState', { description: 'Returns renewals in this state only.' })),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    fallsFrom: optional(earliest('fallsOn')),
    fallsTo: optional(latest('fallsOn')),
    ...pageOf(),
  }),
  data: Type.Object({ renewals: listOf(renewalShape, 'The renewals of the page.'), next }, strict),
  examples: [
    { title: 'Open requests', request: { state: 'Asked' } },
    {
      title: 'Forms that lapse in a quarter',
      request: { kind: 'W8Certification', fallsFrom: '2027-01-01', fallsTo: '2027-03-31' },
    },
  ],
})

export const requestRenewal = defineOperation({
  ...operations,
  summary: 'Request a renewal',
  description:
    'Requests a renewal from selected accounts: the named accounts, or a page of the accounts that list-renewals returns with the same filter. Each account is processed independently: ' +
    'an account whose renewal cannot be requested is reported and does not affect others, and an account with an open request gets no second one. An answer is due in ' +
    `${limits.followUpDueDays} days, and no account is restricted before the day on which the item is missing.`,
  writes: true,
  request: block({
    kind: code('renewalKind', { description: 'What is to be renewed.' }),
    accountNumbers: optional(
      list(accountNumber(), {
        description: 'The accounts. Without this list, the filter selects the accounts.',
      }),
    ),
    firmId: optional(firmId()),
    fallsFrom: optional(earliest('fallsOn')),
    fallsTo: optional(latest('fallsOn')),
    ...pageOf(),
  }),
  data: Type.Object(
    {
      asked: Type.Integer({ description: 'Number of accounts that got a request now.' }),
      results: Type.Array(
        Type.Object(
          {
            accountNumber: numberOfAccount,
            outcome: answeredCode('renewalOutcome', { description: 'Outcome for the account.' }),
            followUpIds: listOf(Type.String(), 'IDs of the open follow-ups that request the renewal.'),
            dueOn: orNull(day(), {
              description: 'The last day for an answer; null if nothing is requested.',
            }),
            code: Type.String({
              description: 'Code of the error catalogue; empty unless the account was refused.',
            }),
            reason: textOf('Why the account was refused; otherwise empty.'),
          },
          strict,
        ),
        { description: 'One result for each account.' },
      ),
      next,
    },
    strict,
  ),
  examples: [
    { title: 'One account', request: { kind: 'W9Certification', accountNumbers: ['30100006'] } },
    {
      title: 'All forms that lapse in a quarter',
      request: { kind: 'W8Certification', fallsFrom: '2027-01-01', fallsTo: '2027-03-31' },
    },
  ],
})

export const waiveFollowUp = defineOperation({
  ...operations,
  summary: 'Waive a follow-up',
  description:
    'Ends a follow-up of an open account, or of an application in the state ActionRequired, without an answer, for a reason that the audit trail keeps. The firm receives ' +
    'followup.waived. An application whose last follow-up is waived continues with the check that asked, and its other findings are checked again. A restriction that was placed ' +
    'on an open account because the answer was late ends automatically. Where end-restriction waits for a second person, such a waiver does too, and `message` names the change. ' +
    'A follow-up of the kind Review is a decision of operations and cannot be waived.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    followUpId: words(20, {
      description: 'ID of the follow-up, as onboarding-result returns it.',
      examples: ['FU-1'],
    }),
    reason: words(limits.noteLengthMax, { description: 'Why no answer is needed. It is audited.' }),
  }),
  data: onboardingResultShape,
  examples: [
    {
      title: 'A form on paper',
      request: {
        accountNumber: exampleAccount,
        followUpId: 'FU-1',
        reason: 'The form was received on paper and is in the archive.',
      },
      yours: { accountNumber: 'new-account', followUpId: 'onboarding-result' },
    },
  ],
})
