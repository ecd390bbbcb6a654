import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep, submitOnboarding } from './decide-onboarding.ts'
import { defaultOnboardingSettings, jobKey } from './onboarding-event.ts'
import type { StageCode } from './onboarding-state.ts'
import type { StageOutcome } from './stage-outcome.ts'
import {
  accepted,
  addressed,
  askAddress,
  asked,
  askTwo,
  at,
  begin,
  created,
  ended,
  failed,
  later,
  play,
  refer,
  screened,
  statuses,
  type Then,
  unavailable,
} from './testing/play-events.ts'

const askField: StageOutcome = {
  kind: 'asked',
  requests: [{ code: 'FieldCorrection', field: 'primaryOwner.legalAddress', reason: 'A box.' }],
}

/** Columns: title, events, state, account status, stages in order (Success, Failed, - pending), the next stage. */
const cases: [string, Then[], string, string, string, StageCode | null][] = [
  ['the work begins with the identity', [begin], 'Screening', 'Pending', '------', 'IdentityCheck'],
  [
    'a passed check leads to the next check',
    [begin, ended('IdentityCheck')],
    'Screening',
    'Pending',
    'S-----',
    'WatchlistCheck',
  ],
  [
    'the last passed check leads to the creation',
    screened,
    'AccountCreation',
    'Pending',
    'SS----',
    'AccountCreation',
  ],
  [
    'the last step opens the account',
    [...addressed, ended('TrustedContact'), ended('ElectronicDelivery')],
    'CreationComplete',
    'Open',
    'SSSSSS',
    null,
  ],
  [
    'a failed identity check rejects the application',
    [begin, ended('IdentityCheck', failed('No.'))],
    'Rejected',
    'Rejected',
    'F-----',
    null,
  ],
  [
    'a failed watch-list check rejects the application',
    [begin, ended('IdentityCheck'), ended('WatchlistCheck', failed('Listed.'))],
    'Rejected',
    'Rejected',
    'SF----',
    null,
  ],
  [
    'a failed creation ends the application',
    [...screened, ended('AccountCreation', failed('No.'))],
    'CreationFailed',
    'Rejected',
    'SSF---',
    null,
  ],
  [
    'a failed trusted contact does not stop the opening',
    [...addressed, ended('TrustedContact', failed('No.')), ended('ElectronicDelivery')],
    'CreationComplete',
    'Open',
    'SSSSFS',
    null,
  ],
  [
    'a failed electronic delivery, which is the last step, does not stop the opening',
    [...addressed, ended('TrustedContact'), ended('ElectronicDelivery', failed('No.'))],
    'CreationComplete',
    'Open',
    'SSSSSF',
    null,
  ],
  [
    'a failed mailing address requests an answer from the firm',
    [...created, ended('MailingAddress', failed('No such street.'))],
    'ActionRequired',
    'Pending',
    'SSS---',
    null,
  ],
  [
    'a back end that does not respond is called again',
    [...screened, ended('AccountCreation', unavailable)],
    'AccountCreation',
    'Pending',
    'SS----',
    'AccountCreation',
  ],
  [
    'a response at the third attempt continues the application',
    [
      ...screened,
      ended('AccountCreation', unavailable),
      ended('AccountCreation', unavailable),
      ended('AccountCreation'),
    ],
    'AccountCreation',
    'Pending',
    'SSS---',
    'MailingAddress',
  ],
  [
    'a back end that never responds fails the creation',
    [...screened, ...Array(6).fill(ended('AccountCreation', unavailable))],
    'CreationFailed',
    'Rejected',
    'SSF---',
    null,
  ],
  [
    'a check that never responds fails the creation, without a rejection',
    [begin, ...Array(6).fill(ended('IdentityCheck', unavailable))],
    'CreationFailed',
    'Rejected',
    'F-----',
    null,
  ],
  [
    'a trusted contact without a response does not stop the opening',
    [...addressed, ...Array(6).fill(ended('TrustedContact', unavailable))],
    'AccountCreation',
    'Pending',
    'SSSSF-',
    'ElectronicDelivery',
  ],
  [
    'an optional last step without a response does not stop the opening',
    [...addressed, ended('TrustedContact'), ...Array(6).fill(ended('ElectronicDelivery', unavailable))],
    'CreationComplete',
    'Open',
    'SSSSSF',
    null,
  ],
  ['a check with a request waits for the firm', asked, 'ActionRequired', 'Pending', '------', null],
  [
    'an answer waits for its review',
    [...asked, { kind: 'follow-up-answered', followUpId: 'FU-1' }],
    'ActionRequired',
    'Pending',
    '------',
    null,
  ],
  [
    'an accepted answer resumes the check',
    [...asked, accepted],
    'Screening',
    'Pending',
    '------',
    'IdentityCheck',
  ],
  [
    'an accepted document is not requested again',
    [...asked, accepted, ended('IdentityCheck', askAddress)],
    'Screening',
    'Pending',
    'S-----',
    'WatchlistCheck',
  ],
  [
    'a waived request is not repeated',
    [
      ...asked,
      { kind: 'follow-up-waived', followUpId: 'FU-1', reason: 'Known.' },
      ended('IdentityCheck', askAddress),
    ],
    'Screening',
    'Pending',
    'S-----',
    'WatchlistCheck',
  ],
  [
    'a corrected field is checked again, and requested again while it is wrong',
    [begin, ended('IdentityCheck', askField), accepted, ended('IdentityCheck', askField)],
    'ActionRequired',
    'Pending',
    '------',
    null,
  ],
  [
    'another document is still requested',
    [...asked, accepted, ended('IdentityCheck', askTwo)],
    'ActionRequired',
    'Pending',
    '------',
    null,
  ],
  [
    'one of two answers does not resume the check',
    [begin, ended('IdentityCheck', askTwo), accepted],
    'ActionRequired',
    'Pending',
    '------',
    null,
  ],
  [
    'both answers resume the check',
    [begin, ended('IdentityCheck', askTwo), accepted, { kind: 'follow-up-accepted', followUpId: 'FU-2' }],
    'Screening',
    'Pending',
    '------',
    'IdentityCheck',
  ],
  [
    'a refused answer waits for another answer',
    [...asked, { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'EXPIRED' }],
    'ActionRequired',
    'Pending',
    '------',
    null,
  ],
  [
    'a corrected mailing address resumes the creation where it stopped',
    [...created, ended('MailingAddress', failed('No such street.')), { ...accepted, by: 'service' }],
    'AccountCreation',
    'Pending',
    'SSS---',
    'MailingAddress',
  ],
  [
    'a mailing address that fails again is requested again',
    [
      ...created,
      ended('MailingAddress', failed('No.')),
      { ...accepted, by: 'service' },
      ended('MailingAddress', failed('No.')),
    ],
    'ActionRequired',
    'Pending',
    'SSS---',
    null,
  ],
  [
    'an overdue answer leads to a review by operations',
    [...asked, { kind: 'follow-ups-expired', at: later(30) }],
    'ManualReview',
    'Pending',
    '------',
    null,
  ],
  [
    'operations can reject an application that waits for the firm',
    [...asked, { kind: 'rejected', reason: 'Forged.' }],
    'Rejected',
    'Rejected',
    'F-----',
    null,
  ],
  [
    'a possible match waits for operations',
    [begin, ended('IdentityCheck'), ended('WatchlistCheck', refer)],
    'ManualReview',
    'Pending',
    'S-----',
    null,
  ],
  [
    'an approval continues with the next stage',
    [
      begin,
      ended('IdentityCheck'),
      ended('WatchlistCheck', refer),
      { kind: 'approved', reason: 'Another person.' },
    ],
    'AccountCreation',
    'Pending',
    'SS----',
    'AccountCreation',
  ],
  [
    'an approval of the first check continues with the second',
    [begin, ended('IdentityCheck', refer), { kind: 'approved', reason: 'Known.' }],
    'Screening',
    'Pending',
    'S-----',
    'WatchlistCheck',
  ],
  [
    'an approval of the last step runs it again, because the day of the opening decides',
    [
      ...addressed,
      ended('TrustedContact'),
      ended('ElectronicDelivery', refer),
      { kind: 'approved', reason: 'Fine.' },
    ],
    'AccountCreation',
    'Pending',
    'SSSSS-',
    'ElectronicDelivery',
  ],
  [
    'the last step opens the account after its approval',
    [
      ...addressed,
      ended('TrustedContact'),
      ended('ElectronicDelivery', refer),
      { kind: 'approved', reason: 'Fine.' },
      ended('ElectronicDelivery'),
    ],
    'CreationComplete',
    'Open',
    'SSSSSS',
    null,
  ],
  [
    'a rejection in a review rejects the application',
    [begin, ended('IdentityCheck'), ended('WatchlistCheck', refer), { kind: 'rejected', reason: 'Listed.' }],
    'Rejected',
    'Rejected',
    'SF----',
    null,
  ],
  [
    'operations can request information from the firm in a review',
    [
      begin,
      ended('IdentityCheck', refer),
      { kind: 'information-requested', requests: askAddress.requests, reason: 'Where?' },
    ],
    'ActionRequired',
    'Pending',
    '------',
    null,
  ],
  [
    'an approval after an overdue answer runs the check again',
    [...asked, { kind: 'follow-ups-expired', at: later(31) }, { kind: 'approved', reason: 'Known.' }],
    'Screening',
    'Pending',
    '------',
    'IdentityCheck',
  ],
]

for (const [name, events, currentState, accountStatus, stages, runs] of cases) {
  test(name, () => {
    const { state, jobs, transition } = play(events)
    assert.equal(state.currentState, currentState)
    assert.equal(state.accountStatus, accountStatus)
    assert.equal(statuses(state), stages)
    assert.equal(transition.to, currentState)
    const run = jobs.find((job) => job.kind === 'run-stage')
    assert.equal(run?.stage ?? null, runs)
    if (run) assert.equal(run.run, state.run)
  })
}

test('attempts at a back end without a response wait longer each time, and are counted separately for each stage', () => {
  let step = play(screened)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 5; attempt++) {
    step = play([ended('AccountCreation', unavailable)], step.state)
    const job = step.jobs[0]
    assert.ok(job?.kind === 'run-stage')
    assert.equal(job.attempt, attempt + 1)
    waits.push(Date.parse(job.notBefore) - Date.parse(at))
  }
  assert.deepEqual(waits, defaultOnboardingSettings.retryDelaysMs)
  assert.equal(play([ended('AccountCreation')], step.state).state.attempt, 1)
})

test('a slow sandbox runs each stage later', () => {
  const next = nextStep(
    submitOnboarding(at).state,
    { kind: 'work-began', run: 1, at, by: 'service' },
    { ...defaultOnboardingSettings, stageDelayMs: 30_000 },
  )
  assert.ok('step' in next)
  assert.equal(next.step.jobs[0]?.notBefore, '2026-03-02T10:00:30.000Z')
})

test('an onboarding begins with one job, and its jobs have unique names', () => {
  const { state, jobs } = submitOnboarding(at)
  assert.equal(state.currentState, 'Submitted')
  assert.deepEqual(jobs.map(jobKey), ['begin:1'])
  assert.deepEqual(play([begin]).jobs.map(jobKey), ['run-stage:2'])
})
