/**
 * Operations on the notifications of the staff: a mention in a note, assigned work, a decision on a requested change, a
 * change of access.
 */
import Type from 'typebox'
import { listOf, orNull, time } from '../answered-values.ts'
import { answeredCode, block, list, optional, words } from '../field.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

const unread = Type.Integer({
  description: 'Number of unread notifications of the caller, counted up to 1,000.',
})

const notificationShape = Type.Object(
  {
    notificationId: Type.String({ format: 'uuid', description: 'ID of the notification.' }),
    kind: answeredCode('notificationKind', { description: 'What the caller was notified of.' }),
    accountNumber: Type.String({ description: 'Account number; empty if no account is concerned.' }),
    target: Type.String({
      description:
        'ID of the note, of the item of work or of the change; the e-mail address of the person whose access changed.',
    }),
    detail: Type.String({
      description: 'The note, the queue of the item, the decision with its reason, or the change of access.',
    }),
    causedBy: Type.String({ description: 'The person or credential that acted.' }),
    notifiedOn: time('When the caller was notified.'),
    readOn: orNull(time(), { description: 'When it was marked as read; null until then.' }),
  },
  strict,
)

export const listNotifications = defineOperation({
  ...operations,
  summary: 'List the notifications of the caller',
  description:
    'Returns what the caller was notified of, the newest first: mentions in notes, work that others assigned, decisions on changes that the caller requested, and, for ' +
    'admins and principals, every change of access to the console.',
  writes: false,
  request: block({ ...pageOf() }),
  data: Type.Object(
    { notifications: listOf(notificationShape, 'The notifications of the page.'), unread, next },
    strict,
  ),
  examples: [{ title: 'The newest', request: { size: 20 } }],
})

export const readNotifications = defineOperation({
  ...operations,
  summary: 'Mark notifications as read',
  description: 'Marks notifications of the caller as read. Ids of others are ignored.',
  writes: true,
  request: block({
    notificationIds: optional(
      list(words(36), { description: 'IDs, as list-notifications returns them. The default is all.' }),
    ),
  }),
  data: Type.Object({ unread }, strict),
  examples: [
    { title: 'One', request: { notificationIds: [exampleIds.view] } },
    { title: 'All of them', request: {} },
  ],
})
