/**
 * Operations that report on the clearing firm's day: documents to review, loads, figures, reports, the stock record.
 */
import Type from 'typebox'
import { day, listOf, namesOfSecurity, ofFirm, textOf, time, wholeOf } from '../answered-values.ts'
import { asOfOf } from '../books-view.ts'
import { block, code, earliest, knownAt, latest, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { closeShape, finishedCloseShape } from '../shapes/close.ts'
import {
  ageShape,
  failureShape,
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
  request: block({
    status: optional(
      code('documentStatus', {
        description: 'Returns documents with this status only. The default is PendingApproval.',
      }),
    ),
    firmId: optional(firmId()),
    ...pageOf(),
  }),
  data: Type.Object({ documents: listOf(reviewedDocumentShape, 'The documents of the page.'), next }, strict),
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
  data: Type.Object({ loads: listOf(loadOverviewShape, 'The loads of the page.'), next }, strict),
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
      businessDate: day('The business day that is open.'),
      closing: Type.Union([closeShape, Type.Null()], {
        description: 'The close that is running; null if none is.',
      }),
      lastClose: Type.Union([closeShape, Type.Null()], {
        description: 'The last finished close; null before the first one.',
      }),
      queues: listOf(ageShape, 'The work that waits, by queue.'),
      funnel: Type.Array(
        Type.Object(
          {
            state: Type.String({
              'x-code-list': 'onboardingState',
              description: 'State of the applications.',
            }),
            count: wholeOf('Number of applications in this state now.'),
          },
          strict,
        ),
        { description: 'The applications by state.' },
      ),
      timeInState: listOf(
        stateTimeShape,
        'How long applications stayed in each state. Of the last 30 days, at most the 2,000 latest that ended and 2,000 that did not.',
      ),
      days: Type.Array(
        Type.Object(
          {
            date: day('The day.'),
            submitted: wholeOf('Number of applications that were submitted on the day.'),
            opened: wholeOf('Number of accounts that were opened on the day.'),
            rejected: wholeOf('Number of applications that were rejected or failed on the day.'),
          },
          strict,
        ),
        { description: 'The last 30 days in US Eastern time, the oldest first.' },
      ),
      health: Type.Object(
        {
          jobsWaiting: wholeOf('Number of queued jobs that are due.'),
          jobsFailed: wholeOf('Number of jobs that failed too often.'),
          oldestJobSeconds: wholeOf(
            'Age of the oldest due job, in seconds by the wall clock; 0 without one.',
          ),
          deliveriesWaiting: wholeOf('Number of webhook deliveries that wait for an attempt.'),
          deliveriesFailed: wholeOf('Number of webhook deliveries that were abandoned.'),
          loadsRunning: wholeOf('Number of running loads.'),
        },
        { ...strict, description: 'The health of the service, of all firms.' },
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
  data: Type.Object({ closes: listOf(finishedCloseShape, 'The closes of the page.'), next }, strict),
  examples: [{ title: 'The last twenty', request: { size: 20 } }],
})

export const listFailures = defineOperation({
  ...operations,
  summary: 'List failures by cause',
  description:
    'Returns what failed and still waits for a person, grouped by cause, the largest group first: breaks by kind, rejected lines of loads that are not reviewed by ' +
    'error code, without activity lines that a later load accepted, loads that were cut off by operation, failed jobs by task, webhook deliveries that were ' +
    'abandoned by firm, deliveries that have failed at least four times and are repeated by webhook, and webhooks that the service disabled in the last ' +
    `${limits.webhookDeliveryKeptDays} days. Of loads, ` +
    `the newest ${limits.failedLoadsCountedMax} with a failure count; review loads to see older ones. Of breaks, rejected lines and deliveries, at most ${limits.countedMax + 1} count.`,
  request: block({}),
  data: Type.Object({ failures: listOf(failureShape, 'The failures by cause.') }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

export const getReport = defineOperation({
  ...operations,
  summary: 'Report on account opening',
  description:
    'Returns, for each client firm, figures of the applications submitted in a range of days: their outcome, how often something was requested from the firm, why ' +
    'they were rejected, and how long they stayed in each state.',
  request: block({
    dateFrom: earliest('day of submission'),
    dateTo: latest('day of submission'),
    firmId: optional(firmId()),
  }),
  data: Type.Object(
    { firms: listOf(firmReportShape, 'The firms with applications in the range, ordered by name.') },
    strict,
  ),
  examples: [{ title: 'A year', request: { dateFrom: '2026-01-01', dateTo: '2026-12-31' } }],
})

const used = {
  calls: wholeOf('Number of calls.'),
  refused: wholeOf('Number of calls with a response 4xx.'),
  failed: wholeOf('Number of calls with a response 5xx.'),
  slowestMs: wholeOf('Duration of the slowest call, in milliseconds.'),
  lastOn: time('When the last call arrived, by the wall clock.'),
}

export const firmUsage = defineOperation({
  ...operations,
  summary: 'Report on API usage',
  description:
    'Returns the calls of the last days by firm, and for each firm by operation and credential: the number of calls, of rejected calls and of failed calls, the ' +
    'slowest call and the last call. Firms without calls are left out.',
  request: block({
    firmId: optional(firmId()),
    days: optional(
      Type.Integer({
        description: 'For how many days before now calls are counted.',
        minimum: 1,
        maximum: limits.requestKeptDays,
        default: 7,
      }),
    ),
  }),
  data: Type.Object(
    {
      since: time('The beginning of these days, by the wall clock.'),
      firms: Type.Array(
        Type.Object(
          {
            ...ofFirm,
            ...used,
            operations: Type.Array(
              Type.Object({ operation: textOf('Name of the operation.'), ...used }, strict),
              {
                description: 'Ordered by the number of calls, the highest first.',
              },
            ),
            credentials: Type.Array(
              Type.Object({ clientId: textOf('ID of the credential.'), ...used }, strict),
              {
                description: 'Ordered by the number of calls, the highest first.',
              },
            ),
          },
          strict,
        ),
        { description: 'The firms with calls, ordered by name.' },
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
    security: words(12, { description: 'Symbol, CUSIP, ISIN, SEDOL or number of the security.' }),
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
      ...namesOfSecurity,
      longQuantity: Type.Number({ description: 'The quantity held long.' }),
      shortQuantity: Type.Number({ description: 'The quantity held short; negative.' }),
      holders: listOf(stockHolderShape, 'The holders of the page.'),
      next,
    },
    strict,
  ),
  examples: [{ title: 'By symbol', request: { security: 'HRBR', size: 10 } }],
})
