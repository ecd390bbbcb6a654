/** The records of a step: its reason, the errors of stages, and the rejections of impossible events. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reject } from '@clearing/protocol'
import { nextStep, submitOnboarding } from './decide-onboarding.ts'
import { defaultOnboardingSettings, type OnboardingEvent } from './onboarding-event.ts'
import { stageRules } from './onboarding-state.ts'
import { judgeWatchlist, succeeded } from './stage-outcome.ts'
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
  type Then,
  unavailable,
} from './testing/play-events.ts'
import { renderTransitions } from './transitions.ts'

test('a submitted application has six pending stages and no reason', () => {
  const { state } = submitOnboarding(at)
  assert.deepEqual(
    { ...state, stages: state.stages.map(({ code, ...rest }) => rest) },
    {
      currentState: 'Submitted',
      accountStatus: 'Pending',
      followUps: [],
      stage: null,
      run: 1,
      attempt: 1,
      reason: '',
      stages: Array(6).fill({ status: 'Pending', reason: '', errors: [] }),
    },
  )
})

test('a back end is called again after half a second, 2 s, 10 s, a minute and five minutes', () => {
  const { stageDelayMs, retryDelaysMs } = defaultOnboardingSettings
  assert.deepEqual([stageDelayMs, ...retryDelaysMs], [0, 500, 2000, 10_000, 60_000, 300_000])
})

test('the stages run in order, and each concerns a field or the whole application', () => {
  assert.deepEqual(
    stageRules.map(({ code, onFailure, field }) => [code, onFailure, field]),
    [
      ['IdentityCheck', 'Reject', ''],
      ['WatchlistCheck', 'Reject', ''],
      ['AccountCreation', 'Fail', ''],
      ['MailingAddress', 'Ask', 'mailingAddress'],
      ['TrustedContact', 'Continue', 'primaryOwner.trustedContact'],
      ['ElectronicDelivery', 'Continue', 'electronicDelivery'],
    ],
  )
})

describe('the reason of a step', () => {
  const table: [string, Then[], reason: string][] = [
    ['the start of the work', [begin], ''],
    ['a passed check', [begin, ended('IdentityCheck')], ''],
    ['a check with a request', asked, ''],
    ['an accepted answer', [...asked, accepted], ''],
    ['an answer under review', [...asked, { kind: 'follow-up-answered', followUpId: 'FU-1' }], ''],
    ['a failed check', [begin, ended('IdentityCheck', failed('No.'))], 'No.'],
    ['a back end without a response', [...screened, ended('AccountCreation', unavailable)], 'Timed out.'],
    [
      'an overdue answer',
      [...asked, { kind: 'follow-ups-expired', at: later(30) }],
      'A follow-up was not answered in time.',
    ],
  ]
  for (const [why, events, reason] of table)
    test(`after ${why} is ${reason === '' ? 'empty' : `"${reason}"`}`, () =>
      assert.equal(play(events).reason, reason))

  test('a stage that is entered again does not keep the reason of its last run', () => {
    const { state } = play([...created, ended('MailingAddress', failed('No such street.')), accepted])
    assert.deepEqual(
      state.stages.map(({ reason }) => reason),
      ['', '', '', '', '', ''],
    )
  })
})

describe('a failed mailing address', () => {
  const street = reject('ERR.4000', 'mailingAddress.street', 'No such street.')
  const table: [string, Then, errors: string[], asks: string[]][] = [
    [
      'without an error',
      ended('MailingAddress', failed('No.')),
      ['ERR.4000 mailingAddress No.'],
      ['mailingAddress'],
    ],
    [
      'with an error of no field',
      ended('MailingAddress', failed('No.', '')),
      ['ERR.4000  No.'],
      ['mailingAddress'],
    ],
    [
      'with an error of a field',
      ended('MailingAddress', { kind: 'failed', reason: 'No.', errors: [street] }),
      ['ERR.4000 mailingAddress.street No such street.'],
      ['mailingAddress.street'],
    ],
  ]
  for (const [why, event, errors, asks] of table) {
    test(`${why} requests a correction of ${asks.join()}`, () => {
      const { state, opened } = play([...created, event])
      const found = state.stages.flatMap((stage) => stage.errors)
      assert.deepEqual(
        found.map(({ code, field, reason }) => `${code} ${field} ${reason}`),
        errors,
      )
      assert.deepEqual(
        opened.map(({ field }) => field),
        asks,
      )
    })
  }

  test('a back end that never responds causes one error', () => {
    const { state } = play([...screened, ...Array(6).fill(ended('AccountCreation', unavailable))])
    assert.deepEqual(
      state.stages.flatMap((stage) => stage.errors),
      [reject('ERR.4000', '', 'Timed out.')],
    )
  })
  test('an application that operations reject keeps what was settled before, and waives the rest', () => {
    const { state } = play([
      begin,
      ended('IdentityCheck', askTwo),
      accepted,
      { kind: 'rejected', reason: 'Forged.' },
    ])
    assert.deepEqual(
      state.followUps.map(({ status }) => status),
      ['Accepted', 'Waived'],
    )
  })
  test('a review that was approved stays accepted when operations reject at a later one', () => {
    const { state } = play([
      begin,
      ended('IdentityCheck', { kind: 'referred', code: 'IdentityReview', reason: 'Unclear.' }),
      { kind: 'approved', reason: '' },
      ended('WatchlistCheck', refer),
      { kind: 'rejected', reason: 'Listed.' },
    ])
    assert.deepEqual(
      state.followUps.map(({ code, status }) => `${code} ${status}`),
      ['IdentityReview Accepted', 'WatchlistReview Rejected'],
    )
  })
  test('an application that operations reject names the stage in which it waited', () => {
    const { state } = play([
      ...created,
      ended('MailingAddress', refer),
      { kind: 'rejected', reason: 'Forged.' },
    ])
    assert.deepEqual(
      state.stages.flatMap((stage) => stage.errors),
      [reject('ERR.4000', 'mailingAddress', 'Forged.')],
    )
  })
})

describe('the attempts of a stage are counted from the beginning', () => {
  const silent = [...screened, ended('AccountCreation', unavailable)]
  const table: [string, Then[]][] = [
    ['after a request', [...silent, ended('AccountCreation', askAddress)]],
    ['after a review', [...silent, ended('AccountCreation', refer)]],
    ['after a failure', [...silent, ended('AccountCreation', failed('No.'))]],
    [
      'after the opening',
      [
        ...addressed,
        ended('TrustedContact'),
        ended('ElectronicDelivery', unavailable),
        ended('ElectronicDelivery'),
      ],
    ],
  ]
  for (const [why, events] of table) test(why, () => assert.equal(play(events).state.attempt, 1))
})

describe('an impossible event', () => {
  const answered: Then = { kind: 'follow-up-answered', followUpId: 'FU-1' }
  const due: Pick<OnboardingEvent, 'at'> = { at }
  const table: [string, Then[], OnboardingEvent, code: string, field: string, reason: string][] = [
    [
      'the wrong actor',
      asked,
      { kind: 'follow-up-refused', followUpId: 'FU-1', reason: '', ...due, by: 'firm' },
      'ERR.1003',
      '',
      'Only operations or service may do this: follow-up-refused.',
    ],
    [
      'the wrong state',
      [begin],
      { kind: 'approved', reason: '', ...due, by: 'operations' },
      'ERR.2010',
      '',
      'The application is in the state Screening. This is possible in the state ManualReview only.',
    ],
    [
      'work that is already done',
      [begin],
      { kind: 'stage-ended', stage: 'IdentityCheck', outcome: succeeded(), run: 1, ...due, by: 'service' },
      'ERR.2010',
      '',
      'This work is done already, or no longer due.',
    ],
    [
      'an unknown follow-up',
      asked,
      { kind: 'follow-up-accepted', followUpId: 'FU-9', ...due, by: 'operations' },
      'ERR.1015',
      'followUpId',
      'No follow-up of this account has this id.',
    ],
    [
      'a follow-up that is settled',
      [begin, ended('IdentityCheck', askTwo), accepted],
      { kind: 'follow-up-accepted', followUpId: 'FU-1', ...due, by: 'operations' },
      'ERR.2010',
      'followUpId',
      'This follow-up is accepted already.',
    ],
    [
      'an overdue date in the future',
      asked,
      { kind: 'follow-ups-expired', at: later(29), by: 'service' },
      'ERR.2010',
      '',
      'No follow-up is overdue.',
    ],
    [
      'a request without content',
      [begin, ended('IdentityCheck', refer)],
      { kind: 'information-requested', requests: [], reason: '', ...due, by: 'operations' },
      'ERR.1000',
      'requests',
      'What is asked must be given.',
    ],
  ]
  for (const [why, events, event, code, field, reason] of table) {
    test(`${why} is rejected with ${code} ${field}`, () => {
      const next = nextStep(play(events).state, event)
      assert.deepEqual('rejection' in next && next.rejection, { code, field, reason })
    })
  }

  test('one overdue follow-up leads to a review of all, and only that follow-up expires', () => {
    const state = play([begin, ended('IdentityCheck', askTwo), answered]).state
    const step = play([{ kind: 'follow-ups-expired', at: later(30) }], state)
    assert.deepEqual(
      step.state.followUps.map(({ code, status }) => `${code} ${status}`),
      ['AddressDocument Answered', 'TaxIdDocument Expired', 'IdentityReview Open'],
    )
  })
})

describe('a request', () => {
  const reasons = (
    ...given: [code: 'AddressDocument' | 'FieldCorrection', field: string, reason: string][]
  ) =>
    play([
      begin,
      ended('IdentityCheck', {
        kind: 'asked',
        requests: given.map(([code, field, reason]) => ({ code, field, reason })),
      }),
    ]).opened.map((one) => `${one.code} ${one.field}: ${one.reasons.join(' ')}`)

  test('for the same code and field is one follow-up with all reasons', () => {
    assert.deepEqual(
      reasons(
        ['AddressDocument', 'a', 'One.'],
        ['AddressDocument', 'b', 'Two.'],
        ['FieldCorrection', 'a', 'Three.'],
        ['AddressDocument', 'a', 'Four.'],
      ),
      ['AddressDocument a: One. Four.', 'AddressDocument b: Two.', 'FieldCorrection a: Three.'],
    )
  })

  test('is repeated by another stage, and after its answer was refused', () => {
    const byAnother = play([...asked, accepted, ended('IdentityCheck'), ended('WatchlistCheck', askAddress)])
    assert.equal(byAnother.opened.length, 1)
    const refused = play([
      ...asked,
      { kind: 'follow-ups-expired', at: later(30) },
      { kind: 'information-requested', requests: askAddress.requests, reason: 'Again.' },
      { kind: 'follow-up-accepted', followUpId: 'FU-3' },
      ended('IdentityCheck', askAddress),
    ])
    assert.equal(refused.state.currentState, 'Screening')
  })
})

test('matches are counted in a sentence', () => {
  const reason = (open: number) => {
    const outcome = judgeWatchlist({ open, confirmed: 0, unscreenable: 0 })
    return 'reason' in outcome ? outcome.reason : ''
  }
  assert.equal(reason(1), 'One possible match of a watch list.')
  assert.equal(reason(2), '2 possible matches of a watch list.')
  assert.equal(reason(0), '')
})

test('the diagram has one arrow for each pair of states with all its events, and marks the states that wait', () => {
  const lines = renderTransitions().split('\n')
  assert.ok(
    lines.includes('  Screening --> Screening: stage-succeeded (service)<br/>back-end-unavailable (service)'),
  )
  assert.deepEqual(lines.slice(-3), [
    '  classDef waiting stroke-dasharray: 4 4',
    '  class ActionRequired,ManualReview waiting',
    '',
  ])
})
