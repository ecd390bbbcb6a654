import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep } from './decide-onboarding.ts'
import type { OnboardingEvent } from './onboarding-event.ts'
import { succeeded } from './stage-outcome.ts'
import {
  accepted,
  asked,
  askTwo,
  at,
  begin,
  ended,
  failed,
  later,
  play,
  refer,
  type Then,
} from './testing/play-events.ts'

test('a job that reports late or twice is rejected', () => {
  const { state } = play([begin])
  const report = {
    kind: 'stage-ended',
    stage: 'IdentityCheck',
    outcome: succeeded(),
    at,
    by: 'service',
  } as const
  const once = nextStep(state, { ...report, run: state.run })
  assert.ok('step' in once)
  for (const run of [state.run, state.run - 1]) {
    const again = nextStep(once.step.state, { ...report, run })
    assert.ok('rejection' in again && again.rejection.code === 'ERR.2010')
  }
  const wrongStage = nextStep(state, { ...report, run: state.run, stage: 'WatchlistCheck' })
  assert.ok('rejection' in wrongStage)
})

const refusals: [string, Then[], OnboardingEvent, string][] = [
  [
    'a firm cannot approve its own application',
    [begin, ended('IdentityCheck', refer)],
    { kind: 'approved', reason: '', at, by: 'firm' },
    'ERR.1003',
  ],
  [
    'a firm cannot accept its own answer',
    asked,
    { kind: 'follow-up-accepted', followUpId: 'FU-1', at, by: 'firm' },
    'ERR.1003',
  ],
  [
    'an application cannot be approved while the checks run',
    [begin],
    { kind: 'approved', reason: '', at, by: 'operations' },
    'ERR.2010',
  ],
  [
    'an unknown follow-up is rejected',
    asked,
    { kind: 'follow-up-answered', followUpId: 'FU-9', at, by: 'firm' },
    'ERR.1015',
  ],
  [
    'a follow-up cannot be settled twice',
    [begin, ended('IdentityCheck', askTwo), accepted],
    { kind: 'follow-up-accepted', followUpId: 'FU-1', at, by: 'operations' },
    'ERR.2010',
  ],
  [
    'a follow-up cannot expire before its due date',
    asked,
    { kind: 'follow-ups-expired', at: later(29), by: 'service' },
    'ERR.2010',
  ],
  [
    'a request for information needs a request',
    [begin, ended('IdentityCheck', refer)],
    { kind: 'information-requested', requests: [], reason: '', at, by: 'operations' },
    'ERR.1000',
  ],
  [
    'a final state accepts no event',
    [begin, ended('IdentityCheck', failed('No.'))],
    { kind: 'approved', reason: '', at, by: 'operations' },
    'ERR.2010',
  ],
]

for (const [name, events, event, code] of refusals) {
  test(name, () => {
    const next = nextStep(play(events).state, event)
    assert.ok('rejection' in next)
    assert.equal(next.rejection.code, code)
  })
}
