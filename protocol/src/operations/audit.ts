/** The audit trail: searched, exported, verified; and who read personal numbers. */
import Type from 'typebox'
import { accountNumber, block, code, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { auditRowShape, readingShape } from '../shapes/work.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }

export const verifyAudit = defineOperation({
  audience: 'operations',
  scope: 'operations',
  body: 'json',
  origin: 'extension',
  summary: 'Verify the audit chain',
  description:
    'Recomputes the hash chain of each firm’s audit rows and names the first row that does not fit.',
  writes: false,
  request: block({ firmId: optional(words(36)) }),
  data: Type.Object(
    {
      verified: Type.Boolean(),
      firms: Type.Array(
        Type.Object(
          {
            firmId: Type.String(),
            rows: Type.Integer(),
            head: Type.String({ description: 'Hash of the last row, hexadecimal.' }),
            firstBreak: Type.Union([
              Type.Object({ sequence: Type.Integer(), reason: Type.String() }, strict),
              Type.Null(),
            ]),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [{ title: 'All firms', request: {} }],
})

const operations = {
  audience: 'operations',
  scope: 'operations',
  body: 'json',
  origin: 'extension',
  writes: false,
} as const
const days = { dateFrom: optional(rangeDate()), dateTo: optional(rangeDate()) }
const rowFilter = {
  firmId: optional(firmId()),
  accountNumber: optional(accountNumber()),
  actor: optional(words(limits.emailLengthMax, { description: 'A credential, a person or the service.' })),
  action: optional(words(60, { description: 'An operation or a step of the service.' })),
  target: optional(words(100)),
  traceId: optional(words(60)),
  ...days,
}

export const listAudit = defineOperation({
  ...operations,
  summary: 'Search the audit trail',
  description: 'Rows of all firms’ chains that fit every filter, the newest first.',
  request: block({ ...rowFilter, ...pageOf() }),
  data: Type.Object({ rows: Type.Array(auditRowShape), next }, strict),
  examples: [{ title: 'The newest', request: { size: 10 } }],
})

export const exportAudit = defineOperation({
  ...operations,
  summary: 'Export the audit trail',
  description:
    'Rows that fit the filters as a file, the newest first, with the hashes of their chain: NDJSON, or CSV whose texts no spreadsheet runs.',
  answers: 'file',
  fileTypes: ['application/x-ndjson', 'text/csv'],
  request: block({ ...rowFilter, format: optional(code('exportFormat')) }),
  data: Type.Unsafe<ReadableStream<Uint8Array>>(Type.String({ format: 'binary' })),
  examples: [{ title: 'Of one account', request: { accountNumber: '30100001', format: 'CSV' } }],
})

export const listReadings = defineOperation({
  ...operations,
  summary: 'Who read personal numbers',
  description:
    'Each reading of personal numbers in full and of a document’s content, by whom and when; the newest first.',
  request: block({
    accountNumber: optional(accountNumber()),
    reader: optional(words(limits.emailLengthMax)),
    ...days,
    ...pageOf(),
  }),
  data: Type.Object({ readings: Type.Array(readingShape), next }, strict),
  examples: [{ title: 'The newest', request: {} }],
})
