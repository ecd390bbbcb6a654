/** What falls due of open accounts, and asking a selection of them to renew it. */
import Type from 'typebox'
import { accountNumber, block, code, list, optional, rangeDate } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const
const codeOf = (name: string) => Type.String({ 'x-code-list': name })

const renewalShape = Type.Object(
  {
    accountNumber: Type.String(),
    accountName: Type.String(),
    accountStatus: codeOf('accountStatus'),
    firmId: Type.String({ format: 'uuid' }),
    firmName: Type.String(),
    kind: codeOf('renewalKind'),
    customerId: Type.String({ description: 'The party that it concerns.' }),
    field: Type.String({ description: 'Where it stands in the record.' }),
    fallsOn: Type.String({
      format: 'date',
      description:
        'The first day on which something is missing. Of a minor who comes of age the first of the month: birth dates are kept sealed.',
    }),
    state: codeOf('renewalState'),
    followUpId: Type.String({ description: 'What asks for it; empty while nothing does.' }),
    dueOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The last day for an answer; null while nothing is asked.',
    }),
    restrictionId: Type.String({ description: 'The restriction of an answer that is late; empty for none.' }),
  },
  strict,
)

export const listRenewals = defineOperation({
  ...operations,
  summary: 'What falls due of open accounts',
  description:
    'Identification that expires, tax forms that lapse or were never received, minors who come of age, trusted contacts never named: the ' +
    'earliest first. The close of a business day asks for what has come, and restricts accounts that did not answer in time.',
  writes: false,
  request: block({
    kind: optional(code('renewalKind')),
    state: optional(code('renewalState')),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    fallsFrom: optional(rangeDate()),
    fallsTo: optional(rangeDate()),
    ...pageOf(),
  }),
  data: Type.Object({ renewals: Type.Array(renewalShape), next }, strict),
  examples: [
    { title: 'What is asked for now', request: { state: 'Asked' } },
    {
      title: 'Forms that lapse in a quarter',
      request: { kind: 'W8Certification', fallsFrom: '2027-01-01', fallsTo: '2027-03-31' },
    },
  ],
})

export const requestRenewal = defineOperation({
  ...operations,
  summary: 'Ask accounts to renew something',
  description:
    'Asks the accounts of a selection: those that are named, or a page of those that list-renewals finds with the same filter. Each is a matter of its own: ' +
    'one that cannot be asked is told and holds up no other, and one that was asked already is not asked twice. An answer is due in ' +
    `${limits.followUpDueDays} days, and nobody is restricted before the day on which something is missing.`,
  writes: true,
  request: block({
    kind: code('renewalKind'),
    accountNumbers: optional(
      list(accountNumber(), { description: 'The accounts; without them the filter.' }),
    ),
    firmId: optional(firmId()),
    fallsFrom: optional(rangeDate()),
    fallsTo: optional(rangeDate()),
    ...pageOf(),
  }),
  data: Type.Object(
    {
      asked: Type.Integer({ description: 'How many were asked now.' }),
      results: Type.Array(
        Type.Object(
          {
            accountNumber: Type.String(),
            outcome: codeOf('renewalOutcome'),
            followUpIds: Type.Array(Type.String()),
            dueOn: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
            code: Type.String({ description: 'Of the catalogue; empty unless it was refused.' }),
            reason: Type.String(),
          },
          strict,
        ),
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
