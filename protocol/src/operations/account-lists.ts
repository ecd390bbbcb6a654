/** Finding accounts, and looking back at what one was. */
import Type from 'typebox'
import {
  accountNumber,
  block,
  code,
  codes,
  entityNumber,
  optional,
  rangeDate,
  repCode,
  text,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { cursor, next, pageOf, renamed } from '../paging.ts'
import { accountHistoryShape, accountItemShape } from '../shapes/account-list.ts'

export const listAccounts = defineOperation({
  summary: 'Find accounts',
  description:
    'The firm’s accounts that fit all filters, a page at a time. Pages follow one another in both directions: send ' +
    '`next` or `previous` as `after` with the same filters and order. What changes meanwhile neither repeats nor hides another account. ' +
    'Reserved numbers are no accounts yet and are not listed. Days are calendar days in US Eastern time, both included.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block(
    {
      status: optional(codes('accountStatus', { description: 'One or several.' })),
      registrationType: optional(codes('registrationType', { description: 'One or several.' })),
      entityNumber: optional(entityNumber()),
      repCode: optional(repCode()),
      name: optional(
        text(limits.fullNameLengthMax, {
          description:
            'How the name of an owner, party or beneficiary begins, first name first (`ADA MOR`) or last name first (`MORENO A`).',
        }),
      ),
      createdFrom: optional(rangeDate()),
      createdTo: optional(rangeDate()),
      openedFrom: optional(rangeDate()),
      openedTo: optional(rangeDate()),
      updatedFrom: optional(rangeDate()),
      updatedTo: optional(rangeDate()),
      sortBy: optional(code('accountSort', { description: 'createdDate unless said otherwise.' })),
      sortMode: optional(code('sortMode', { description: 'descend unless said otherwise.' })),
      ...pageOf(),
      cursor: cursor(limits.cursorLengthMax, 'The `nextCursor` or `previousCursor` of a page.'),
    },
    { aliases: { accountstatus: 'status', subnumber: 'entityNumber' } },
  ),
  data: Type.Object(
    {
      accounts: Type.Array(accountItemShape),
      next,
      previous: Type.String({
        description: 'Sent as `after`, it answers the page before this one; empty on the first.',
      }),
      nextCursor: Type.String({ description: 'Empty on the last page.', ...renamed('next') }),
      previousCursor: Type.String({ description: 'Empty on the first page.', ...renamed('previous') }),
    },
    { additionalProperties: false },
  ),
  examples: [
    { title: 'The newest', request: {} },
    {
      title: 'By last name',
      request: { name: 'Moreno', status: ['Open', 'Pending'], sortBy: 'accountName' },
    },
    {
      title: 'What changed this year',
      request: { updatedFrom: '2026-01-01', sortBy: 'updatedDate', sortMode: 'ascend', size: 100 },
    },
  ],
})

export const accountHistory = defineOperation({
  summary: 'Look back at an account',
  description:
    'Every change of an account since its application: who made it, when, and what each value was before and after, the latest ' +
    'first. With `asOf` the record as it stood then is answered too. Tax ids and government id numbers are masked to the last four ' +
    'unless the token carries `pii:read`.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block({
    accountNumber: accountNumber(),
    asOf: optional(
      words(40, {
        description: 'A day, whose end in US Eastern time is meant, or a time stamp with its zone.',
        examples: ['2026-01-31', '2026-01-31T17:00:00Z'],
      }),
    ),
    ...pageOf(),
    cursor: cursor(20),
  }),
  data: accountHistoryShape,
  examples: [
    { title: 'All changes', request: { accountNumber: '30100001' } },
    { title: 'With the record of a day', request: { accountNumber: '30100001', asOf: '2026-01-31' } },
  ],
})
