/** What is answered about many accounts, or many versions of one: list-accounts, account-history. */
import Type from 'typebox'
import { next, renamed } from '../paging.ts'
import { accountShape2 } from './account.ts'

const strict = { additionalProperties: false }

/** An account as list-accounts answers it; get-account answers its record. */
export const accountItemShape = Type.Object(
  {
    accountNumber: Type.String(),
    accountStatus: Type.String({ 'x-code-list': 'accountStatus' }),
    accountName: Type.String({ description: 'Composed title.' }),
    registrationType: Type.String({ 'x-code-list': 'registrationType' }),
    subNumber: Type.String({ description: 'The entity number.' }),
    repCode: Type.String(),
    version: Type.Integer({ description: 'Counts the changes of the record.' }),
    createdOn: Type.String({ format: 'date-time', description: 'When its application was submitted.' }),
    updatedOn: Type.String({ format: 'date-time', description: 'When its record or status last changed.' }),
    openedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null when it never was open.',
    }),
  },
  strict,
)

const changedValue = Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()])

/** One value of the record that a change gave, took the place of, or both. */
export const fieldChangeShape = Type.Object(
  {
    field: Type.String({
      description: 'Path in the record; items of lists by customer id, large traders by their id.',
      examples: ['associatedParties[100000000000000001].email'],
    }),
    from: changedValue,
    to: changedValue,
  },
  strict,
)

/** One change of an account: of its record, or of its status alone. */
export const accountChangeShape = Type.Object(
  {
    sequence: Type.Integer({ description: 'Counts the changes of the account, from 1.' }),
    version: Type.Integer({ description: 'The version of the record that it left.' }),
    accountStatus: Type.String({ 'x-code-list': 'accountStatus', description: 'The status that it left.' }),
    at: Type.String({ format: 'date-time' }),
    actor: Type.String({ description: 'The credential that asked for it, or `service`.' }),
    operation: Type.String({ description: 'The operation or step that made it.' }),
    traceId: Type.String(),
    changes: Type.Array(fieldChangeShape, {
      description: 'Empty for the opening, where every value is new.',
    }),
  },
  strict,
)

export const accountHistoryShape = Type.Object(
  {
    accountNumber: Type.String(),
    history: Type.Array(accountChangeShape, { description: 'The latest first.' }),
    next,
    nextCursor: Type.String({
      description: 'For the older changes; empty when there are none.',
      ...renamed('next'),
    }),
    asOf: Type.Optional(Type.String({ format: 'date-time', description: 'The moment that was asked for.' })),
    record: Type.Optional(
      Type.Union([accountShape2, Type.Null()], {
        description: 'The record at that moment, shape 2; null when the account did not exist yet.',
      }),
    ),
  },
  strict,
)
