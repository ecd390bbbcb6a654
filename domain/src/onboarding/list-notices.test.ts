import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accepted,
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
