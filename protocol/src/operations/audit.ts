/** Operations that search, export and verify the audit trail, and list who read personal numbers. */
import Type from 'typebox'
import { listOf, textOf, time, wholeOf } from '../answered-values.ts'
import { accountNumber, block, code, earliest, latest, optional, words } from '../field.ts'
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
    'Recomputes the hash chain of each firm’s audit rows, compares it with the signed heads kept outside the database, and names the first row that does not match.',
  writes: false,
  request: block({ firmId: optional(firmId()) }),
  data: Type.Object(
    {
      verified: Type.Boolean({ description: 'Whether every verified chain holds.' }),
      firms: Type.Array(
        Type.Object(
          {
            firmId: textOf('ID of the firm.'),
            rows: wholeOf('Number of rows of its chain.'),
            head: Type.String({ description: 'Hash of the last row, hexadecimal.' }),
            firstBreak: Type.Union(
              [
                Type.Object(
                  {
                    sequence: wholeOf('Position of the row in the chain.'),
                    reason: textOf('What does not match.'),
                  },
                  strict,
                ),
                Type.Null(),
              ],
              { description: 'The first row that does not match; null if the chain holds.' },
            ),
          },
          strict,
        ),
        { description: 'The chains that were verified, one for each firm.' },
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
const days = {
  dateFrom: optional(earliest('day, in US Eastern time')),
  dateTo: optional(latest('day, in US Eastern time')),
}
const rowFilter = {
  firmId: optional(firmId()),
  accountNumber: optional(accountNumber()),
  actor: optional(
    words(limits.emailLengthMax, { description: 'The credential, the person or the service that acted.' }),
  ),
  action: optional(words(60, { description: 'The operation, or the step of the service.' })),
  target: optional(words(100, { description: 'ID or name of what was changed.' })),
  traceId: optional(
    words(60, { description: 'W3C trace id of a call. Rows of all calls of its trace are returned.' }),
  ),
  ...days,
}

export const listAudit = defineOperation({
  ...operations,
  summary: 'Search the audit trail',
  description: 'Returns the rows of all firms’ chains that match every filter, the newest first.',
  request: block({ ...rowFilter, ...pageOf() }),
  data: Type.Object({ rows: listOf(auditRowShape, 'The rows of the page.'), next }, strict),
  examples: [{ title: 'The newest', request: { size: 10 } }],
})

export const exportAudit = defineOperation({
  ...operations,
  summary: 'Export the audit trail',
  description:
    'Returns the rows that match the filters as a file, the newest first, with the hashes of their chain: NDJSON, or CSV with neutralized formulas, so that no ' +
    'spreadsheet executes a text.',
  answers: 'file',
  fileTypes: ['application/x-ndjson', 'text/csv'],
  request: block({
    ...rowFilter,
    format: optional(code('exportFormat', { description: 'Format of the file. The default is NDJSON.' })),
  }),
  data: Type.Unsafe<ReadableStream<Uint8Array>>(Type.String({ format: 'binary' })),
  examples: [{ title: 'Of one account', request: { accountNumber: '30100001', format: 'CSV' } }],
})

export const listAuditHeads = defineOperation({
  ...operations,
  summary: 'Signed heads of the audit trail',
  description:
    'Returns the signed heads of one firm’s chain or of all firms’ chains, the newest first, with the result of the last verification of the trail. The public keys ' +
    'are at `/audit/jwks`. `clearing verify audit` checks an export against heads that were kept elsewhere.',
  request: block({ firmId: optional(firmId()), ...pageOf() }),
  data: Type.Object(
    {
      heads: listOf(signedHeadShape, 'The signed heads of the page.'),
      proof: Type.Union(
        [
          Type.Object(
            {
              at: time('When it was verified.'),
              verified: Type.Boolean({ description: 'Whether every chain held.' }),
              firms: wholeOf('Number of chains, one for each firm.'),
              rows: wholeOf('Number of rows of all chains.'),
              reason: Type.String({
                description: 'The first break that was found; empty when every chain holds.',
              }),
            },
            strict,
          ),
          Type.Null(),
        ],
        { description: 'The result of the last nightly verification; null before the first one.' },
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
    'Records that the database was restored to an earlier moment, or that files of signed heads are lost. Signs a checkpoint in which each firm’s head names the ' +
    'last head that is still valid (`keeps`), and sends each firm its own head as an event. If the database and the document store agree, nothing is signed.',
  request: block({
    reason: words(limits.noteLengthMax, { description: 'What was restored and why.' }),
    filesLost: optional(
      Type.Boolean({
        description:
          'True if files of signed heads are permanently lost: verification no longer expects them.',
      }),
    ),
  }),
  data: Type.Object(
    {
      acknowledged: Type.Boolean({ description: 'False if there was nothing to acknowledge.' }),
      checkpoint: Type.Integer({ description: 'The number of the new checkpoint; 0 if none was signed.' }),
      heads: listOf(signedHeadShape, 'The heads of the new checkpoint; empty if none was signed.'),
    },
    strict,
  ),
  examples: [
    { title: 'After a restore', request: { reason: 'Restored to 10:00 after the loss of a disk.' } },
  ],
})

export const listReadings = defineOperation({
  ...operations,
  summary: 'List readings of personal numbers',
  description:
    'Returns each reading of unmasked personal numbers and of a document’s content, with the reader and the time, the newest first.',
  request: block({
    accountNumber: optional(accountNumber()),
    reader: optional(words(limits.emailLengthMax, { description: 'The credential or person that read.' })),
    ...days,
    ...pageOf(),
  }),
  data: Type.Object({ readings: listOf(readingShape, 'The readings of the page.'), next }, strict),
  examples: [{ title: 'The newest', request: {} }],
})
