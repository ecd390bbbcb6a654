/** Operations on statements and confirmations of trades, which are made from the books. */
import Type from 'typebox'
import { accountNumber, answeredCode, block, code, earliest, latest, optional, rangeDate } from '../field.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'

const strict = { additionalProperties: false }
const firm = { audience: 'firm', body: 'json', origin: 'extension' } as const
const statementShape = Type.Object(
  {
    accountNumber: Type.String({ description: '8 characters.' }),
    kind: answeredCode('statementKind', { description: 'Whether it is a statement or a confirmation.' }),
    periodFrom: Type.String({ format: 'date', description: 'The first day of the period.' }),
    periodTo: Type.String({
      format: 'date',
      description: 'The business day whose close ended the period; of a confirmation, its day.',
    }),
    version: Type.Integer({ description: 'From 1. A later version replaces the earlier ones.' }),
    delivery: answeredCode('statementDelivery', { description: 'How the customer gets it.' }),
    madeBy: Type.String({ description: '`service`, or the credential or person that requested it.' }),
    madeOn: Type.String({ format: 'date-time', description: 'When it was made.' }),
    digest: Type.String({ description: 'SHA-256 of the content, in hexadecimal digits.' }),
  },
  strict,
)

const name = {
  accountNumber: accountNumber(),
  kind: code('statementKind', { description: 'Whether it is a statement or a confirmation.' }),
  periodTo: rangeDate({ description: 'The end of the period, as list-statements returns it.' }),
}
const example = { accountNumber: '30100001', kind: 'Confirmation', periodTo: '2026-11-20' } as const
const yours = { accountNumber: 'new-account', periodTo: 'list-statements' } as const

export const listStatements = defineOperation({
  ...firm,
  scope: 'documents:read',
  summary: 'List statements and confirmations',
  description:
    'Returns the statements and the confirmations of trades of an account with all their versions, the latest first. The close of a business day makes the confirmation of its ' +
    'trades, exercises and assignments. The close of the last business day of a month makes a statement if lines were booked since the last one, and at the end of a quarter also if the account has a ' +
    'position or a balance (FINRA Rule 2231(a)). Both are ready some time after the close, with the event statement.ready.',
  writes: false,
  request: block({
    accountNumber: accountNumber(),
    kind: optional(code('statementKind', { description: 'Returns documents of this kind only.' })),
    dateFrom: optional(earliest('periodTo')),
    dateTo: optional(latest('periodTo')),
    ...pageOf(),
  }),
  data: Type.Object(
    { statements: Type.Array(statementShape, { description: 'The latest first.' }), next },
    strict,
  ),
  examples: [{ title: 'Of an account', request: { accountNumber: '30100001' } }],
})

export const getStatement = defineOperation({
  ...firm,
  scope: 'documents:read',
  summary: 'Read a statement or a confirmation',
  description: 'Returns a statement or a confirmation as a PDF attachment, by default in its last version.',
  writes: false,
  answers: 'file',
  fileTypes: ['application/pdf'],
  request: block({
    ...name,
    statementVersion: optional(
      Type.Integer({ description: 'The default is the last version.', minimum: 1, maximum: 10_000 }),
    ),
  }),
  data: Type.Unsafe<ReadableStream<Uint8Array>>(Type.String({ format: 'binary' })),
  examples: [{ title: 'To a file', request: example, yours }],
})

export const makeStatement = defineOperation({
  ...firm,
  scope: 'documents:write',
  summary: 'Make a statement or a confirmation again',
  description:
    'Makes the statement of a month, or the confirmation of a day, from everything that is known now. If nothing has changed, the last version is returned. After a correction, the ' +
    'result is a further version, and the event statement.ready follows. `periodTo` is a business day that was closed, and for a statement the last one of its month.',
  writes: true,
  request: block(name),
  data: statementShape,
  examples: [{ title: 'After a correction', request: example, yours }],
})
