/** How the clearing firm's day stands: documents to review, loads, figures, reports, who holds a security. */
import Type from 'typebox'
import { block, code, knownAt, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import {
  ageShape,
  closeShape,
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
  summary: 'Documents of all firms',
  description:
    'Those that await review, the oldest first; with another `status` those that were decided on, the newest first. Their content is read with get-document.',
  request: block({ status: optional(code('documentStatus')), firmId: optional(firmId()), ...pageOf() }),
  data: Type.Object({ documents: Type.Array(reviewedDocumentShape), next }, strict),
  examples: [{ title: 'What awaits review', request: {} }],
})

export const listLoads = defineOperation({
  ...operations,
  summary: 'Loads',
  description: 'Loads with how far each has come, the newest first; get-load has the refused lines of one.',
  request: block({
    kind: optional(words(40, { description: 'The operation that loaded it.' })),
    state: optional(words(20, { description: 'Running, Complete or CutOff.' })),
    ...pageOf(),
  }),
  data: Type.Object({ loads: Type.Array(loadOverviewShape), next }, strict),
  examples: [{ title: 'The newest', request: {} }],
})

export const getOverview = defineOperation({
  ...operations,
  summary: 'How the day stands',
  description:
    'Work by queue and age, the business day and its last close, where applications stand and how long they stay there (those that moved in the ' +
    'last 30 days), and whether the service is well.',
  request: block({ firmId: optional(firmId()) }),
  data: Type.Object(
    {
      businessDate: Type.String({ format: 'date' }),
      closing: Type.Union([closeShape, Type.Null()], { description: 'The close that is at work.' }),
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

export const getReport = defineOperation({
  ...operations,
  summary: 'Report on account opening',
  description:
    'By client firm, of the applications submitted in a range of days: what became of them, how often something was asked back, why they were ' +
    'rejected, and how long they stood in each state.',
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
  summary: 'How much client firms ask for',
  description:
    'The calls of the last days by firm, and of each by operation and credential: how many, how many were refused or failed, the slowest, and ' +
    'the last. Firms that did not call are not there.',
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
              description: 'The most called first.',
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
    'Who holds a security, long and short, over all firms; by its symbol, CUSIP, ISIN, SEDOL or number.',
  request: block({
    security: words(12),
    knownAt: optional(
      knownAt({ description: 'As it was sealed at the close of this day; what is known now when absent.' }),
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
      shortQuantity: Type.Number({ description: 'What is held short; negative.' }),
      holders: Type.Array(stockHolderShape),
      next,
    },
    strict,
  ),
  examples: [{ title: 'By symbol', request: { security: 'HRBR', size: 10 } }],
})
