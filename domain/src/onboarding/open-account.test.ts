/** The follow-ups of an open account, at its opening and later. Only their due dates depend on the answers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@clearing/protocol'
import { nextStep } from './decide-onboarding.ts'
import { awaitsFirm, holdsUp, isOverdue, isUnsettled } from './follow-ups.ts'
import type { FollowUp, OnboardingState, StageCode } from './onboarding-state.ts'
import type { FollowUpRequest, StageOutcome } from './stage-outcome.ts'
import { addressed, at, begin, ended, later, play, refer, type Then } from './testing/play-events.ts'

const w9: FollowUpRequest = { code: 'W9Certification', field: 'primaryOwner', reason: 'Not certified.' }
const occupation: FollowUpRequest = {
  code: 'FieldCompletion',
  field: 'primaryOwner.occupation',
  reason: 'Not given.',
}
const employer: FollowUpRequest = { ...occupation, field: 'primaryOwner.employer' }

function passed(...requests: FollowUpRequest[]): StageOutcome {
  return { kind: 'succeeded', reason: '', later: requests }
}
const stages: readonly StageCode[] = [
  'IdentityCheck',
  'WatchlistCheck',
  'AccountCreation',
  'MailingAddress',
  'TrustedContact',
  'ElectronicDelivery',
]
/** Opens the account with the given outcomes of the stages. */
function opened(outcomes: Partial<Record<StageCode, StageOutcome>> = {}): OnboardingState {
  return play([begin, ...stages.map((stage) => ended(stage, outcomes[stage]))]).state
}
function names({ followUps }: Pick<OnboardingState, 'followUps'>) {
  return followUps.map(({ id, code, field, status }) => [id, code, field, status].join(' '))
}

describe('at the opening', () => {
  test('the requests of the stages become follow-ups that do not hold up the account', () => {
    const state = opened({ IdentityCheck: passed(w9), WatchlistCheck: passed(occupation) })
    assert.equal(state.currentState, 'CreationComplete')
    assert.deepEqual(names(state), [
      'FU-1 W9Certification primaryOwner Open',
      'FU-2 FieldCompletion primaryOwner.occupation Open',
    ])
    assert.deepEqual(
      state.followUps.map(({ blocking, dueBy, stage }) => [blocking, dueBy, stage]),
      [
        [false, later(limits.followUpDueDays), 'IdentityCheck'],
        [false, later(limits.followUpDueDays), 'WatchlistCheck'],
      ],
    )
    assert.equal('later' in state, false)
  })

  test('the same request becomes one follow-up, whichever stages made it', () => {
    const state = opened({ IdentityCheck: passed(w9, w9), WatchlistCheck: passed(w9, occupation, employer) })
    assert.deepEqual(names(state), [
      'FU-1 W9Certification primaryOwner Open',
      'FU-2 FieldCompletion primaryOwner.occupation Open',
      'FU-3 FieldCompletion primaryOwner.employer Open',
    ])
  })

  test('the requests of a repeated stage replace those of its earlier run', () => {
    const first: StageOutcome = {
      kind: 'referred',
      code: 'IdentityReview',
      reason: 'Look.',
      later: [w9],
    }
    const referred = play([begin, ended('IdentityCheck', first)]).state
    assert.deepEqual(
      referred.later?.map(({ code, stage }) => `${code} ${stage}`),
      ['W9Certification IdentityCheck'],
    )
    const asked = play(
      [
        { kind: 'information-requested', requests: [occupation], reason: 'Which?' },
        { kind: 'follow-up-accepted', followUpId: 'FU-2' },
      ],
      referred,
    ).state
    const again = play([ended('IdentityCheck', passed(employer))], asked).state
    assert.deepEqual(
      again.later?.map(({ field }) => field),
      ['primaryOwner.employer'],
    )
    assert.equal('later' in play([ended('IdentityCheck', passed())], asked).state, false)
    const both = play([ended('WatchlistCheck', passed(w9))], again).state
    assert.deepEqual(
      both.later?.map(({ field, stage }) => `${stage} ${field}`),
      ['IdentityCheck primaryOwner.employer', 'WatchlistCheck primaryOwner'],
    )
  })

  test('requests that were answered before the opening are not repeated', () => {
    const asked: StageOutcome = { kind: 'asked', requests: [w9] }
    const state = play([
      begin,
      ended('IdentityCheck', asked),
      { kind: 'follow-up-accepted', followUpId: 'FU-1' },
      ...stages.map((stage) => ended(stage, stage === 'IdentityCheck' ? passed(w9) : undefined)),
    ]).state
    assert.deepEqual(names(state), ['FU-1 W9Certification primaryOwner Accepted'])
  })
})

describe('after the opening', () => {
  const renewal: Then = { kind: 'renewal-asked', requests: [w9, occupation] }
  const asked = () => play([renewal], opened()).state

  test('items that fall due become follow-ups', () => {
    const step = play([renewal], opened())
    assert.deepEqual(names({ followUps: step.opened }), [
      'FU-1 W9Certification primaryOwner Open',
      'FU-2 FieldCompletion primaryOwner.occupation Open',
    ])
    assert.deepEqual(
      step.opened.map(({ blocking, stage, dueBy }) => [blocking, stage, dueBy]),
      Array(2).fill([false, 'IdentityCheck', later(limits.followUpDueDays)]),
    )
    assert.deepEqual(step.jobs, [])
  })

  test('an open request is not repeated, and a settled request is made again', () => {
    const again = play([renewal], asked())
    assert.deepEqual(again.opened, [])
    const settled = play([{ kind: 'renewal-settled', followUpId: 'FU-1' }], asked()).state
    assert.deepEqual(names({ followUps: play([renewal], settled).opened }), [
      'FU-3 W9Certification primaryOwner Open',
    ])
    const twice = play([{ kind: 'renewal-asked', requests: [w9, w9] }], opened())
    assert.equal(twice.opened.length, 1)
  })

  const table: [string, Then[], statuses: string][] = [
    ['an answer', [{ kind: 'follow-up-answered', followUpId: 'FU-1' }], 'Answered Open'],
    [
      'an answer in writing, without a review',
      [
        {
          kind: 'follow-up-answered',
          followUpId: 'FU-1',
          answer: { documentId: '', fields: [], text: 'Because.' },
        },
      ],
      'Answered Open',
    ],
    ['an accepted answer', [{ kind: 'follow-up-accepted', followUpId: 'FU-2' }], 'Open Accepted'],
    [
      'a refused answer',
      [{ kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'Unsigned.' }],
      'Rejected Open',
    ],
    ['a waived request', [{ kind: 'follow-up-waived', followUpId: 'FU-1', reason: 'Known.' }], 'Waived Open'],
    ['a renewal without an answer', [{ kind: 'renewal-settled', followUpId: 'FU-2' }], 'Open Accepted'],
    ['no answer in time', [{ kind: 'renewal-expired', followUpId: 'FU-1' }], 'Expired Open'],
    [
      'a late answer',
      [
        { kind: 'renewal-expired', followUpId: 'FU-1' },
        { kind: 'follow-up-answered', followUpId: 'FU-1' },
      ],
      'Answered Open',
    ],
  ]
  for (const [why, events, statuses] of table) {
    test(`${why} has the statuses ${statuses}, and leaves the account unchanged without a job`, () => {
      const { state, jobs } = play(events, asked())
      assert.equal(state.followUps.map(({ status }) => status).join(' '), statuses)
      assert.deepEqual(
        [state.currentState, state.accountStatus, state.stage],
        ['CreationComplete', 'Open', null],
      )
      assert.deepEqual(jobs, [])
    })
  }

  const late = () => play([{ kind: 'renewal-expired', followUpId: 'FU-1' }], asked()).state
  const refused: [string, () => OnboardingState, followUpId: string, rejected: boolean][] = [
    ['an open follow-up', asked, 'FU-1', false],
    ['an open follow-up beside a late one', late, 'FU-2', false],
    ['a late follow-up', late, 'FU-1', true],
    [
      'a settled follow-up',
      () => play([{ kind: 'renewal-settled', followUpId: 'FU-1' }], asked()).state,
      'FU-1',
      true,
    ],
    ['an unknown follow-up', asked, 'FU-9', true],
  ]
  for (const [why, from, followUpId, rejected] of refused) {
    test(`${why} ${rejected ? 'cannot expire' : 'expires'}`, () => {
      const next = nextStep(from(), { kind: 'renewal-expired', followUpId, at, by: 'service' })
      assert.deepEqual(
        'rejection' in next ? [next.rejection.code, next.rejection.field] : [],
        rejected ? ['ERR.2010', 'followUpId'] : [],
      )
    })
  }
})

describe('the properties of a follow-up', () => {
  const base: FollowUp = {
    ...{
      id: 'FU-1',
      code: 'AddressDocument',
      kind: 'Document',
      field: '',
      reasons: [],
      acceptedDocuments: [],
    },
    status: 'Open',
    dueBy: later(30),
    stage: 'IdentityCheck',
  }
  const ofOpenAccount = { blocking: false } as const
  const review = { kind: 'Review', dueBy: null } as const
  /**
   * Columns: the follow-up, and whether it waits, delays the opening, waits for the firm, and is overdue on its last
   * day.
   */
  const table: [string, Partial<FollowUp>, string][] = [
    ['open', {}, 'waits holds firm overdue'],
    ['open, in an open account', ofOpenAccount, 'waits firm overdue'],
    ['answered', { status: 'Answered' }, 'waits holds'],
    ['refused', { status: 'Rejected' }, 'waits holds firm overdue'],
    ['accepted', { status: 'Accepted' }, ''],
    ['waived', { status: 'Waived' }, ''],
    ['expired before the opening', { status: 'Expired' }, ''],
    ['late, in an open account', { ...ofOpenAccount, status: 'Expired' }, 'waits firm'],
    ['an open review', review, 'waits holds'],
    ['a review with a rejection', { ...review, status: 'Rejected' }, ''],
    ['without a due date', { dueBy: null }, 'waits holds firm'],
  ]
  for (const [why, change, expected] of table) {
    test(`a follow-up (${why}) has the properties: ${expected || 'none'}`, () => {
      const one = { ...base, ...change }
      const found = [
        isUnsettled(one) ? 'waits' : '',
        holdsUp(one) ? 'holds' : '',
        awaitsFirm(one) ? 'firm' : '',
        isOverdue(one, later(30)) ? 'overdue' : '',
      ]
      assert.equal(found.filter(Boolean).join(' '), expected)
    })
  }

  test('a follow-up is overdue from its due instant on', () => {
    const due = Date.parse(later(30))
    const overdue = [due - 1, due, due + 1].map((time) => isOverdue(base, new Date(time).toISOString()))
    assert.deepEqual(overdue, [false, true, true])
  })
})

test('an approved review at the last stage opens the account with the requests of the stages', () => {
  const state = play([
    begin,
    ended('IdentityCheck', passed(w9)),
    ...addressed.slice(2),
    ended('TrustedContact'),
    ended('ElectronicDelivery', refer),
    { kind: 'approved', reason: 'Fine.' },
    ended('ElectronicDelivery'),
  ]).state
  assert.deepEqual(names(state), ['FU-1 WatchlistReview  Accepted', 'FU-2 W9Certification primaryOwner Open'])
})
