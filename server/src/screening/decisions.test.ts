import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CLEARANCE_DAYS,
  decisionInForce,
  isLikelyOrRestricting,
  partyFingerprint,
  type ScreeningDecision,
} from './decisions.ts'
import type { Match, ScreenedParty } from './match-names.ts'

const key = Buffer.alloc(32, 7)
const party: ScreenedParty = {
  kind: 'person',
  nameParts: ['Ruslan', 'Zerkalov'],
  birthDate: '1990-01-02',
  countries: ['US'],
  idNumbers: [{ number: '123-45-6789', country: 'US' }],
}
const fingerprint = partyFingerprint(party, key)
const match: Match = {
  entryId: '90001',
  entryVersion: 'v1',
  listVersion: 'SDN:1',
  score: 95,
  matchedName: 'ZERKALOV, Ruslan',
  programs: [],
  reasons: [],
}
const at = new Date('2026-01-10T12:00:00Z')
function days(count: number) {
  return new Date(at.getTime() + count * 86_400_000)
}
function decisionOn(
  { entryId, entryVersion, listVersion }: Match,
  outcome: ScreeningDecision['outcome'],
  decidedAt: Date = at,
): ScreeningDecision {
  return {
    partyFingerprint: fingerprint,
    entryId,
    entryVersion,
    listVersion,
    outcome,
    reason: 'Born 22 years later.',
    decidedBy: 'reviewer',
    decidedAt: decidedAt.toISOString(),
    expiresAt:
      outcome === 'confirmed'
        ? null
        : new Date(decidedAt.getTime() + CLEARANCE_DAYS * 86_400_000).toISOString(),
  }
}
const cleared = decisionOn(match, 'cleared')

type Outcome = ScreeningDecision['outcome'] | undefined

const cases: [string, Match, ScreeningDecision[], Date, Outcome][] = [
  ['a new match is open', match, [], days(1), undefined],
  ['a cleared match is not shown', match, [cleared], days(1), 'cleared'],
  [
    'a newer list with the same entry changes no decision',
    { ...match, listVersion: 'SDN:2', score: 90 },
    [cleared],
    days(1),
    'cleared',
  ],
  ['a changed entry is shown again', { ...match, entryVersion: 'v2' }, [cleared], days(1), undefined],
  [
    'the decision is valid until the last moment before expiry',
    match,
    [cleared],
    new Date(days(CLEARANCE_DAYS).getTime() - 1),
    'cleared',
  ],
  ['an expired clearance is shown again', match, [cleared], days(CLEARANCE_DAYS), undefined],
  [
    'a clearance does not apply to another entry',
    { ...match, entryId: '90002' },
    [cleared],
    days(1),
    undefined,
  ],
  [
    'a confirmed match stays confirmed, even if the entry changes',
    { ...match, entryVersion: 'v2' },
    [decisionOn(match, 'confirmed')],
    days(9000),
    'confirmed',
  ],
  [
    'the latest decision counts, in every order of the rows',
    match,
    [decisionOn(match, 'confirmed', days(2)), cleared],
    days(3),
    'confirmed',
  ],
  [
    'a second clearance renews the first',
    match,
    [cleared, decisionOn(match, 'cleared', days(CLEARANCE_DAYS))],
    days(CLEARANCE_DAYS + 1),
    'cleared',
  ],
]

for (const [name, found, decisions, now, outcome] of cases) {
  test(name, () => assert.equal(decisionInForce(found, decisions, fingerprint, now)?.outcome, outcome))
}

const changes: [string, Partial<ScreenedParty>, boolean][] = [
  ['the name in another case and with accents', { nameParts: ['RUSLÁN', 'zerkalov'] }, true],
  ['the document in another spelling', { idNumbers: [{ number: '123 456 789', country: 'US' }] }, true],
  ['another name', { nameParts: ['Timur', 'Zerkalov'] }, false],
  ['another birth date', { birthDate: '1968-08-12' }, false],
  ['another country', { countries: ['RU'] }, false],
  ['another document', { idNumbers: [] }, false],
]

for (const [name, change, same] of changes) {
  test(`${name} is ${same ? 'the same' : 'another'} party`, () => {
    const changed = partyFingerprint({ ...party, ...change }, key)
    assert.equal(changed === fingerprint, same)
    assert.equal(decisionInForce(match, [cleared], changed, days(1)), same ? cleared : undefined)
  })
}

test('a fingerprint reveals nothing without the key', () => {
  assert.notEqual(partyFingerprint(party, Buffer.alloc(32, 8)), fingerprint)
  assert.match(fingerprint, /^[0-9a-f]{64}$/)
})

const clearances: [number, string | null, boolean][] = [
  [94, null, false],
  [95, null, true],
  [94, 'a restriction', true],
]

for (const [score, restriction, needed] of clearances) {
  const what = restriction === null ? 'no account' : 'an account'
  test(`clearing a match of score ${score} that restricts ${what} ${needed ? 'needs' : 'does not need'} a second person`, () =>
    assert.equal(isLikelyOrRestricting({ score, restriction_id: restriction }), needed))
}
