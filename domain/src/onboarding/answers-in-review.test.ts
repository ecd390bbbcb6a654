import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep } from './decide-onboarding.ts'
import type { OnboardingEvent } from './onboarding-event.ts'
import type { OnboardingState } from './onboarding-state.ts'
import { at, begin, ended, later, play, type Then } from './testing/play-events.ts'

const ask: Then = ended('IdentityCheck', {
  kind: 'asked',
  requests: [
    { code: 'AddressDocument', field: 'primaryOwner.legalAddress', reason: 'Not verified.' },
    { code: 'TaxIdDocument', field: 'primaryOwner.taxIdNumber', reason: 'Not verified.' },
    { code: 'FieldCorrection', field: 'primaryOwner.lastName', reason: 'Not a name.' },
  ],
})
const document = { documentId: 'D1', fields: [], text: '' }
const sent: Then = { kind: 'follow-up-answered', followUpId: 'FU-1', answer: document }
const late: Then[] = [begin, ask, sent, { kind: 'follow-ups-expired', at: later(30) }]
const approved: Then = { kind: 'approved', reason: 'Known.' }
const passport = [{ code: 'IdentityDocument', field: 'primaryOwner', reason: 'A passport.' }] as const
const requested: Then = { kind: 'information-requested', requests: passport, reason: '' }

function shown({ currentState, followUps }: OnboardingState) {
  return [currentState, ...followUps.map(({ id, status }) => `${id} ${status}`)].join(' ')
}
function whyRefused(state: OnboardingState, event: OnboardingEvent) {
  const next = nextStep(state, event)
  return 'rejection' in next ? next.rejection.reason : ''
}

test('a decision on a document settles its follow-up while operations decide on the application', () => {
  const rows: [string, Then[], string][] = [
    [
      'approved',
      [{ kind: 'follow-up-accepted', followUpId: 'FU-1' }],
      'ManualReview FU-1 Accepted FU-2 Expired FU-3 Expired FU-4 Open',
    ],
    [
      'rejected',
      [{ kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'Blurry.' }],
      'ManualReview FU-1 Rejected FU-2 Expired FU-3 Expired FU-4 Open',
    ],
    [
      'rejected, and sent again',
      [{ kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'Blurry.' }, sent],
      'ManualReview FU-1 Answered FU-2 Expired FU-3 Expired FU-4 Open',
    ],
    [
      'rejected, and explained',
      [
        { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'Blurry.' },
        {
          kind: 'follow-up-answered',
          followUpId: 'FU-1',
          answer: { ...document, documentId: '', text: 'No.' },
        },
      ],
      'ManualReview FU-1 Answered FU-2 Expired FU-3 Expired FU-4 Open',
    ],
    [
      'the late document comes',
      [{ ...sent, followUpId: 'FU-2' } as Then],
      'ManualReview FU-1 Answered FU-2 Answered FU-3 Expired FU-4 Open',
    ],
  ]
  for (const [name, events, wanted] of rows)
    assert.equal(shown(play([...late, ...events]).state), wanted, name)
})

test('a written answer that comes during the review opens no other review', () => {
  const explained: Then = {
    kind: 'follow-up-answered',
    followUpId: 'FU-1',
    answer: { documentId: '', fields: [], text: 'She moved.' },
  }
  const { state, transition } = play([begin, ask, { kind: 'owner-died', documentId: 'D9' }, explained])
  assert.equal(transition.event, 'follow-up-explained')
  assert.equal(state.followUps.filter(({ kind }) => kind === 'Review').length, 1)
})

test('a late field is not answered any more, a late document after a decision neither, and a review never', () => {
  const { state } = play(late)
  const answer = (followUpId: string): OnboardingEvent => ({
    kind: 'follow-up-answered',
    followUpId,
    answer: document,
    at,
    by: 'firm',
  })
  assert.equal(whyRefused(state, answer('FU-3')), 'This follow-up is expired already.')
  assert.equal(whyRefused(state, answer('FU-2')), '')
  const asked = play([requested], state).state
  assert.equal(whyRefused(asked, answer('FU-2')), 'This follow-up is expired already.')
  for (const kind of ['follow-up-answered', 'follow-up-accepted'] as const)
    assert.equal(
      whyRefused(state, { kind, followUpId: 'FU-4', at, by: 'operations' }),
      'Operations decide on this follow-up with the application.',
    )
})

test('after a request for information, the application continues with the last answer', () => {
  const accepted: Then = { kind: 'follow-up-accepted', followUpId: 'FU-1' }
  const { state } = play([...late, accepted, requested])
  assert.equal(state.currentState, 'ActionRequired')
  const next = play([{ kind: 'follow-up-accepted', followUpId: 'FU-5' }], state)
  assert.equal(next.state.currentState, 'Screening')
})

test('the approval after late answers runs the check again, also if every answer has come', () => {
  const settled: Then[] = [
    begin,
    ended('IdentityCheck', {
      kind: 'asked',
      requests: [{ code: 'TaxIdDocument', field: 'primaryOwner.taxIdNumber', reason: 'Not verified.' }],
    }),
    { kind: 'follow-ups-expired', at: later(30) },
    { kind: 'follow-up-accepted', followUpId: 'FU-1' },
  ]
  const { state, jobs } = play([...settled, approved])
  assert.deepEqual(
    [state.currentState, state.stage, jobs.map((job) => job.kind === 'run-stage' && job.stage)],
    ['Screening', 'IdentityCheck', ['IdentityCheck']],
  )
  // What the check itself refers is decided on by the approval.
  const referred = { kind: 'referred', code: 'IdentityReview', reason: 'Look.' } as const
  const passed = play([begin, ended('IdentityCheck', referred), approved])
  assert.equal(passed.state.stage, 'WatchlistCheck')
})
