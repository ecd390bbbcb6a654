/** Decisions of operations on applications, documents and watch-list matches; in the sandbox client firms may take them too. */
import Type from 'typebox'
import { accountNumber, block, code, date, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { documentDetailShape } from '../shapes/document.ts'
import { onboardingResultShape } from '../shapes/onboarding.ts'
import { exampleAccount, exampleIds, watchListExample } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

export const decideOnboarding = defineOperation({
  ...operations,
  inSandbox: 'accounts:write',
  summary: 'Decide on an application',
  description:
    'Approves or rejects an application that waits in ManualReview; the work then goes on by itself. Matches of watch lists are decided one by one, with ' +
    'decide-match: while one is open, an approval is ERR.2010 and names it.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    decision: code('decision'),
    reason: optional(words(limits.noteLengthMax)),
  }),
  data: onboardingResultShape,
  examples: [
    {
      title: 'The identity is right',
      request: {
        accountNumber: exampleAccount,
        decision: 'Approved',
        reason: 'The passport and the record agree.',
      },
      yours: { accountNumber: 'new-account' },
    },
  ],
})

export const decideDocument = defineOperation({
  ...operations,
  inSandbox: 'documents:write',
  summary: 'Decide on a document',
  description:
    'Approves a document, or rejects it with a code. A follow-up that it answers is accepted or opened again.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    documentId: words(36),
    decision: code('decision'),
    rejectionCode: optional(code('documentRejectionCode')),
    reason: optional(words(limits.noteLengthMax)),
  }),
  data: documentDetailShape,
  examples: [
    {
      title: 'A blurred scan',
      request: {
        accountNumber: '30100001',
        documentId: exampleIds.document,
        decision: 'Rejected',
        rejectionCode: 'BLURRY',
        reason: 'The date can not be read.',
      },
      yours: { documentId: 'add-document' },
    },
  ],
})

const matchShape = Type.Object(
  {
    matchId: Type.String(),
    accountNumber: Type.String(),
    customerId: Type.String(),
    entryId: Type.String(),
    listVersion: Type.String(),
    score: Type.Integer(),
    matchedName: Type.String(),
    field: Type.String({
      description: 'Where the name or address stands in the record; empty for older matches.',
    }),
    changeId: Type.String({ description: 'The change that waits for the decision; empty for none.' }),
    reasons: Type.Array(
      Type.Object({ field: Type.String(), outcome: Type.String(), detail: Type.String() }, strict),
    ),
    decision: Type.String({
      description:
        'Open, Cleared, Confirmed; or Dropped when the change was refused or taken back, or the record changed, before it was decided.',
    }),
    clearanceChangeId: Type.String({
      description: 'The change by which a second person is asked to clear it; empty for none.',
    }),
    decidedBy: Type.String(),
    decidedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    reason: Type.String({ description: 'Of the decision.' }),
    expiresOn: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
  },
  strict,
)

export const listMatches = defineOperation({
  ...operations,
  summary: 'Watch-list matches of an account',
  description: 'Each possible match with its score, the reasons field by field, and what was decided.',
  writes: false,
  request: block({ accountNumber: accountNumber() }),
  data: Type.Object({ matches: Type.Array(matchShape) }, strict),
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})

export const decideMatch = defineOperation({
  ...operations,
  summary: 'Decide on a watch-list match',
  description:
    'Clears a match until a date, so that the same pair is not shown again, or confirms it. When the last match of an application is cleared it goes on; when the last ' +
    'of a change is, the change takes effect, unless a second person is still asked. A confirmed match rejects the application; of an open account it refuses the change and ' +
    'restricts the account (Sanctions). A person clears a match from a score of 95 on with a second person: `clearanceChangeId` is then the change to approve.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    matchId: words(36),
    decision: code('matchDecision'),
    reason: words(limits.noteLengthMax),
    expiresOn: optional(date()),
  }),
  data: matchShape,
  examples: [
    {
      title: 'Another person',
      request: {
        accountNumber: exampleAccount,
        matchId: exampleIds.match,
        decision: 'Cleared',
        reason: 'Born in another year, in another country.',
      },
      yours: { accountNumber: 'list-work', matchId: 'list-matches' },
    },
  ],
})

export const loadWatchList = defineOperation({
  ...operations,
  summary: 'Load a watch list',
  description:
    'The lines of a list in the layout of the OFAC SDN file (`sdn.csv`); `part` names which of the three files the body is. ' +
    'The list becomes the one that is screened against when its `sdn` part is loaded. What it gained is compared with the names of all open accounts: an exact name with its birth ' +
    'date or a document restricts the account at once (IdentityUnderReview), and every match waits for a decision.',
  writes: true,
  body: 'lines',
  request: block({ listName: words(40), part: optional(code('watchListPart')) }),
  data: Type.Object(
    {
      listName: Type.String(),
      listVersion: Type.String(),
      received: Type.Integer(),
      accepted: Type.Integer(),
      rejected: Type.Integer(),
      gained: Type.Integer({ description: 'Entries that are new or say something else than before.' }),
      rejects: Type.Array(
        Type.Object(
          { line: Type.Integer(), code: Type.String(), field: Type.String(), reason: Type.String() },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [
    {
      title: 'A list of one person',
      request: { listName: 'OWN', part: 'sdn' },
      lines: watchListExample,
    },
  ],
})
