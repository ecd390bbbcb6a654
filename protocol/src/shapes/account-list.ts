/** The responses of list-accounts and account-history. */
import Type from 'typebox'
import { listOf, orNull, textOf, time } from '../answered-values.ts'
import { answeredCode } from '../field.ts'
import { next, renamed } from '../paging.ts'
import { accountShape2 } from './account.ts'

const strict = { additionalProperties: false }

/** An account as list-accounts returns it. get-account returns the whole record. */
export const accountItemShape = Type.Object(
  {
    accountNumber: Type.String({ description: '8 characters.' }),
    accountStatus: Type.String({ 'x-code-list': 'accountStatus', description: 'Status of the account.' }),
    accountName: Type.String({ description: 'Composed title.' }),
    registrationType: Type.String({
      'x-code-list': 'registrationType',
      description: 'Registration type of the account.',
    }),
    subNumber: Type.String({ description: 'The entity number.' }),
    repCode: Type.String({ description: 'Code of the representative of the account.' }),
    version: Type.Integer({ description: 'Version of the record, which counts its changes.' }),
    createdOn: Type.String({
      format: 'date-time',
      description: 'When the application of the account was submitted.',
    }),
    updatedOn: Type.String({
      format: 'date-time',
      description: 'When the record or the status last changed.',
    }),
    openedOn: orNull(time(), {
      description: 'When the account was opened; null if it was never open.',
    }),
  },
  strict,
)

function changedValue(description: string) {
  return Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], { description })
}

/** One value of the record that a change added, removed or replaced. */
export const fieldChangeShape = Type.Object(
  {
    field: Type.String({
      description:
        'Path of the value in the record. Items of lists are named by customer id, large traders by their id.',
      examples: ['associatedParties[100000000000000001].email'],
    }),
    from: changedValue('The value before; null if there was none.'),
    to: changedValue('The value after; null if there is none.'),
  },
  strict,
)

/** One change of an account: of its record or of its status. */
export const accountChangeShape = Type.Object(
  {
    sequence: Type.Integer({ description: 'Number of the change, from 1.' }),
    version: Type.Integer({ description: 'Version of the record after the change.' }),
    accountStatus: Type.String({
      'x-code-list': 'accountStatus',
      description: 'Status of the account after the change.',
    }),
    at: time('When the change was made.'),
    actor: Type.String({
      description:
        'The credential or person whose call made the change, or `service`. Of a change that waited, its last decision made it: see `requestedBy`.',
    }),
    operation: Type.String({ description: 'The operation or step that made the change.' }),
    traceId: Type.String({ description: 'W3C trace id of the call that made the change.' }),
    changeId: orNull(Type.String({ format: 'uuid' }), {
      description:
        'The request that waited for operations and made the change. Null if the change was made at once, or if one call decided on several requests of the account.',
    }),
    requestedBy: orNull(Type.String(), {
      description: 'The person or credential of that request; null without a request.',
    }),
    approvedBy: orNull(Type.String(), {
      description: 'The second person who approved that request; null if none had to.',
    }),
    reason: textOf('Why the change was requested; empty if the request named no reason.'),
    changes: Type.Array(fieldChangeShape, {
      description: 'The changed values; empty for the opening, where every value is new.',
    }),
  },
  strict,
)

/** The fields of a change that waits or waited. */
export const changedFieldsShape = Type.Array(
  Type.Object(
    {
      field: textOf('Path of the value in the record, or the name of what changes.'),
      before: textOf('The value before; empty if there was none.'),
      after: textOf('The value after; empty if there is none.'),
    },
    strict,
  ),
  {
    description:
      'The changed fields. Personal numbers are masked. The field `finding` states what account policy has operations review.',
  },
)

/** A change of the record that is not made yet. */
const waitingChangeShape = Type.Object(
  {
    changeId: Type.String({ format: 'uuid', description: 'ID of the change, as in its events.' }),
    subjects: listOf(answeredCode('approvalSubject'), 'Why it waits: the subjects that need an approval.'),
    fields: changedFieldsShape,
    reason: textOf('Why the change was requested; empty if the request named no reason.'),
    requestedBy: textOf('The person or credential that requested the change.'),
    requestedOn: time('When the change was requested.'),
    version: Type.Integer({ description: 'Version of the record that the request changes.' }),
  },
  strict,
)

export const accountHistoryShape = Type.Object(
  {
    accountNumber: Type.String({ description: '8 characters.' }),
    history: Type.Array(accountChangeShape, { description: 'The changes, the latest first.' }),
    waiting: Type.Object(
      {
        changes: Type.Array(waitingChangeShape, {
          description: 'Requests of update-account that wait for operations, the earliest first.',
        }),
      },
      { ...strict, description: 'What waits for operations now; the same on every page.' },
    ),
    next,
    nextCursor: Type.String({
      description: 'Cursor of the older changes; empty if there are none.',
      ...renamed('next'),
    }),
    asOf: Type.Optional(time('The moment of the request.')),
    record: Type.Optional(
      orNull(accountShape2, {
        description: 'The record at that moment in shape 2; null if the account did not exist yet.',
      }),
    ),
  },
  strict,
)
