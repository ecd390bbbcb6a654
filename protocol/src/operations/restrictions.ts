/** Operations on the restrictions of accounts, and on the temporary holds among them. */
import Type from 'typebox'
import { listOf, numberOfAccount } from '../answered-values.ts'
import { accountNumber, block, code, earliest, latest, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { restrictionShape } from '../shapes/work.ts'
import { awaited, statusAfter } from './changes.ts'
import { exampleAccount, exampleIds } from './examples.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

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
