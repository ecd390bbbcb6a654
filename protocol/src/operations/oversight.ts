/**
 * Operations that report on the clearing firm's day: documents to review, loads, figures, reports, the stock record.
 */
import Type from 'typebox'
import { asOfOf } from '../books-view.ts'
import { block, code, knownAt, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import {
  ageShape,
  closeShape,
  failureShape,
  finishedCloseShape,
  firmReportShape,
  loadOverviewShape,
  reviewedDocumentShape,
  stateTimeShape,
  stockHolderShape,
} from '../shapes/work.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = {
  audience: 'operations',
  scope: 'operations',
  body: 'json',
  origin: 'extension',
  writes: false,
} as const

export const listDocuments = defineOperation({
  ...operations,
  summary: 'List documents of all firms',
  description:
    'Returns the documents that wait for review, the oldest first; with another `status`, the documents that were decided on, the newest first. Read their content ' +
    'with get-document.',
  request: block({ status: optional(code('documentStatus')), firmId: optional(firmId()), ...pageOf() }),
  data: Type.Object({ documents: Type.Array(reviewedDocumentShape), next }, strict),
  examples: [{ title: 'Documents to review', request: {} }],
})

export const listLoads = defineOperation({
  ...operations,
  summary: 'List loads',
  description:
    'Returns loads with their progress, the newest first. get-load returns the rejected lines of a load.',
  request: block({
    kind: optional(words(40, { description: 'The operation of the load.' })),
    state: optional(words(20, { description: 'Running, Complete or CutOff.' })),
    source: optional(words(200, { description: 'Name of the feed or of the file, as the load gave it.' })),
    ...pageOf(),
  }),
  data: Type.Object({ loads: Type.Array(loadOverviewShape), next }, strict),
  examples: [{ title: 'The newest', request: {} }],
})

export const getOverview = defineOperation({
  ...operations,
  summary: 'Read the overview of the day',
  description:
    'Returns the work by queue and age, the business day and its last close, the number of applications in each state and the time they stay there (applications ' +
    'that moved in the last 30 days), and the health of the service.',
  request: block({ firmId: optional(firmId()) }),
  data: Type.Object(
    {
      businessDate: Type.String({ format: 'date' }),
      closing: Type.Union([closeShape, Type.Null()], { description: 'The close that is running.' }),
      lastClose: Type.Union([closeShape, Type.Null()]),
      queues: Type.Array(ageShape),
      funnel: Type.Array(
        Type.Object(
          { state: Type.String({ 'x-code-list': 'onboardingState' }), count: Type.Integer() },
          strict,
        ),
      ),
      timeInState: Type.Array(stateTimeShape),
      days: Type.Array(
        Type.Object(
          {
            date: Type.String({ format: 'date' }),
            submitted: Type.Integer(),
            opened: Type.Integer(),
            rejected: Type.Integer(),
          },
          strict,
        ),
        { description: 'The last 30 days in US Eastern time, the oldest first.' },
      ),
      health: Type.Object(
        {
          jobsWaiting: Type.Integer(),
          jobsFailed: Type.Integer(),
          oldestJobSeconds: Type.Integer(),
          deliveriesWaiting: Type.Integer(),
          deliveriesFailed: Type.Integer(),
          loadsRunning: Type.Integer(),
        },
        strict,
      ),
    },
    strict,
  ),
  examples: [{ title: 'Of all firms', request: {} }],
})

export const listCloses = defineOperation({
  ...operations,
  summary: 'List closes of business days',
  description:
    'Returns the finished closes, the newest first, each with the applications that were opened and rejected on its day in US Eastern time, or on the weekend or holidays before it.',
  request: block({ ...pageOf() }),
  data: Type.Object({ closes: Type.Array(finishedCloseShape), next }, strict),
  examples: [{ title: 'The last twenty', request: { size: 20 } }],
})

export const listFailures = defineOperation({
  ...operations,
  summary: 'List failures by cause',
  description:
    'Returns what failed and still waits for a person, grouped by cause, the largest group first: breaks by kind, rejected lines of loads that are not reviewed by ' +
    'error code, loads that were cut off by operation, failed jobs by task, and webhook deliveries that were abandoned by firm. Of loads, ' +
    `the newest ${limits.failedLoadsCountedMax} with a failure count; review loads to see older ones. Of breaks, rejected lines and deliveries, at most ${limits.countedMax + 1} count.`,
  request: block({}),
  data: Type.Object({ failures: Type.Array(failureShape) }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

export const getReport = defineOperation({
  ...operations,
  summary: 'Report on account opening',
  description:
    'Returns, for each client firm, figures of the applications submitted in a range of days: their outcome, how often something was requested from the firm, why ' +
    'they were rejected, and how long they stayed in each state.',
  request: block({ dateFrom: rangeDate(), dateTo: rangeDate(), firmId: optional(firmId()) }),
  data: Type.Object({ firms: Type.Array(firmReportShape) }, strict),
  examples: [{ title: 'A year', request: { dateFrom: '2026-01-01', dateTo: '2026-12-31' } }],
})

const used = {
  calls: Type.Integer(),
  refused: Type.Integer({ description: 'Answered 4xx.' }),
  failed: Type.Integer({ description: 'Answered 5xx.' }),
  slowestMs: Type.Integer(),
  lastOn: Type.String({ format: 'date-time' }),
}

export const firmUsage = defineOperation({
  ...operations,
  summary: 'Report on API usage',
  description:
    'Returns the calls of the last days by firm, and for each firm by operation and credential: the number of calls, of rejected calls and of failed calls, the ' +
    'slowest call and the last call. Firms without calls are left out.',
  request: block({
    firmId: optional(firmId()),
    days: optional(Type.Integer({ minimum: 1, maximum: limits.requestKeptDays, default: 7 })),
  }),
  data: Type.Object(
    {
      since: Type.String({ format: 'date-time' }),
      firms: Type.Array(
        Type.Object(
          {
            firmId: Type.String({ format: 'uuid' }),
            firmName: Type.String(),
            ...used,
            operations: Type.Array(Type.Object({ operation: Type.String(), ...used }, strict), {
              description: 'Ordered by the number of calls, the highest first.',
            }),
            credentials: Type.Array(Type.Object({ clientId: Type.String(), ...used }, strict)),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [{ title: 'Of all firms, since yesterday', request: { days: 1 } }],
})

export const stockRecord = defineOperation({
  ...operations,
  summary: 'Stock record of a security',
  description:
    'Returns the accounts that hold a security, long and short, over all firms. Name the security by its symbol, CUSIP, ISIN, SEDOL or number.',
  request: block({
    security: words(12),
    asOf: asOfOf('Returns the record as it was sealed at the close of this day'),
    knownAt: optional(
      knownAt({
        description:
          'Returns the record as it was sealed at the close of this day. The default is `asOf`, and without it the record as it is known now; with it no other day is possible.',
      }),
    ),
    ...pageOf(),
  }),
  data: Type.Object(
    {
      secNo: Type.String(),
      symbol: Type.String(),
      cusip: Type.String(),
      description: Type.String(),
      longQuantity: Type.Number(),
      shortQuantity: Type.Number({ description: 'The quantity held short; negative.' }),
      holders: Type.Array(stockHolderShape),
      next,
    },
    strict,
  ),
  examples: [{ title: 'By symbol', request: { security: 'HRBR', size: 10 } }],
})
