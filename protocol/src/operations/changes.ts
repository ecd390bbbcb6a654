/**
 * Operations on changes that a second person approves (records, entitlements, restrictions, closings, credentials), and
 * on restrictions.
 */
import Type from 'typebox'
import { listOf, numberOfAccount, textOf } from '../answered-values.ts'
import {
  accountNumber,
  block,
  code,
  country,
  earliest,
  flag,
  latest,
  list,
  optional,
  rangeDate,
  taxId,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { changeShape, restrictionShape } from '../shapes/work.ts'
import { exampleAccount, exampleIds } from './examples.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

function changeId() {
  return words(36, { description: 'ID of the change, as list-changes returns it.' })
}

export const listChanges = defineOperation({
  ...operations,
  summary: 'List changes that need approval',
  description:
    'Returns changes that wait for a second person, or waited for one, the newest first: each with its fields before and after, who requested it and who decided on it.',
  writes: false,
  request: block({
    state: optional(code('changeState', { description: 'Returns changes in this state only.' })),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    requestedBy: optional(
      words(limits.emailLengthMax, { description: 'The person or credential that requested the change.' }),
    ),
    changeId: optional(changeId()),
    ...pageOf(),
  }),
  data: Type.Object({ changes: listOf(changeShape, 'The changes of the page.'), next }, strict),
  examples: [{ title: 'The waiting changes', request: { state: 'Requested' } }],
})

export const decideChange = defineOperation({
  ...operations,
  summary: 'Decide on a change',
  description:
    'Approves a change, which then takes effect at once, or rejects it. The person who requested a change cannot decide on it, and no credential decides on the request ' +
    'of a person. If the record changed after the ' +
    'request, the response is ERR.2010: reject the change and have it requested again. While watch-list matches of the change are open, the approval is stored, and ' +
    'the change takes effect when the last match is cleared.',
  writes: true,
  request: block({
    changeId: changeId(),
    decision: code('decision', { description: 'Whether the change is approved or rejected.' }),
    reason: optional(words(limits.noteLengthMax, { description: 'The reason of the decision.' })),
  }),
  data: changeShape,
  examples: [
    {
      title: 'Approve a change',
      request: {
        changeId: exampleIds.change,
        decision: 'Approved',
        reason: 'The letter of the owner is on file.',
      },
      yours: { changeId: 'list-changes' },
    },
  ],
})

export const withdrawChange = defineOperation({
  ...operations,
  summary: 'Withdraw a change',
  description:
    'Withdraws a change before it is decided. Only the person who requested the change can withdraw it.',
  writes: true,
  request: block({ changeId: changeId() }),
  data: changeShape,
  examples: [
    {
      title: 'Withdraw a change',
      request: { changeId: exampleIds.change },
      yours: { changeId: 'list-changes' },
    },
  ],
})

const statusAfter = textOf('Status of the account now, a value of the code list `accountStatus`.')
const awaited = Type.Union([changeShape, Type.Null()], {
  description: 'The change that a second person must approve; null if the request took effect.',
})

const restrictingAnswer = Type.Object(
  {
    accountNumber: numberOfAccount,
    accountStatus: statusAfter,
    restriction: Type.Union([restrictionShape, Type.Null()], {
      description: 'Null while the change waits for a second person.',
    }),
    change: awaited,
  },
  strict,
)

export const placeRestriction = defineOperation({
  ...operations,
  summary: 'Restrict an account',
  description:
    'Places a restriction, which suspends what its code names. The account is Restricted while a restriction is in force. A restriction requested by a person takes ' +
    'effect when a second person approves it (`change`). ProtectedAdult is a temporary hold under FINRA Rule 2165: it ends by itself at the close of its last business day (`hold`).',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    restrictionCode: code('restrictionCode', {
      description: 'Why the account is restricted, which determines what is suspended.',
    }),
    reason: words(limits.noteLengthMax, { description: 'Why the account is restricted.' }),
    holdGround: optional(
      code('holdGround', {
        description:
          'Of ProtectedAdult: why a person with authority over the account is a specified adult. Without it, a person must be 65 or older.',
      }),
    ),
  }),
  data: restrictingAnswer,
  examples: [
    {
      title: 'Mail came back',
      request: {
        accountNumber: '30100006',
        restrictionCode: 'ReturnedMail',
        reason: 'The statement of October came back.',
      },
    },
  ],
})

export const endRestriction = defineOperation({
  ...operations,
  summary: 'End a restriction',
  description:
    'Ends a restriction. When the last restriction ends, the account is Open again. An end requested by a person takes effect when a second person approves it.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    restrictionId: words(36, { description: 'ID of the restriction, as list-restrictions returns it.' }),
    reason: words(limits.noteLengthMax, { description: 'Why the restriction ends. It is audited.' }),
  }),
  data: restrictingAnswer,
  examples: [
    {
      title: 'The address is right again',
      request: {
        accountNumber: exampleAccount,
        restrictionId: exampleIds.restriction,
        reason: 'The owner confirmed the address.',
      },
      yours: { accountNumber: 'list-restrictions', restrictionId: 'list-restrictions' },
    },
  ],
})

export const recordHoldStep = defineOperation({
  ...operations,
  summary: 'Record a step of a temporary hold',
  description:
    'Records a step of a hold that ProtectedAdult placed: the notice of the trusted contact and the authorized parties (`Notified`), which is due within 2 business days, ' +
    'an extension by 10 business days (`Extended`), a further one by 30 business days (`Reported`), or the end that a state agency or a court set (`Ordered`). A step that sets another end and is requested ' +
    'by a person takes effect when a second person approves it. A notice can be recorded again, and after the end of the hold.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    restrictionId: words(36, { description: 'ID of the restriction, as list-restrictions returns it.' }),
    step: code('holdStep', { description: 'The step.' }),
    until: optional(rangeDate({ description: 'Of `Ordered`: the last day of the hold. Required for it.' })),
    reason: words(limits.noteLengthMax, {
      description:
        'Who was notified, when and how, and who was left out and why; or the finding of the review, the agency and the report, or the order. It is audited.',
    }),
  }),
  data: restrictingAnswer,
  examples: [
    {
      title: 'The trusted contact was notified',
      request: {
        accountNumber: exampleAccount,
        restrictionId: exampleIds.restriction,
        step: 'Notified',
        reason: 'The owner and the trusted contact were called.',
      },
      yours: { accountNumber: 'list-restrictions', restrictionId: 'list-restrictions' },
    },
  ],
})

export const closeAccount = defineOperation({
  ...operations,
  summary: 'Close an account',
  description:
    'Closes, permanently, an Open account that has no restrictions, positions, cash, unsettled activity or pending lines, is entitled to no corporate action whose lines are not booked, ' +
    'owes no margin interest, is owed no refund of it, has no lines since the last close that may change it, and has earned no interest of a money-market fund that is not paid. The closing waives open follow-ups and rejects changes that wait for approval. A closing ' +
    'requested by a person takes effect when a second person approves it.',
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
    'Form W-8), and a citizenship an approved passport, or for a citizen of the United States Form W-9 (ERR.2053). The corrected record must keep the rules of accounts, and ' +
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

const placed = 'day on which the restriction was placed'
const ended = 'day on which it ended'

export const listRestrictions = defineOperation({
  ...operations,
  summary: 'List restrictions',
  description:
    'Returns restrictions of one account or of all accounts, either those in force or all, the newest first: each with who placed and ended it, when and why. Days are in US ' +
    'Eastern time, and both ends of a range are included. With the code `Sanctions`, the list names the blocked accounts for the reports of 31 CFR 501.603.',
  writes: false,
  request: block({
    accountNumber: optional(accountNumber()),
    firmId: optional(firmId()),
    restrictionCode: optional(
      code('restrictionCode', { description: 'Returns restrictions with this code only.' }),
    ),
    inForce: optional(
      Type.Boolean({
        description: 'True: the restrictions in force; false: those that have ended. The default is all.',
      }),
    ),
    inForceOn: optional(
      rangeDate({ description: 'Returns restrictions that were in force at the end of this day.' }),
    ),
    placedFrom: optional(earliest(placed)),
    placedTo: optional(latest(placed)),
    endedFrom: optional(earliest(ended)),
    endedTo: optional(latest(ended)),
    ...pageOf(),
  }),
  data: Type.Object(
    { restrictions: listOf(restrictionShape, 'The restrictions of the page.'), next },
    strict,
  ),
  examples: [
    { title: 'Restrictions in force', request: { inForce: true } },
    {
      title: 'The accounts that were blocked on June 30',
      request: { restrictionCode: 'Sanctions', inForceOn: '2026-06-30' },
    },
  ],
})
