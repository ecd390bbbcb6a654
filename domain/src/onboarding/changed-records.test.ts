/** A change of the record of an application: the stages that passed the former record run again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Found, type StageOutcome, succeeded } from './stage-outcome.ts'
import {
  accepted,
  addressed,
  askAddress,
  asked,
  begin,
  created,
  ended,
  failed,
  later,
  play,
  refer,
  statuses,
  type Then,
} from './testing/play-events.ts'

const changed: Then = { kind: 'record-changed' }
const approved: Then = { kind: 'approved', reason: 'It is so.' }
const correction = { code: 'FieldCorrection', field: 'primaryOwner.birthDate', reason: 'Which?' } as const
const request: Then = { kind: 'information-requested', requests: [correction], reason: '' }
const mailingAsked = [...created, ended('MailingAddress', failed('No such street.', 'mailingAddress'))]
const watchlistReferred = [begin, ended('IdentityCheck'), ended('WatchlistCheck', refer)]
const lastAsked = [
  ...addressed,
  ended('TrustedContact'),
  ended('ElectronicDelivery', { kind: 'asked', requests: [correction] }),
]

describe('after a change of the record, the application continues', () => {
  const table: [string, Then[], stage: string, stages: string][] = [
    [
      'with the identity, from the watch list',
      [...watchlistReferred, request, changed, { kind: 'follow-up-accepted', followUpId: 'FU-2' }],
      'IdentityCheck',
      '------',
    ],
    [
      'with the identity, from the mailing address',
      [...mailingAsked, changed, accepted],
      'IdentityCheck',
      '------',
    ],
    ['with the identity, from the last stage', [...lastAsked, changed, accepted], 'IdentityCheck', '------'],
    [
      'with the identity, if the request is waived instead',
      [...lastAsked, changed, { kind: 'follow-up-waived', followUpId: 'FU-1', reason: 'Known.' }],
      'IdentityCheck',
      '------',
    ],
    [
      'with the identity, if the answer is late and operations approve',
      [...mailingAsked, changed, { kind: 'follow-ups-expired', at: later(30) }, approved],
      'IdentityCheck',
      '------',
    ],
    [
      'with the identity, if it changed during the review',
      [...watchlistReferred, changed, approved],
      'IdentityCheck',
      '------',
    ],
    ['with the identity that asked', [...asked, changed, accepted], 'IdentityCheck', '------'],
    ['with the stage that asked if nothing changed', [...mailingAsked, accepted], 'MailingAddress', 'SSS---'],
  ]
  for (const [what, events, stage, stages] of table) {
    test(what, () => {
      const { state, jobs } = play(events)
      assert.equal(state.stage, stage)
      assert.equal(statuses(state), stages)
      assert.deepEqual(
        jobs.map((job) => job.kind === 'run-stage' && job.stage),
        [stage],
      )
    })
  }

  test('and passes the stages in their order, the one that asked among them', () => {
    const { state } = play([
      ...mailingAsked,
      changed,
      accepted,
      ended('IdentityCheck'),
      ended('WatchlistCheck'),
      ended('AccountCreation'),
    ])
    assert.equal(state.stage, 'MailingAddress')
    assert.equal(statuses(state), 'SSS---')
  })
})

test('a change opens no event for the firm, and the application resumes once', () => {
  const step = play([...mailingAsked, changed])
  assert.deepEqual(step.notices, [])
  const { notices } = play([accepted], step.state)
  assert.deepEqual(
    notices.map(({ type }) => type),
    ['followup.accepted', 'application.resumed'],
  )
})

describe('the identity runs again after a change', () => {
  const box: Found = {
    rule: 'AddressIsPlace',
    field: 'primaryOwner.legalAddress',
    reason: 'No place.',
    about: 'a',
  }
  const referred = (...found: Found[]): StageOutcome => ({
    kind: 'referred',
    code: 'IdentityReview',
    reason: 'No place.',
    found,
  })
  const reviewed = [
    begin,
    ended('IdentityCheck', referred(box)),
    approved,
    ended('WatchlistCheck'),
    ended('AccountCreation'),
    ended('MailingAddress', failed('No such street.', 'mailingAddress')),
    changed,
    { kind: 'follow-up-accepted', followUpId: 'FU-2' } as Then,
  ]
  const table: [string, StageOutcome, string][] = [
    ['what operations approved stays approved', referred(box), 'WatchlistCheck'],
    ['another value of the same field is reviewed', referred({ ...box, about: 'b' }), 'IdentityCheck'],
    ['a further finding is reviewed', referred(box, { ...box, rule: 'NameIsName' }), 'IdentityCheck'],
    [
      'a finding of another field is reviewed',
      referred({ ...box, field: 'mailingAddress' }),
      'IdentityCheck',
    ],
    [
      'a value that an earlier release did not store is the same',
      referred(withoutAbout(box)),
      'WatchlistCheck',
    ],
  ]
  for (const [what, outcome, stage] of table)
    test(what, () => assert.equal(play([...reviewed, ended('IdentityCheck', outcome)]).state.stage, stage))

  test('a finding for which operations requested information is not approved by an earlier approval', () => {
    const further = referred(box, { ...box, rule: 'NameIsName' })
    const { state } = play([
      ...reviewed,
      ended('IdentityCheck', further),
      request,
      changed,
      { kind: 'follow-up-accepted', followUpId: 'FU-4' },
      ended('IdentityCheck', further),
    ])
    assert.equal(state.currentState, 'ManualReview')
    assert.equal(state.followUps.at(-1)?.status, 'Open')
  })

  test('an approved document is not requested again', () => {
    const { state } = play([
      ...asked,
      accepted,
      ended('IdentityCheck', askAddress),
      ended('WatchlistCheck'),
      ended('AccountCreation'),
      ended('MailingAddress', failed('No such street.', 'mailingAddress')),
      changed,
      { kind: 'follow-up-accepted', followUpId: 'FU-2' },
      ended('IdentityCheck', askAddress),
    ])
    assert.equal(state.stage, 'WatchlistCheck')
  })

  test('requests for after the opening are not repeated', () => {
    const w9 = { code: 'W9Certification', field: 'primaryOwner', reason: 'No form.' } as const
    const passed: StageOutcome = { ...succeeded(), later: [w9] }
    const rest = (['WatchlistCheck', 'AccountCreation', 'MailingAddress', 'TrustedContact'] as const).map(
      (stage) => ended(stage),
    )
    const { state } = play([
      begin,
      ended('IdentityCheck', passed),
      ...rest,
      ended('ElectronicDelivery', { kind: 'asked', requests: [correction] }),
      changed,
      accepted,
      ended('IdentityCheck', passed),
      ...rest,
      ended('ElectronicDelivery'),
    ])
    assert.equal(state.currentState, 'CreationComplete')
    assert.deepEqual(
      state.followUps.map(({ code, status }) => `${code} ${status}`),
      ['FieldCorrection Accepted', 'W9Certification Open'],
    )
  })
})

function withoutAbout({ about: _, ...found }: Found): Found {
  return found
}
