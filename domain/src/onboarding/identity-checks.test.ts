// The outcome of the stage IdentityCheck from the findings of account policy, and the outcome of screening.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../account/policy/finding.ts'
import { findOnApplication, type IdentityCase, judgeIdentity } from './identity-checks.ts'
import { type FollowUpRequest, judgeWatchlist } from './stage-outcome.ts'

const found: IdentityCase = { policy: [], possibleDuplicates: 0, duplicatePolicy: 'Flag' }
const finding: Finding = {
  rule: 'UsOwnerCertified',
  source: 'The authority.',
  code: '',
  effect: 'ask',
  field: 'primaryOwner',
  reason: 'Not certified.',
  asks: 'W9Certification',
  holdsUp: false,
}
const held: Finding = { ...finding, holdsUp: true }
const reviewed: Finding = { ...finding, effect: 'review' }

/** Columns: the findings, the outcome of the stage, and the follow-ups after the opening. */
const cases: [what: string, change: Partial<IdentityCase>, outcome: string, later: string][] = [
  ['nothing', {}, 'succeeded ', ''],
  ['a request before the opening', { policy: [held] }, 'asked W9Certification primaryOwner', ''],
  [
    'a request before and one after the opening',
    { policy: [held, { ...finding, field: 'associatedParties[0]' }] },
    'asked W9Certification primaryOwner',
    'W9Certification associatedParties[0]',
  ],
  ['a request after the opening', { policy: [finding] }, 'succeeded ', 'W9Certification primaryOwner'],
  ['a review', { policy: [reviewed] }, 'referred IdentityReview Not certified.', ''],
  [
    'a review and a request after the opening',
    { policy: [reviewed, finding] },
    'referred IdentityReview Not certified.',
    'W9Certification primaryOwner',
  ],
  [
    'two reviews, one of them twice',
    { policy: [reviewed, reviewed, { ...reviewed, reason: 'Unclear.' }] },
    'referred IdentityReview Not certified. Unclear.',
    '',
  ],
  ['a note', { policy: [{ ...finding, effect: 'note' }] }, 'succeeded Not certified.', ''],
  ['a refusal', { policy: [{ ...finding, effect: 'refuse' }] }, 'succeeded ', ''],
  [
    'a refusal that came before the application',
    { policy: [{ ...finding, effect: 'refuse', code: 'ERR.1015' }] },
    'succeeded ',
    '',
  ],
  ['a restriction', { policy: [{ ...finding, effect: 'restrict' }] }, 'succeeded ', ''],
  ['a duplicate', { possibleDuplicates: 1 }, 'succeeded Possible duplicate of an account.', ''],
  [
    'a duplicate that is reviewed',
    { possibleDuplicates: 2, duplicatePolicy: 'Review' },
    'referred DuplicateReview The same person already has an account of this registration type.',
    '',
  ],
  [
    'a duplicate and another review',
    { policy: [reviewed], possibleDuplicates: 1, duplicatePolicy: 'Review' },
    'referred IdentityReview Not certified. The same person already has an account of this registration type.',
    '',
  ],
  [
    'a duplicate that is refused',
    { possibleDuplicates: 1, duplicatePolicy: 'Refuse' },
    'failed ERR.2012 primaryOwner.taxIdNumber PossibleDuplicate',
    '',
  ],
  [
    'a request to the firm, which precedes a review,',
    { policy: [held], possibleDuplicates: 1, duplicatePolicy: 'Review' },
    'asked W9Certification primaryOwner',
    '',
  ],
  [
    'a refused duplicate, which precedes all others,',
    { policy: [held], possibleDuplicates: 1, duplicatePolicy: 'Refuse' },
    'failed ERR.2012 primaryOwner.taxIdNumber PossibleDuplicate',
    '',
  ],
]

for (const [what, change, expected, later] of cases) {
  test(`${what} has the outcome: ${expected}`, () => {
    const outcome = judgeIdentity(findOnApplication({ ...found, ...change }))
    const names = (requests: readonly FollowUpRequest[]) =>
      requests.map(({ code, field }) => `${code} ${field}`).join(', ')
    const result =
      outcome.kind === 'asked'
        ? names(outcome.requests)
        : outcome.kind === 'referred'
          ? `${outcome.code} ${outcome.reason}`
          : outcome.kind === 'failed'
            ? outcome.errors.map(({ code, field, rule }) => `${code} ${field} ${rule}`).join(', ')
            : outcome.reason
    assert.equal(`${outcome.kind} ${result}`, expected)
    const last = outcome.kind === 'asked' ? (outcome.otherwise ?? assert.fail()) : outcome
    assert.equal('later' in last ? names(last.later ?? []) : '', later)
    if (last.kind === 'succeeded') assert.equal('later' in last, later !== '')
  })
}

test('a review names the rules that caused it', () => {
  const outcome = judgeIdentity([reviewed, finding])
  assert.deepEqual(outcome.kind === 'referred' && outcome.found, [
    { rule: 'UsOwnerCertified', field: 'primaryOwner', reason: 'Not certified.' },
  ])
})

const findings: [number, number, number, string][] = [
  [0, 0, 0, 'succeeded'],
  [1, 0, 0, 'referred'],
  [0, 0, 1, 'referred'],
  [3, 1, 0, 'failed'],
]

for (const [open, confirmed, unscreenable, kind] of findings) {
  test(`${open} open and ${confirmed} confirmed matches and ${unscreenable} unscreenable names have the outcome ${kind}`, () => {
    assert.equal(judgeWatchlist({ open, confirmed, unscreenable }).kind, kind)
  })
}
