/** Operations of the clearing firm that load facts into the books, close the business day and verify the books. */
import Type from 'typebox'
import { day, listOf, orNull, textOf, time, wholeOf } from '../answered-values.ts'
import { accountNumber, block, date, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { afterOf, counted, next, orderMembers, pageOf, renamed, total } from '../paging.ts'
import { checklistMembers, closeFigures, closeStepsShape } from '../shapes/close.ts'
import { loadDetailShape, loadShape } from '../shapes/load.ts'
import { pendingLineShape } from '../shapes/pending-line.ts'
import { changeShape } from '../shapes/work.ts'
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
function loadId() {
  return words(36, { description: 'ID of the load, a UUID.' })
}
export const load = {
  ...operations,
  writes: true,
  body: 'lines',
  storedInParts: true,
  request: block({
    source: optional(
      words(200, {
        description:
          'Name of the feed or of the file. list-loads filters by it, and the console shows it. The default is empty.',
      }),
    ),
  }),
  data: loadShape,
} as const

export const linesNote =
  ' The body is NDJSON (`application/x-ndjson`, one object per line) or CSV (`text/csv`, names in the first line), of any size. Valid lines are stored; invalid ' +
  'lines are reported with their line number. A line that was loaded before is a duplicate and changes nothing, so a load can be sent again. A line with a known ' +
  'id and other contents is a conflict and is reported.'

export const correctionNote =
  ' A line with a known key and other values corrects the stored fact if it has a correctionId, the feed’s own id of the correction.'

export const loadSecurities = defineOperation({
  ...load,
  summary: 'Load securities',
  description: `Adds securities or changes their facts. Check digits are verified.${linesNote}`,
  examples: [{ title: 'A common stock', request: {}, lines: securitiesExample }],
})

export const loadPrices = defineOperation({
  ...load,
  summary: 'Load prices',
  description: `Loads prices of securities with their kind and time. A \`priceDate\` without a time means the beginning of that day in New York.${linesNote}${correctionNote}`,
  examples: [{ title: 'Two closing prices', request: {}, lines: pricesExample }],
})

export const loadFxRates = defineOperation({
  ...load,
  summary: 'Load exchange rates',
  description: `Loads exchange rates: US dollars for one unit of a currency on a day.${linesNote}${correctionNote}`,
  examples: [{ title: 'A day', request: {}, lines: fxRatesExample }],
})

export const loadActivity = defineOperation({
  ...load,
  summary: 'Load activity',
  description: `Loads trades, cash movements, transfers and corporate actions. Each line is posted to the books as a balanced entry.${linesNote}`,
  examples: [{ title: 'A deposit and a purchase', request: {}, lines: activityExample }],
})

export const loadHeldAway = defineOperation({
  ...load,
  summary: 'Load positions held away',
  description:
    'Loads positions that accounts hold with other custodians, as of a date: acctNo, acctType, an identifier of the security, custodian, asOfDate, quantity, cost, openDate. ' +
    `The latest report of a position is valid until the next one; a quantity of 0 ends the position.${linesNote}${correctionNote}`,
  examples: [{ title: 'One position', request: {}, lines: heldAwayExample }],
})

export const loadAccountTerms = defineOperation({
  ...load,
  summary: 'Load the terms of accounts',
  description:
    'Loads the terms on which the books of an account are kept: acctNo, lotMethod (only before the account has activity), houseLongPercent and houseShortPercent (the maintenance rates of the ' +
    `clearing firm; FINRA's rates are the minimum).${linesNote}`,
  examples: [{ title: 'House rates above FINRA’s', request: {}, lines: accountTermsExample }],
})

export const getLoad = defineOperation({
  ...operations,
  summary: 'Read a load',
  description: 'Returns the counts of a load and its rejects, one page at a time.',
  writes: false,
  body: 'json',
  request: block({
    loadId: loadId(),
    ...pageOf({ sizeMax: limits.loadRejectsMax, sizeDefault: limits.loadRejectsMax }),
    afterLine: optional(
      Type.Integer({ description: 'Returns the rejects after this line.', minimum: 0, ...renamed('after') }),
    ),
  }),
  data: loadDetailShape,
  examples: [
    {
      title: 'The first rejects of a load',
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
    'Moves the business date to the next day, so that later lines belong to that day. Then settles, accrues, marks to market, issues and ages margin calls, and seals the day. The close can be interrupted at any ' +
    'step and run again with the same result. `date` names the day to close, so a second close of the same day does nothing. A day can be closed once its date has ' +
    'come (ERR.2016). A close with open items must accept them (ERR.2017). If a person accepts items of high severity, a second person must approve the close ' +
    '(`change`); the day is closed on approval. In the sandbox, the control of the same name first moves the clock to the end of the day.',
  writes: true,
  body: 'json',
  request: block({
    date: optional(date({ description: 'The business day to close. The default is the open one.' })),
    acceptOpen: optional(
      block(
        {
          reason: words(limits.noteLengthMax, {
            description: 'Why the day is closed despite its open items.',
          }),
        },
        { description: 'Accepts the open items of the checklist. Required if there are any.' },
      ),
    ),
  }),
  data: Type.Object(
    {
      closedDate: textOf(
        'The business day that was closed; empty while the close waits for a second person.',
      ),
      businessDate: Type.String({ description: 'The business day that is open now.' }),
      ...closeFigures,
      seal: Type.String({
        description:
          'Digest of the day’s entries and positions, hexadecimal; empty while the close waits for a second person.',
      }),
      steps: closeStepsShape,
      ...checklistMembers,
      change: Type.Union([changeShape, Type.Null()], {
        description: 'The change that a second person must approve; null if the day is closed.',
      }),
    },
    strict,
  ),
  examples: [
    {
      title: 'The open day',
      request: { acceptOpen: { reason: 'The desk has reviewed every item.' } },
    },
  ],
})

export const closeChecklist = defineOperation({
  ...operations,
  summary: 'Read the checklist of a close',
  description:
    'Returns the checklist of the open business day as a close would find it now: loads, rejects, breaks by severity, prices and margin calls, and whether the date ' +
    'of the day has come.',
  writes: false,
  body: 'json',
  request: block({}),
  data: Type.Object(
    {
      businessDate: day('The business day that is open.'),
      hasCome: Type.Boolean({ description: 'Whether the date of the day has come.' }),
      checklist: checklistMembers.checklist,
      open: Type.Integer({ description: 'Number of open items that a close must accept.' }),
      secondPerson: Type.Boolean({
        description: 'Whether a person who accepts them needs the approval of a second person.',
      }),
    },
    strict,
  ),
  examples: [{ title: 'Now', request: {} }],
})

export const reviewLoad = defineOperation({
  ...operations,
  summary: 'Mark a load as reviewed',
  description:
    'Records that the rejected lines of a load, or the reason why it was cut off, were reviewed. The load leaves the checklist of the close. A second call changes nothing.',
  writes: true,
  body: 'json',
  request: block({
    loadId: loadId(),
    note: optional(words(limits.noteLengthMax, { description: 'What the review found. It is audited.' })),
  }),
  data: Type.Object(
    {
      loadId: textOf('ID of the load.'),
      lookedAtBy: textOf('Who reviewed the load first.'),
      lookedAtOn: time('When it was reviewed first.'),
    },
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
    kind: Type.String({ description: 'The kind of disagreement.' }),
    accountNumber: textOf('Number of the account; empty if the break concerns no account.'),
    secNo: textOf('Number of the security in the books; empty if the break concerns none.'),
    reason: textOf('What does not agree.'),
    raisedOn: orNull(time(), { description: 'When it was raised; null in the response of verify-books.' }),
  },
  strict,
)

const openBreakShape = Type.Object(
  {
    ...breakShape.properties,
    breakId: Type.String({ format: 'uuid', description: 'ID of the break.' }),
    symbol: Type.String({
      description: 'Symbol of the security, or another of its identifiers; can be empty.',
    }),
    acctType: Type.String({
      'x-code-list': 'activityAcctType',
      description: 'Empty if the break concerns no account type.',
    }),
    quantity: orNull(Type.Number(), {
      description: 'The quantity that the break is about; null if it is about none.',
    }),
    externalId: Type.String({ description: 'ID of the line that raised the break; empty if there is none.' }),
    tradeDate: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'Trade date of that line; null if there is none.',
    }),
  },
  strict,
)

export const verifyBooks = defineOperation({
  ...operations,
  summary: 'Verify the books',
  description:
    'Verifies that entries balance, that lots sum to positions, that positions and cash equal the fold of the entries, that the stock record sums to zero and that ' +
    'seals are intact. Returns the breaks; an empty list means that the books hold. Large books are verified in parts: send `next` as `after` until it is empty. ' +
    'Seals are verified with the last part.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    after: afterOf(),
  }),
  data: Type.Object(
    {
      verified: Type.Boolean({ description: 'Whether this part has no breaks.' }),
      accounts: wholeOf('Number of accounts in this part.'),
      entries: wholeOf('Number of entries of these accounts.'),
      positions: wholeOf('Number of positions of these accounts.'),
      breaks: listOf(breakShape, 'The first 1,000 breaks of this part.'),
      next: Type.String({ description: 'Cursor of the next part; empty after the last.' }),
    },
    strict,
  ),
  examples: [{ title: 'All accounts', request: {} }],
})

export const listBreaks = defineOperation({
  ...operations,
  summary: 'List breaks',
  description:
    'Returns facts that do not agree with the books: accounts sold short by a sale of more than was held, lines that name something unknown, and facts that are missing.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    kind: optional(words(40, { description: 'Returns breaks of this kind.' })),
    ...orderMembers('breakSort', { by: 'accountNumber', mode: 'ascend' }),
    counted: counted(),
    ...pageOf({ sizeMax: limits.breaksPageSizeMax, sizeDefault: limits.breaksPageSizeMax }),
  }),
  data: Type.Object({ breaks: listOf(openBreakShape, 'The breaks of the page.'), total, next }, strict),
  examples: [
    { title: 'All of them', request: {} },
    { title: 'A few', request: { size: 10 } },
  ],
})

export const listPendingLines = defineOperation({
  audience: 'firm',
  scope: 'activity:read',
  origin: 'extension',
  summary: 'List pending lines',
  description:
    'Returns the lines of activity whose trade date is after the business date, with the corrections of such lines, in the order of the days from which they count. A pending line is in no balance, ' +
    'position or activity. The close that opens its day posts it.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    ...pageOf({ sizeMax: limits.pendingLinesPageSizeMax, sizeDefault: limits.pendingLinesPageSizeMax }),
  }),
  data: Type.Object(
    { lines: Type.Array(pendingLineShape, { description: 'The lines of the page.' }), next },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})
