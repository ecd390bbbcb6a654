/** Operations that find accounts and read the history of an account. */
import Type from 'typebox'
import {
  accountNumber,
  block,
  codes,
  earliest,
  entityNumber,
  latest,
  optional,
  repCode,
  text,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { cursor, next, orderMembers, pageOf, renamed } from '../paging.ts'
import { accountHistoryShape, accountItemShape } from '../shapes/account-list.ts'

const created = 'day on which the application was submitted'
const opened = 'day on which the account was opened'
const updated = 'day on which the record or the status last changed'

export const listAccounts = defineOperation({
  summary: 'Find accounts',
  description:
    'Returns the firm’s accounts that match all filters, one page at a time. Pages can be read in both directions: send `next` or `previous` as `after` with the ' +
    'same filters and order. A change made between two pages neither repeats nor hides another account. Reserved account numbers are not listed. Dates are calendar ' +
    'days in US Eastern time; both ends of a range are included.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block(
    {
      status: optional(
        codes('accountStatus', { description: 'Statuses of the accounts. The default is every status.' }),
      ),
      registrationType: optional(
        codes('registrationType', {
          description: 'Registration types of the accounts. The default is every type.',
        }),
      ),
      entityNumber: optional(entityNumber({ description: 'Entity number of the accounts.' })),
      repCode: optional(repCode({ description: 'Code of the representative of the accounts.' })),
      name: optional(
        text(limits.fullNameLengthMax, {
          description:
            'The beginning of the name of an owner, party or beneficiary, with the first name first (`ADA MOR`) or the last name first (`MORENO A`). Accents and apostrophes make no difference.',
        }),
      ),
      createdFrom: optional(earliest(created)),
      createdTo: optional(latest(created)),
      openedFrom: optional(earliest(opened)),
      openedTo: optional(latest(opened)),
      updatedFrom: optional(earliest(updated)),
      updatedTo: optional(latest(updated)),
      ...orderMembers('accountSort', { by: 'createdDate', mode: 'descend' }),
      ...pageOf(),
      cursor: cursor(limits.cursorLengthMax, 'The `nextCursor` or `previousCursor` of a page.'),
    },
    { aliases: { accountstatus: 'status', subnumber: 'entityNumber' } },
  ),
  data: Type.Object(
    {
      accounts: Type.Array(accountItemShape, { description: 'The accounts of the page.' }),
      next,
      previous: Type.String({
        description: 'Cursor of the previous page: send it as `after`. Empty on the first page.',
      }),
      nextCursor: Type.String({ description: 'Empty on the last page.', ...renamed('next') }),
      previousCursor: Type.String({ description: 'Empty on the first page.', ...renamed('previous') }),
    },
    { additionalProperties: false },
  ),
  examples: [
    { title: 'The newest accounts', request: {} },
    {
      title: 'By last name',
      request: { name: 'Moreno', status: ['Open', 'Pending'], sortBy: 'accountName' },
    },
    {
      title: 'Accounts changed this year',
      request: { updatedFrom: '2026-01-01', sortBy: 'updatedDate', sortMode: 'ascend', size: 100 },
    },
  ],
})

export const accountHistory = defineOperation({
  summary: 'Read the history of an account',
  description:
    'Returns every change of an account since its application, the latest first: who made the change, when, and each value before and after it. With `asOf`, also ' +
    'returns the record as it stood at that moment. `waiting.changes` are the requests that wait for operations. Tax ids and government id numbers are masked to the last four characters unless the token carries `pii:read`.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block({
    accountNumber: accountNumber(),
    asOf: optional(
      words(40, {
        description:
          'A date, which stands for the end of that day in US Eastern time, or a timestamp with a time zone.',
        examples: ['2026-01-31', '2026-01-31T17:00:00Z'],
      }),
    ),
    ...pageOf(),
    cursor: cursor(20),
  }),
  data: accountHistoryShape,
  examples: [
    { title: 'All changes', request: { accountNumber: '30100001' } },
    {
      title: 'With the record at the end of a day',
      request: { accountNumber: '30100001', asOf: '2026-01-31' },
    },
  ],
})
