/** Changes of an open account that only operations request: margin, options, tax ids, citizenships, the closing. */
import Type from 'typebox'
import { listOf, numberOfAccount, textOf } from '../answered-values.ts'
import { accountNumber, block, code, country, flag, list, optional, taxId, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { awaited, statusAfter } from './changes.ts'
import { exampleAccount, exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

export const setEntitlements = defineOperation({
  ...operations,
  summary: 'Change margin and the option level',
  description:
    'Changes marginIndicator, optionTradingIndicator and optionTradingLevel of an open account, which update-account cannot change. What is raised must meet the rules of an application, ' +
    'and margin or options that the account did not have need their approved agreement (ERR.2047). What is lowered is rejected while the account holds or owes something ' +
    'that the lower entitlement does not permit (ERR.2048). The books apply the new values to every line that is booked afterwards. A change requested by a person takes ' +
    'effect when a principal approves it (`change`).',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    marginIndicator: optional(
      flag('true', { description: 'Whether the account may trade on margin. Unchanged if absent.' }),
    ),
    optionTradingLevel: optional(
      code('optionTradingLevel', {
        description:
          'Level of option trading. Unchanged if absent. `0` takes the options away. optionTradingIndicator follows it.',
      }),
    ),
    reason: words(limits.noteLengthMax, {
      description: 'Why the values change. It is audited, and account-history returns it to the firm.',
    }),
    expectedVersion: optional(
      Type.Integer({
        minimum: 1,
        description: 'If the record has another version, the request is rejected (ERR.2010).',
      }),
    ),
  }),
  data: Type.Object(
    {
      accountNumber: numberOfAccount,
      version: Type.Integer({ description: 'Version of the record.' }),
      marginIndicator: textOf('Whether the account may trade on margin: `true` or `false`.'),
      optionTradingIndicator: textOf('Whether the account may trade options: `true` or `false`.'),
      optionTradingLevel: textOf('Level of option trading; empty if it was never given.'),
      change: awaited,
    },
    strict,
  ),
  examples: [
    {
      title: 'Margin, after the margin agreement was approved',
      request: {
        accountNumber: exampleAccount,
        marginIndicator: 'true',
        reason: 'The margin agreement of the owner is approved.',
      },
      yours: { accountNumber: 'new-account' },
    },
  ],
})

export const correctIdentity = defineOperation({
  ...operations,
  summary: 'Correct a tax id or a citizenship',
  description:
    'Changes taxIdType, taxIdNumber or citizenshipCountry of an owner or party of an open account, which update-account cannot change. A tax id needs an approved tax form (Form W-9 or a ' +
    'Form W-8), and a citizenship an approved passport or national identity card, or for a citizen of the United States Form W-9; the country of an entity needs its Form W-8, a certificate of incorporation or Form W-9 (ERR.2053). Each role of the person gets the new values, and so does an entity that has the number of its grantor or only owner. The corrected record must keep the rules of accounts, and ' +
    'the tax id may not be that of another person (ERR.2054). The new values are screened before they take effect: while a match is open, the change waits. A change requested by a person takes effect ' +
    'when a principal approves it (`change`), and so does one that causes a finding which operations review, also if a credential requests it. Other accounts of the person do not change.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    customerId: optional(
      words(18, {
        description: 'Customer number of the owner or party. The default is the primary owner.',
      }),
    ),
    taxIdType: optional(code('taxIdType', { description: 'Kind of the tax id. Unchanged if absent.' })),
    taxIdNumber: optional(taxId({ description: 'The right tax id. Unchanged if absent.' })),
    citizenshipCountry: optional(country({ description: 'The new citizenship. Unchanged if absent.' })),
    documentIds: list(words(36, { description: 'ID of a document, as list-documents returns it.' }), {
      description: 'The approved documents of the account that show the new values.',
    }),
    reason: words(limits.noteLengthMax, {
      description: 'Why the values change. It is audited, and account-history returns it to the firm.',
    }),
    expectedVersion: optional(
      Type.Integer({
        minimum: 1,
        description: 'If the record has another version, the request is rejected (ERR.2010).',
      }),
    ),
  }),
  data: Type.Object(
    {
      accountNumber: numberOfAccount,
      version: Type.Integer({ description: 'Version of the record.' }),
      customerId: textOf('Customer number of the owner or party.'),
      taxIdType: textOf('Kind of the tax id on record; empty without one.'),
      taxIdNumber: textOf('The tax id on record, masked to its last four digits; empty without one.'),
      citizenshipCountry: textOf(
        'The citizenship on record, ISO 3166-1 alpha-2; empty if it was never given.',
      ),
      duplicates: listOf(
        Type.String(),
        'Accounts of the firm in which the owner with the new tax id has the same registration.',
      ),
      change: awaited,
    },
    strict,
  ),
  examples: [
    {
      title: 'The number of a new Form W-9',
      request: {
        accountNumber: exampleAccount,
        taxIdType: 'SSN',
        taxIdNumber: '219099991',
        documentIds: [exampleIds.document],
        reason: 'The number on file was wrong; the owner certified this one.',
      },
      yours: { accountNumber: 'new-account', documentIds: 'add-document' },
    },
  ],
})

export const closeAccount = defineOperation({
  ...operations,
  summary: 'Close an account',
  description:
    'Closes an Open or Restricted account permanently. The closing waives open follow-ups, rejects changes that wait for approval and ends restrictions. It is refused while the account ' +
    'has a restriction that forbids it (IdentityUnderReview, Sanctions, SuspectedFraud, ProtectedAdult, LegalHold), positions, cash, unsettled activity or pending lines, while it is entitled to a corporate action whose lines are not booked, and while interest of a money-market fund ' +
    'that it has earned is not paid. It is also refused while the account owes margin interest or is owed a refund of it, and while lines since the last close may change that ' +
    'interest. A closing requested by a person takes effect when a second person approves it.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    reason: words(limits.noteLengthMax, { description: 'Why the account is closed. It is audited.' }),
  }),
  data: Type.Object(
    {
      accountNumber: numberOfAccount,
      accountStatus: statusAfter,
      change: awaited,
    },
    strict,
  ),
  examples: [
    {
      title: 'An empty account',
      request: { accountNumber: exampleAccount, reason: 'The owner asked for it in writing.' },
      yours: { accountNumber: 'new-account' },
    },
  ],
})
