/** The audit trail: searched, exported, verified; and who read personal numbers. */
import Type from 'typebox'
import { accountNumber, block, code, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { signedHeadShape } from '../shapes/signed-head.ts'
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
    'Recomputes the hash chain of each firm’s audit rows, compares it with the signed heads outside the database, and names the first row that does not fit.',
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

export const listAuditHeads = defineOperation({
  ...operations,
  summary: 'Signed heads of the audit trail',
  description:
    'Signed heads of all firms’ chains, or of one’s, the newest first, with what the last proof of the trail found. The public keys are at `/audit/jwks`; `clearing verify audit` checks an export against heads that were kept elsewhere.',
  request: block({ firmId: optional(firmId()), ...pageOf() }),
  data: Type.Object(
    {
      heads: Type.Array(signedHeadShape),
      proof: Type.Union(
        [
          Type.Object(
            {
              at: Type.String({ format: 'date-time' }),
              verified: Type.Boolean(),
              firms: Type.Integer(),
              rows: Type.Integer(),
              reason: Type.String({
                description: 'Of the first chain that does not hold; empty when all hold.',
              }),
            },
            strict,
          ),
          Type.Null(),
        ],
        { description: 'What the last nightly proof found; null before the first.' },
      ),
      next,
    },
    strict,
  ),
  examples: [{ title: 'The newest', request: { size: 10 } }],
})

export const acknowledgeRestore = defineOperation({
  ...operations,
  writes: true,
  summary: 'Acknowledge a restore',
  description:
    'Says that the database was put back to an earlier moment, or that files of signed heads are lost. It signs a checkpoint in which each firm’s head names the last one that still counts (`keeps`), and each firm gets its own as an event. Where database and document store agree, nothing is signed.',
  request: block({
    reason: words(limits.noteLengthMax, { description: 'What was restored, and why.' }),
    filesLost: optional(
      Type.Boolean({
        description: 'Files of signed heads are lost for good: they need not be there from now on.',
      }),
    ),
  }),
  data: Type.Object(
    {
      acknowledged: Type.Boolean({ description: 'False when there was nothing to acknowledge.' }),
      checkpoint: Type.Integer({ description: 'The number of the new checkpoint; 0 for none.' }),
      heads: Type.Array(signedHeadShape),
    },
    strict,
  ),
  examples: [
    { title: 'After a restore', request: { reason: 'Restored to 10:00 after the loss of a disk.' } },
  ],
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
