import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OnboardingState } from './onboarding-state.ts'
import { certificatesDecided, waitsForDeath } from './owner-died.ts'
import {
  addressed,
  asked,
  begin,
  ended,
  failed,
  play,
  refer,
  screened,
  type Then,
} from './testing/play-events.ts'

const died: Then = { kind: 'owner-died', documentId: 'D1' }
const approved: Then = { kind: 'approved', reason: 'It is the certificate of a neighbor.' }
const look = { kind: 'referred', code: 'DuplicateReview', reason: 'Look.' } as const

function reviews({ followUps }: OnboardingState) {
  return followUps.flatMap(({ kind, status, certificate = '' }) =>
    kind === 'Review' ? [`${status} ${certificate}`] : [],
  )
}

test('a death refers an application in every state, and an approval repeats the stage that it interrupted', () => {
  const rows: [string, Then[], string, string][] = [
    ['Submitted', [], 'IdentityCheck', 'Screening'],
    ['Screening', [begin, ended('IdentityCheck')], 'WatchlistCheck', 'Screening'],
    ['ActionRequired', asked, 'IdentityCheck', 'Screening'],
    ['AccountCreation', screened, 'AccountCreation', 'AccountCreation'],
  ]
  for (const [name, before, stage, resumed] of rows) {
    const waits = play([...before, died])
    assert.deepEqual([waits.state.currentState, waits.state.stage], ['ManualReview', stage], name)
    assert.deepEqual(reviews(waits.state), ['Open D1'], name)
    assert.equal(waitsForDeath(waits.state), true)
    assert.match(waits.state.followUps.at(-1)?.reasons[0] ?? '', /D1 of an owner was approved.*OwnerDeceased/)
    assert.deepEqual(waits.jobs, [], name)
    const { state, jobs } = play([approved], waits.state)
    assert.deepEqual([state.currentState, state.stage], [resumed, stage], name)
    assert.deepEqual(
      jobs.map((job) => (job.kind === 'run-stage' ? job.stage : '')),
      [stage],
      name,
    )
    assert.deepEqual(certificatesDecided(state.followUps), ['D1'])
    assert.equal(waitsForDeath(state), false)
    assert.equal(
      play([{ kind: 'rejected', reason: 'The owner died.' }], waits.state).state.currentState,
      'Rejected',
    )
  }
})

test('a review that waits already is decided on together with the death, and its stage counts as passed', () => {
  const { state } = play([begin, ended('IdentityCheck'), ended('WatchlistCheck', refer), died])
  assert.deepEqual(reviews(state), ['Open ', 'Open D1'])
  const after = play([approved], state).state
  assert.deepEqual([after.currentState, after.stage], ['AccountCreation', 'AccountCreation'])
  assert.deepEqual(reviews(after), ['Accepted ', 'Accepted D1'])
})

test('the approval after a death does not decide on what the interrupted check finds', () => {
  const { state } = play([died, approved, ended('IdentityCheck', look)])
  assert.equal(state.currentState, 'ManualReview')
  assert.deepEqual(reviews(state), ['Accepted D1', 'Open '])
})

test('no stage leads on after a request for information that ended the review of the death', () => {
  const requests = [{ code: 'AddressDocument', field: 'primaryOwner', reason: 'Whose?' }] as const
  const { state } = play([
    ...addressed,
    ended('TrustedContact'),
    died,
    { kind: 'information-requested', requests, reason: '' },
    { kind: 'follow-up-answered', followUpId: 'FU-2' },
    { kind: 'follow-up-accepted', followUpId: 'FU-2' },
  ])
  assert.equal(state.currentState, 'AccountCreation')
  for (const outcome of [undefined, failed('No.', 'electronicDelivery')]) {
    const again: OnboardingState = play([ended('ElectronicDelivery', outcome)], state).state
    assert.equal(again.currentState, 'ManualReview')
    assert.deepEqual(reviews(again), ['Waived D1', 'Open D1'])
    const opened: OnboardingState = play([approved, ended('ElectronicDelivery', outcome)], again).state
    assert.equal(opened.currentState, 'CreationComplete')
    assert.deepEqual(certificatesDecided(opened.followUps), ['D1'])
  }
  const lost = play([ended('ElectronicDelivery', { kind: 'unavailable', reason: 'Timed out.' })], state).state
  assert.equal(lost.currentState, 'AccountCreation')
})

test('what a check asks for after the opening is kept, and each certificate is decided on', () => {
  const later = [{ code: 'W9Certification', field: 'primaryOwner', reason: 'Later.' }] as const
  const requests = [{ code: 'AddressDocument', field: 'primaryOwner', reason: 'Whose?' }] as const
  const twice: Then[] = [
    begin,
    died,
    { ...died, documentId: 'D2' },
    { kind: 'information-requested', requests, reason: '' },
    { kind: 'follow-up-accepted', followUpId: 'FU-3' },
    ended('IdentityCheck', { kind: 'succeeded', reason: '', later }),
  ]
  const { state } = play(twice)
  assert.deepEqual(reviews(state), ['Waived D1', 'Waived D2', 'Open D1'])
  assert.deepEqual(
    state.later?.map(({ code }) => code),
    ['W9Certification'],
  )
  const next = play([approved, ended('IdentityCheck')], state).state
  assert.deepEqual(reviews(next), ['Waived D1', 'Waived D2', 'Accepted D1', 'Open D2'])
})
