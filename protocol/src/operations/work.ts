/** Operations of the clearing firm's staff: accounts of all firms, the work inbox, notes. */
import Type from 'typebox'
import { listOf } from '../answered-values.ts'
import {
  accountNumber,
  block,
  code,
  codes,
  earliest,
  entityNumber,
  latest,
  list,
  optional,
  repCode,
  taxId,
  text,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { counted, next, orderMembers, pageOf, total } from '../paging.ts'
import { foundAccountShape, noteShape, takenShape, workItemShape } from '../shapes/work.ts'
import { exampleAccount, exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

/** The id of an item of the inbox, as list-work returns it. */
const applicationWork = `Application.${exampleAccount}`

export function firmId() {
  return words(36, { description: 'ID of the firm, a UUID.' })
}
function workIds() {
  return list(words(limits.workIdLengthMax), { description: 'Ids of items, as list-work returns them.' })
}

export const searchAccounts = defineOperation({
  ...operations,
  summary: 'Find accounts of all firms',
  description:
    'Returns the accounts that match every given filter, the newest first unless another order is requested. `text` is the beginning of an account number or of the ' +
    'name of an owner, party or beneficiary, with the first or the last name first, or of the title of the account; accents, apostrophes, and hyphens in place of spaces make ' +
    'no difference in names. A search by tax id uses a keyed index and is recorded.',
  writes: false,
  request: block({
    text: optional(
      text(limits.fullNameLengthMax, {
        description:
          'The beginning of an account number, of the name of an owner, party or beneficiary, or of the title.',
      }),
    ),
    taxIdNumber: optional(
      taxId({ description: 'Tax id of an owner, party or beneficiary. A masked one finds nothing.' }),
    ),
    firmId: optional(firmId()),
    entityNumber: optional(entityNumber()),
    repCode: optional(repCode()),
    accountStatus: optional(
      code('accountStatus', { description: 'Returns accounts with this status only.' }),
    ),
    registrationType: optional(
      code('registrationType', { description: 'Returns accounts of this registration type only.' }),
    ),
    createdFrom: optional(earliest('day of submission, in US Eastern time')),
    createdTo: optional(latest('day of submission, in US Eastern time')),
    ...orderMembers('foundAccountSort', { by: 'createdDate', mode: 'descend' }),
    counted: counted(),
    ...pageOf(),
  }),
  data: Type.Object(
    { accounts: listOf(foundAccountShape, 'The accounts of the page.'), total, next },
    strict,
  ),
  examples: [
    { title: 'The newest', request: { size: 10 } },
    { title: 'By last name', request: { text: 'Moreno', accountStatus: 'Open' } },
  ],
})

export const listWork = defineOperation({
  ...operations,
  summary: 'List work',
  description:
    'Returns everything that waits for a decision of operations, in all queues or in some, with the person who has claimed it: the oldest first, or in another order ' +
    '(`sortBy`, `sortMode`). A cursor (`after`) is valid for the order with which it was returned.',
  writes: false,
  request: block({
    queues: optional(codes('workQueue', { description: 'The queues. The default is all of them.' })),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    assigned: optional(
      code('workAssignment', {
        description: 'Returns work with this assignment only. The default is all work.',
      }),
    ),
    assignedTo: optional(
      words(limits.emailLengthMax, { description: 'Returns the work that this person has claimed.' }),
    ),
    olderThanHours: optional(
      Type.Integer({
        description: 'Returns the items that have waited for more than this number of hours.',
        minimum: 0,
        maximum: 87_600,
      }),
    ),
    late: optional(
      Type.Boolean({
        description:
          'Returns the items that are late: past their due time, or, in a queue without due times, waiting for more than one market day.',
      }),
    ),
    ...orderMembers('workSort', { by: 'since', mode: 'ascend' }),
    counted: counted(),
    ...pageOf(),
  }),
  data: Type.Object({ work: listOf(workItemShape, 'The items of the page.'), total, next }, strict),
  examples: [
    { title: 'All work', request: {} },
    { title: 'By account', request: { sortBy: 'accountNumber', size: 10 } },
    {
      title: 'Unassigned documents, and their number',
      request: { queues: ['Document'], assigned: 'Nobody', counted: true },
    },
  ],
})

export const claimWork = defineOperation({
  ...operations,
  summary: 'Take work',
  description:
    'Claims items for the caller. An item that another person has claimed is rejected with the name of that person.',
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
    'Assigns items to a person, and replaces an earlier assignment. Without `assignedTo`, the items become unassigned.',
  writes: true,
  request: block({
    workIds: workIds(),
    assignedTo: optional(
      words(limits.emailLengthMax, {
        description: 'E-mail address of the person. The default makes the items unassigned.',
      }),
    ),
  }),
  data: takenShape,
  examples: [
    {
      title: 'To a person',
      request: { workIds: [applicationWork], assignedTo: 'operator@example.com' },
      yours: { workIds: 'list-work' },
    },
    { title: 'Unassign items', request: { workIds: [applicationWork] }, yours: { workIds: 'list-work' } },
  ],
})

export const decideWork = defineOperation({
  ...operations,
  summary: 'Decide on several items at once',
  description:
    'Applies one decision to each item, as the operation of its queue would: applications, documents (a rejection with its code), matches (`Approved` clears), ' +
    'changes and restrictions. Each item succeeds or is rejected on its own.',
  writes: true,
  request: block({
    workIds: workIds(),
    decision: code('decision', { description: 'Whether the items are approved or rejected.' }),
    rejectionCode: optional(
      code('documentRejectionCode', { description: 'Why documents are rejected. Required for them.' }),
    ),
    reason: optional(
      words(limits.noteLengthMax, {
        description: 'The reason of the decision. Required for a rejection.',
      }),
    ),
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
    'Retries failed jobs and failed webhook deliveries, or abandons them (`settlement`). Removes reviewed breaks from the inbox.',
  writes: true,
  request: block({
    workIds: workIds(),
    settlement: optional(
      code('workSettlement', { description: 'The default is `Again`. Breaks need no settlement.' }),
    ),
    reason: words(limits.noteLengthMax, {
      description: 'Why the work is retried, abandoned or removed from the inbox. It is audited.',
    }),
  }),
  data: takenShape,
  examples: [
    {
      title: 'A reviewed break',
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
    'Writes a note for the staff of the clearing firm, and notifies the persons whom it mentions. Client firms do not see notes. A note cannot be changed.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    text: words(limits.staffNoteLengthMax, { description: 'The note.' }),
    mentions: optional(
      list(words(limits.emailLengthMax), {
        description: `E-mail addresses of staff who are notified, at most ${limits.noteMentionsMax}.`,
      }),
    ),
  }),
  data: noteShape,
  examples: [
    {
      title: 'After a call',
      request: { accountNumber: '30100001', text: 'Called the firm; they send a better scan.' },
    },
    {
      title: 'For a colleague',
      request: {
        accountNumber: '30100001',
        text: 'The scan has come. Please look.',
        mentions: ['principal@example.com'],
      },
    },
  ],
})

export const listNotes = defineOperation({
  ...operations,
  summary: 'The notes on an account',
  description: 'Newest first.',
  writes: false,
  request: block({ accountNumber: accountNumber() }),
  data: Type.Object({ notes: listOf(noteShape, 'The newest first.') }, strict),
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})
