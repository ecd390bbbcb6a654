/** The work of the clearing firm's people: finding accounts across firms, one inbox over everything that waits for a decision, notes. */
import Type from 'typebox'
import {
  accountNumber,
  block,
  code,
  codes,
  entityNumber,
  list,
  optional,
  rangeDate,
  repCode,
  taxId,
  text,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { foundAccountShape, noteShape, takenShape, workItemShape } from '../shapes/work.ts'
import { exampleAccount, exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

/** An item of the inbox as list-work names it. */
const applicationWork = `Application.${exampleAccount}`

export const firmId = () => words(36, { description: 'The firm, a UUID.' })
const workIds = () =>
  list(words(limits.workIdLengthMax), { description: 'Ids of items as list-work names them.' })

export const searchAccounts = defineOperation({
  ...operations,
  summary: 'Find accounts of all firms',
  description:
    'Accounts that fit every filter given, the newest first unless another order is asked for. `text` is the beginning of an account number, or of the name of an owner, ' +
    'party or beneficiary, first or last name first. A tax id is looked up by its keyed index; that somebody looked is recorded.',
  writes: false,
  request: block({
    text: optional(text(limits.fullNameLengthMax)),
    taxIdNumber: optional(taxId()),
    firmId: optional(firmId()),
    entityNumber: optional(entityNumber()),
    repCode: optional(repCode()),
    accountStatus: optional(code('accountStatus')),
    registrationType: optional(code('registrationType')),
    createdFrom: optional(rangeDate()),
    createdTo: optional(rangeDate()),
    sortBy: optional(code('foundAccountSort', { description: 'createdDate unless said otherwise.' })),
    sortMode: optional(code('sortMode', { description: 'descend unless said otherwise.' })),
    ...pageOf(),
  }),
  data: Type.Object({ accounts: Type.Array(foundAccountShape), next }, strict),
  examples: [
    { title: 'The newest', request: { size: 10 } },
    { title: 'By last name', request: { text: 'Moreno', accountStatus: 'Open' } },
  ],
})

export const listWork = defineOperation({
  ...operations,
  summary: 'The work inbox',
  description:
    'Everything that waits for a decision of operations, in all queues or some, with who has taken it: the oldest first, or in another order ' +
    '(`sortBy`, `sortMode`). A place (`after`) goes with the order that it came with.',
  writes: false,
  request: block({
    queues: optional(codes('workQueue')),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    assigned: optional(code('workAssignment')),
    assignedTo: optional(words(limits.emailLengthMax, { description: 'What this person has taken.' })),
    olderThanHours: optional(Type.Integer({ minimum: 0, maximum: 87_600 })),
    sortBy: optional(code('workSort', { description: 'since unless said otherwise.' })),
    sortMode: optional(
      code('sortMode', { description: 'ascend unless said otherwise: the longest waiting first.' }),
    ),
    ...pageOf(),
  }),
  data: Type.Object({ work: Type.Array(workItemShape), next }, strict),
  examples: [
    { title: 'All of it', request: {} },
    { title: 'By account', request: { sortBy: 'accountNumber', size: 10 } },
    { title: 'Documents that nobody has taken', request: { queues: ['Document'], assigned: 'Nobody' } },
  ],
})

export const claimWork = defineOperation({
  ...operations,
  summary: 'Take work',
  description: 'Takes items that nobody else has taken; those that somebody has are refused, with who it is.',
  writes: true,
  request: block({ workIds: workIds() }),
  data: takenShape,
  examples: [
    { title: 'An application', request: { workIds: [applicationWork] }, yours: { workIds: 'list-work' } },
  ],
})

export const assignWork = defineOperation({
  ...operations,
  summary: 'Assign work',
  description:
    'Gives items to a person, whoever had taken them; without `assignedTo` they are nobody’s again.',
  writes: true,
  request: block({ workIds: workIds(), assignedTo: optional(words(limits.emailLengthMax)) }),
  data: takenShape,
  examples: [
    {
      title: 'To a person',
      request: { workIds: [applicationWork], assignedTo: 'operator@example.com' },
      yours: { workIds: 'list-work' },
    },
    { title: 'Back to everybody', request: { workIds: [applicationWork] }, yours: { workIds: 'list-work' } },
  ],
})

export const decideWork = defineOperation({
  ...operations,
  summary: 'Decide on several items at once',
  description:
    'Takes one decision on each item, as the operation of its queue would: applications, documents (a rejection with its code), matches ' +
    '(`Approved` clears), changes and restrictions. Each is decided or refused by itself.',
  writes: true,
  request: block({
    workIds: workIds(),
    decision: code('decision'),
    rejectionCode: optional(code('documentRejectionCode')),
    reason: optional(words(limits.noteLengthMax)),
  }),
  data: takenShape,
  examples: [
    {
      title: 'An application is approved',
      request: {
        workIds: [applicationWork],
        decision: 'Approved',
        reason: 'The passport and the record agree.',
      },
      yours: { workIds: 'list-work' },
    },
  ],
})

export const settleWork = defineOperation({
  ...operations,
  summary: 'Settle failed work',
  description:
    'Tries failed jobs again and sends failed webhook deliveries again, or gives them up (`settlement`); takes breaks that were looked at ' +
    'out of the inbox.',
  writes: true,
  request: block({
    workIds: workIds(),
    settlement: optional(code('workSettlement', { description: '`Again` when absent. Breaks need none.' })),
    reason: words(limits.noteLengthMax),
  }),
  data: takenShape,
  examples: [
    {
      title: 'A break that was looked at',
      request: {
        workIds: [`Break.${exampleIds.break}`],
        reason: 'The firm sends the missing purchase tomorrow.',
      },
      yours: { workIds: 'list-work' },
    },
  ],
})

export const addNote = defineOperation({
  ...operations,
  summary: 'Write a note on an account',
  description:
    'Notes are for the clearing firm’s people; client firms do not see them. They are not changed.',
  writes: true,
  request: block({ accountNumber: accountNumber(), text: words(limits.staffNoteLengthMax) }),
  data: noteShape,
  examples: [
    {
      title: 'After a call',
      request: { accountNumber: '30100001', text: 'Called the firm; they send a better scan.' },
    },
  ],
})

export const listNotes = defineOperation({
  ...operations,
  summary: 'The notes on an account',
  description: 'Newest first.',
  writes: false,
  request: block({ accountNumber: accountNumber() }),
  data: Type.Object({ notes: Type.Array(noteShape) }, strict),
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})
