/** Facts into the books, and the business day; for the clearing firm's operations. */
import Type from 'typebox'
import { accountNumber, block, code, date, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { afterOf, next, pageOf, renamed } from '../paging.ts'
import { loadDetailShape, loadShape } from '../shapes/load.ts'
import { changeShape, checklistMembers } from '../shapes/work.ts'
import {
  accountTermsExample,
  activityExample,
  exampleIds,
  fxRatesExample,
  heldAwayExample,
  pricesExample,
  securitiesExample,
} from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', origin: 'extension' } as const
const load = { ...operations, writes: true, body: 'lines', request: block({}), data: loadShape } as const

const linesNote =
  ' The body is NDJSON (`application/x-ndjson`, one object a line) or CSV (`text/csv`, names in the first line), of any size. Good lines are ' +
  'kept, bad ones are reported with their number; a line seen before is a duplicate and changes nothing, so a load can be sent again; a ' +
  'line of a known id with other contents is a conflict and is named.'

export const loadSecurities = defineOperation({
  ...load,
  summary: 'Load securities',
  description: `Adds securities or changes their facts; check digits are verified.${linesNote}`,
  examples: [{ title: 'A common stock', request: {}, lines: securitiesExample }],
})

export const loadPrices = defineOperation({
  ...load,
  summary: 'Load prices',
  description: `Prices of securities with their kind and time.${linesNote}`,
  examples: [{ title: 'Two closing prices', request: {}, lines: pricesExample }],
})

export const loadFxRates = defineOperation({
  ...load,
  summary: 'Load exchange rates',
  description: `USD for one unit of a currency on a day.${linesNote}`,
  examples: [{ title: 'A day', request: {}, lines: fxRatesExample }],
})

export const loadActivity = defineOperation({
  ...load,
  summary: 'Load activity',
  description: `Trades, cash movements, transfers and corporate actions: each line is posted to the books as a balanced entry.${linesNote}`,
  examples: [{ title: 'A deposit and a purchase', request: {}, lines: activityExample }],
})

export const loadHeldAway = defineOperation({
  ...load,
  summary: 'Load what is held away',
  description:
    'What accounts hold with other custodians, as of a date: acctNo, acctType, an identifier of the security, custodian, asOfDate, quantity, cost, openDate. ' +
    `The latest report counts until another comes; a quantity of 0 ends it.${linesNote}`,
  examples: [{ title: 'One position', request: {}, lines: heldAwayExample }],
})

export const loadAccountTerms = defineOperation({
  ...load,
  summary: 'Load the terms of accounts',
  description:
    "On which terms the books of accounts are kept: acctNo, lotMethod (until the account has activity), houseLongPercent and houseShortPercent (the house's maintenance " +
    `rates; FINRA's are the least that counts).${linesNote}`,
  examples: [{ title: 'House rates above the rule', request: {}, lines: accountTermsExample }],
})

export const getLoad = defineOperation({
  ...operations,
  summary: 'Read a load',
  description: 'The counts of a load and its rejects, a page at a time.',
  writes: false,
  body: 'json',
  request: block({
    loadId: words(36),
    ...pageOf({ sizeMax: limits.loadRejectsMax, sizeDefault: limits.loadRejectsMax }),
    afterLine: optional(Type.Integer({ minimum: 0, ...renamed('after') })),
  }),
  data: loadDetailShape,
  examples: [
    {
      title: 'Its first rejects',
      request: { loadId: exampleIds.load, size: 50 },
      yours: { loadId: 'load-activity' },
    },
  ],
})

export const closeBusinessDay = defineOperation({
  ...operations,
  inSandbox: 'accounts:write',
  summary: 'Close the business day',
  description:
    'Settles, accrues, marks to market, issues and ages calls, seals the day and moves the business date. It can be stopped at any step and ' +
    'run again with the same result. `date` names the day that is to be closed, so that closing it twice does nothing the second time. A day ' +
    'is closed when it has come (ERR.2016), and with something open only when that is accepted (ERR.2017); asked for by a person, what is of ' +
    'high severity is accepted when a second one approves it (`change`), and the day is closed then. In the sandbox the control of this name ' +
    'moves the clock to the end of the day first.',
  writes: true,
  body: 'json',
  request: block({
    date: optional(date()),
    acceptOpen: optional(
      block(
        { reason: words(limits.noteLengthMax, { description: 'Why the day is closed all the same.' }) },
        { description: 'Accepts what the checklist has open.' },
      ),
    ),
  }),
  data: Type.Object(
    {
      closedDate: Type.String({ description: 'Empty while the close awaits a second person.' }),
      businessDate: Type.String({ description: 'The day that is open now.' }),
      accounts: Type.Integer(),
      positions: Type.Integer(),
      callsIssued: Type.Integer(),
      callsMet: Type.Integer(),
      seal: Type.String({ description: 'Digest of the day’s entries and positions, hexadecimal.' }),
      steps: Type.Array(
        Type.Object({ step: Type.String(), state: Type.String(), durationMs: Type.Integer() }, strict),
      ),
      ...checklistMembers,
      change: Type.Union([changeShape, Type.Null()], {
        description: 'What a second person has to approve; null when the day is closed.',
      }),
    },
    strict,
  ),
  examples: [
    {
      title: 'The day that is open',
      request: { acceptOpen: { reason: 'The desk has looked at all of it.' } },
    },
  ],
})

export const closeChecklist = defineOperation({
  ...operations,
  summary: 'What a close looks at',
  description:
    'The checklist of the open business day as a close would find it now: loads, rejects, breaks by severity, prices, calls; and whether the day has come.',
  writes: false,
  body: 'json',
  request: block({}),
  data: Type.Object(
    {
      businessDate: Type.String({ format: 'date' }),
      hasCome: Type.Boolean({ description: 'Whether the day can be closed by its date.' }),
      checklist: checklistMembers.checklist,
      open: Type.Integer({ description: 'Items that a close must be told to accept.' }),
      secondPerson: Type.Boolean({
        description: 'Whether a person who accepts them needs a second one.',
      }),
    },
    strict,
  ),
  examples: [{ title: 'Now', request: {} }],
})

export const reviewLoad = defineOperation({
  ...operations,
  summary: 'Mark a load as looked at',
  description:
    'Somebody has looked at what the load refused, or at why it was cut off: it leaves the checklist of the close. Doing it again changes nothing.',
  writes: true,
  body: 'json',
  request: block({ loadId: words(36), note: optional(words(limits.noteLengthMax)) }),
  data: Type.Object(
    { loadId: Type.String(), lookedAtBy: Type.String(), lookedAtOn: Type.String({ format: 'date-time' }) },
    strict,
  ),
  examples: [
    {
      title: 'Its rejects are known',
      request: { loadId: exampleIds.load, note: 'The feed sends them again tomorrow.' },
      yours: { loadId: 'load-activity' },
    },
  ],
})

const breakShape = Type.Object(
  {
    kind: Type.String({ description: 'What does not tie out.' }),
    accountNumber: Type.String(),
    secNo: Type.String(),
    reason: Type.String(),
    raisedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  strict,
)

export const verifyBooks = defineOperation({
  ...operations,
  summary: 'Verify the books',
  description:
    'Proves that entries balance, lots sum to positions, positions and cash equal the fold of the entries, the stock record sums to zero and seals hold: no breaks, or a list of them. ' +
    'Books that take longer are proved a part at a time: send `next` as `after` until it is empty. Seals are proved with the last part.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    after: afterOf(),
  }),
  data: Type.Object(
    {
      verified: Type.Boolean({ description: 'Whether this part has no breaks.' }),
      accounts: Type.Integer(),
      entries: Type.Integer(),
      positions: Type.Integer(),
      breaks: Type.Array(breakShape),
      next: Type.String({ description: 'Where the next part begins; empty when nothing is left.' }),
    },
    strict,
  ),
  examples: [{ title: 'All accounts', request: {} }],
})

export const listBreaks = defineOperation({
  ...operations,
  summary: 'List breaks',
  description:
    'What operations should look at: accounts sold short by a sale of more than was held, and lines that name what is not there.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    sortBy: optional(code('breakSort', { description: 'accountNumber unless said otherwise.' })),
    sortMode: optional(code('sortMode', { description: 'ascend unless said otherwise.' })),
    ...pageOf({ sizeMax: limits.breaksPageSizeMax, sizeDefault: limits.breaksPageSizeMax }),
  }),
  data: Type.Object({ breaks: Type.Array(breakShape), next }, strict),
  examples: [
    { title: 'All of them', request: {} },
    { title: 'A few', request: { size: 10 } },
  ],
})

export const listCalls = defineOperation({
  audience: 'firm',
  scope: 'positions:read',
  origin: 'extension',
  summary: 'List margin calls',
  description:
    'Margin calls of the firm’s accounts as the closes of business days issued, aged and found them met; the open ones, ' +
    'or with `includeMet` all. What was called for since the last close is in position-summary.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    includeMet: optional(Type.Boolean()),
    ...pageOf({ sizeMax: limits.callsPageSizeMax, sizeDefault: limits.callsPageSizeMax }),
  }),
  data: Type.Object(
    {
      calls: Type.Array(
        Type.Object(
          {
            accountNumber: Type.String(),
            kind: Type.String({ description: 'Fed (Regulation T) or Maintenance.' }),
            state: Type.String({ description: 'Open or Met.' }),
            issuedOn: Type.String({ format: 'date' }),
            dueBy: Type.String({ format: 'date' }),
            amount: Type.Number({ description: 'As it was issued or raised, US dollars.' }),
            outstanding: Type.Number({ description: 'Still to be met at the last close.' }),
            ageDays: Type.Integer({ description: 'Business days since it was issued, at the last close.' }),
            overdue: Type.Boolean(),
            metOn: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
          },
          strict,
        ),
      ),
      next,
    },
    strict,
  ),
  examples: [{ title: 'What is open', request: {} }],
})
