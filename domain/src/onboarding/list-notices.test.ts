import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submitOnboarding } from './decide-onboarding.ts'
import { listNotices } from './list-notices.ts'
import {
  accepted,
  addressed,
  asked,
  at,
  begin,
  ended,
  failed,
  play,
  refer,
  screened,
  type Then,
} from './testing/play-events.ts'

test('notices report stages, follow-ups and changes of state', () => {
  const types = (events: Then[]) => play(events).notices.map(({ type }) => type)
  assert.deepEqual(types([begin]), [])
  assert.deepEqual(types(asked), ['followup.opened', 'application.action_required'])
  assert.deepEqual(types([...asked, { kind: 'follow-up-answered', followUpId: 'FU-1' }]), [
    'followup.answered',
  ])
  assert.deepEqual(types([...asked, accepted]), ['followup.accepted', 'application.resumed'])
  assert.deepEqual(types(screened), ['application.stage.completed', 'application.approved'])
  assert.deepEqual(types([begin, ended('IdentityCheck')]), ['application.stage.completed'])
  assert.deepEqual(
    types([
      begin,
      ended('IdentityCheck'),
      ended('WatchlistCheck', refer),
      { kind: 'approved', reason: 'Another person.' },
    ]),
    ['application.stage.completed', 'followup.accepted', 'application.approved'],
  )
  assert.deepEqual(types([...addressed, ended('TrustedContact'), ended('ElectronicDelivery')]), [
    'application.stage.completed',
    'account.opened',
  ])
  assert.deepEqual(types([...screened, ended('AccountCreation', failed('No.'))]), [
    'application.stage.failed',
    'application.failed',
  ])
})

test('a follow-up or a stage that did not change raises no notice', () => {
  for (const { state } of [play(asked), play([...screened, ended('AccountCreation', failed('No.'))])]) {
    assert.deepEqual(listNotices(state, state), [])
  }
})

test('a stage that becomes pending again raises no notice', () => {
  const { state } = play([begin, ended('IdentityCheck')])
  const again = { ...state, stages: submitOnboarding(at).state.stages }
  assert.deepEqual(listNotices(state, again), [])
})
