/** Operations on watch-list matches. In the sandbox client firms may call them too. */
import Type from 'typebox'
import { listOf } from '../answered-values.ts'
import { accountNumber, block, code, date, earliest, latest, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { comparedMatchShape, matchShape } from '../shapes/match.ts'
import { exampleAccount, exampleIds } from './examples.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

const found = 'day on which the match was found'
const decided = 'day on which it was decided'

export const listMatches = defineOperation({
  ...operations,
  summary: 'List watch-list matches',
  description:
    'Returns possible matches with their score, the reasons for each field, the entry of the list to compare with, and the decision. With `accountNumber`, one page has all ' +
    'matches of the account that pass the filters, the likeliest first. Otherwise returns the matches of all accounts, the newest first, page by page. Days are in US Eastern time, and both ends ' +
    'of a range are included. A match that was opened again has its last decision; the audit trail has all.',
  writes: false,
  request: block({
    accountNumber: optional(
      accountNumber({ description: 'Returns matches of this account only, all on one page.' }),
    ),
    firmId: optional(firmId()),
    decision: optional(code('matchState', { description: 'Returns matches with this decision only.' })),
    foundFrom: optional(earliest(found)),
    foundTo: optional(latest(found)),
    decidedFrom: optional(earliest(decided)),
    decidedTo: optional(latest(decided)),
    ...pageOf(),
  }),
  data: Type.Object({ matches: listOf(comparedMatchShape, 'The matches of the page.'), next }, strict),
  examples: [
    { title: 'By account number', request: { accountNumber: '30100001' } },
    {
      title: 'The matches of a quarter with their decisions',
      request: { foundFrom: '2026-01-01', foundTo: '2026-03-31', size: 100 },
    },
  ],
})

export const decideMatch = defineOperation({
  ...operations,
  summary: 'Decide on a watch-list match',
  description:
    'Clears a match until a date, so that the same pair is not reported again, or confirms it. When the last match of an application is cleared, its onboarding ' +
    'continues. When the last match of a change is cleared, the change takes effect, unless it still needs a second person. A confirmed match rejects the ' +
    'application; on an open account it rejects the change and restricts the account (Sanctions). The other accounts of the confirmed person, at all firms, follow. A person can clear a match with a score of 95 or more only with ' +
    'the approval of a second person: `clearanceChangeId` then names the change to approve.',
  writes: true,
  request: block({
    accountNumber: accountNumber(),
    matchId: words(36, { description: 'ID of the match, as list-matches returns it.' }),
    decision: code('matchDecision', { description: 'Whether the match is cleared or confirmed.' }),
    reason: words(limits.noteLengthMax, { description: 'The reason of the decision. It is audited.' }),
    expiresOn: optional(
      date({
        description:
          'The day with whose beginning in US Eastern time the clearance ends; it is after today. The default is 365 days from now.',
      }),
    ),
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
