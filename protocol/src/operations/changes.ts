/** What a second person approves: changes of records, restrictions, closings, credentials; and restrictions themselves. */
import Type from 'typebox'
import { accountNumber, block, code, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { changeShape, restrictionShape } from '../shapes/work.ts'
import { exampleAccount, exampleIds } from './examples.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

export const listChanges = defineOperation({
  ...operations,
  summary: 'Changes that a second person approves',
  description: 'Each with its fields before and after, who asked and who decided; the newest first.',
  writes: false,
  request: block({
    state: optional(code('changeState')),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    requestedBy: optional(words(limits.emailLengthMax)),
    changeId: optional(words(36)),
    ...pageOf(),
  }),
  data: Type.Object({ changes: Type.Array(changeShape), next }, strict),
  examples: [{ title: 'What waits', request: { state: 'Requested' } }],
})

export const decideChange = defineOperation({
  ...operations,
  summary: 'Decide on a change',
  description:
    'Approves a change, which takes effect at once, or rejects it. Never by who asked for it. A record that changed meanwhile is ERR.2010: ' +
    'reject the change and have it asked for again. While matches of watch lists are open the approval is kept, and the change takes effect when the last of them is cleared.',
  writes: true,
  request: block({
    changeId: words(36),
    decision: code('decision'),
    reason: optional(words(limits.noteLengthMax)),
  }),
  data: changeShape,
  examples: [
    {
      title: 'It takes effect',
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
  summary: 'Take a change back',
  description: 'By who asked for it, before it is decided.',
  writes: true,
  request: block({ changeId: words(36) }),
  data: changeShape,
  examples: [
    {
      title: 'It was a mistake',
      request: { changeId: exampleIds.change },
      yours: { changeId: 'list-changes' },
    },
  ],
})

const restrictingAnswer = Type.Object(
  {
    accountNumber: Type.String(),
    accountStatus: Type.String(),
    restriction: Type.Union([restrictionShape, Type.Null()], {
      description: 'Null while it awaits a second person.',
    }),
    change: Type.Union([changeShape, Type.Null()], {
      description: 'What a second person has to approve; null when it took effect.',
    }),
  },
  strict,
)

export const placeRestriction = defineOperation({
  ...operations,
  summary: 'Restrict an account',
  description:
    'Places a restriction, which suspends what its code says; the account is Restricted while one is in force. Asked for by a person it ' +
    'takes effect when a second one approves it (`change`).',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    restrictionCode: code('restrictionCode'),
    reason: words(limits.noteLengthMax),
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
    'With the last one the account is Open again. Asked for by a person it takes effect when a second one approves it.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    restrictionId: words(36),
    reason: words(limits.noteLengthMax),
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

export const closeAccount = defineOperation({
  ...operations,
  summary: 'Close an account',
  description:
    'Closes an Open account without restrictions, positions, cash and unsettled activity, for good. Asked for by a person it takes effect ' +
    'when a second one approves it.',
  writes: true,
  request: block({ accountNumber: accountNumber(), reason: words(limits.noteLengthMax) }),
  data: Type.Object(
    {
      accountNumber: Type.String(),
      accountStatus: Type.String(),
      change: Type.Union([changeShape, Type.Null()]),
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

export const listRestrictions = defineOperation({
  ...operations,
  summary: 'Restrictions',
  description: 'Of one account or of all, those in force or all that there were; the newest first.',
  writes: false,
  request: block({
    accountNumber: optional(accountNumber()),
    firmId: optional(firmId()),
    inForce: optional(Type.Boolean()),
    ...pageOf(),
  }),
  data: Type.Object({ restrictions: Type.Array(restrictionShape), next }, strict),
  examples: [{ title: 'In force', request: { inForce: true } }],
})
