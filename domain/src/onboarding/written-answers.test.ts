/** Written answers: the service cannot judge them, so operations review them as soon as no other follow-up waits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { awaitsReader, isWritten } from './follow-ups.ts'
import type { FollowUpAnswer, StageCode } from './onboarding-state.ts'
import type { StageOutcome } from './stage-outcome.ts'
import {
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
  type Then,
} from './testing/play-events.ts'

type Answer = Omit<FollowUpAnswer, 'at'>
const words: Answer = { documentId: '', fields: [], text: 'The house has no number.' }
const document: Answer = { documentId: 'DOC-1', fields: [], text: '' }
const fields: Answer = { documentId: '', fields: ['primaryOwner.legalAddress'], text: 'Corrected.' }
function answer(followUpId: string, given: Answer): Then {
  return { kind: 'follow-up-answered', followUpId, answer: given }
}

describe('whether an answer is in writing', () => {
  const table: [string, Answer | undefined, boolean][] = [
    ['words alone', words, true],
    ['a document', document, false],
    ['a document with words', { ...document, text: 'My passport.' }, false],
    ['a corrected field with words', fields, false],
    ['no answer', undefined, false],
  ]
  for (const [why, given, written] of table) {
    test(`${why} ${written ? 'is a written answer' : 'is not a written answer'}`, () =>
      assert.equal(isWritten(given), written))
  }
})

const twoAsked = [begin, ended('IdentityCheck', askTwo)]
const mailingAsked = [...created, ended('MailingAddress', failed('No such street.'))]
const watchlistAsked = [begin, ended('IdentityCheck'), ended('WatchlistCheck', askTwo)]

describe('a written answer', () => {
  /** Columns: the events, the state, the follow-ups with their statuses, and the waiting stage. */
  const table: [string, Then[], state: string, followUps: string, event: string][] = [
    [
      'is referred if it is the only answer',
      [...asked, answer('FU-1', words)],
      'ManualReview',
      'AddressDocument Answered, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'waits while another answer is due',
      [...twoAsked, answer('FU-1', words)],
      'ActionRequired',
      'AddressDocument Answered, TaxIdDocument Open',
      'follow-up-explained',
    ],
    [
      'waits while a document is under review',
      [...twoAsked, answer('FU-1', words), answer('FU-2', document)],
      'ActionRequired',
      'AddressDocument Answered, TaxIdDocument Answered',
      'follow-up-answered',
    ],
    [
      'is referred with the last answer',
      [...twoAsked, answer('FU-1', words), { kind: 'follow-up-accepted', followUpId: 'FU-2' }],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Accepted, IdentityReview Open',
      'follow-up-accepted',
    ],
    [
      'is referred when the other request is waived',
      [
        ...twoAsked,
        answer('FU-1', words),
        { kind: 'follow-up-waived', followUpId: 'FU-2', reason: 'Known.' },
      ],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Waived, IdentityReview Open',
      'follow-up-waived',
    ],
    [
      'is referred again if the firm confirms it without another text',
      [
        ...twoAsked,
        answer('FU-1', words),
        { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'Which house?' },
        { kind: 'follow-up-waived', followUpId: 'FU-2', reason: 'Known.' },
        { kind: 'follow-up-answered', followUpId: 'FU-1' },
      ],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Waived, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'is settled if operations request more information, and an accepted one stays accepted',
      [
        ...twoAsked,
        answer('FU-1', words),
        { kind: 'follow-up-accepted', followUpId: 'FU-2' },
        {
          kind: 'information-requested',
          requests: [{ code: 'IdentityDocument', field: 'primaryOwner', reason: 'A passport.' }],
          reason: 'Show a passport.',
        },
      ],
      'ActionRequired',
      'AddressDocument Waived, TaxIdDocument Accepted, IdentityReview Waived, IdentityDocument Open',
      'information-requested',
    ],
    [
      'is referred together with another written answer',
      [...twoAsked, answer('FU-1', words), answer('FU-2', words)],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Answered, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'to the watch-list check is referred to a watch-list review',
      [...watchlistAsked, answer('FU-1', words), answer('FU-2', words)],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Answered, WatchlistReview Open',
      'follow-up-explained',
    ],
    [
      'to a step of the creation is referred to an identity review',
      [...mailingAsked, answer('FU-1', words)],
      'ManualReview',
      'FieldCorrection Answered, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'is settled if operations request more information',
      [
        ...asked,
        answer('FU-1', words),
        {
          kind: 'information-requested',
          requests: [{ code: 'IdentityDocument', field: 'primaryOwner', reason: 'A passport.' }],
          reason: 'Show a passport.',
        },
      ],
      'ActionRequired',
      'AddressDocument Waived, IdentityReview Waived, IdentityDocument Open',
      'information-requested',
    ],
    [
      'is settled if operations approve it, and the check is passed',
      [...asked, answer('FU-1', words), { kind: 'approved', reason: 'It is so.' }],
      'Screening',
      'AddressDocument Waived, IdentityReview Accepted',
      'approved',
    ],
  ]
  for (const [why, events, state, followUps, event] of table) {
    test(why, () => {
      const step = play(events)
      assert.equal(step.state.currentState, state)
      assert.equal(step.state.followUps.map(({ code, status }) => `${code} ${status}`).join(', '), followUps)
      assert.equal(step.transition.event, event)
    })
  }
})

test('answers are kept in order, and the last one determines whether a review is due', () => {
  const { state } = play([
    ...twoAsked,
    answer('FU-1', document),
    { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'EXPIRED' },
    answer('FU-1', words),
  ])
  const [followUp = assert.fail(), other] = state.followUps
  assert.deepEqual(followUp.answers, [
    { at, ...document },
    { at, ...words },
  ])
  assert.equal(other?.answers, undefined)
  assert.ok(awaitsReader(followUp))
  assert.equal(awaitsReader({ ...followUp, answers: [...(followUp.answers ?? [])].reverse() }), false)
  assert.equal(awaitsReader({ ...followUp, status: 'Open' }), false)
})

describe('an approval of a written or missing answer', () => {
  const w9 = { code: 'W9Certification', field: 'primaryOwner', reason: 'No form.' } as const
  const found = [
    { rule: 'PlaceNotSanctioned', field: 'primaryOwner.legalAddress', reason: 'A sanctioned place.' },
  ] as const
  const referred: StageOutcome = {
    kind: 'referred',
    code: 'IdentityReview',
    reason: 'A sanctioned place.',
    later: [w9],
    found,
  }
  const hidden: StageOutcome = { ...askAddress, otherwise: referred }
  const approved: Then = { kind: 'approved', reason: 'It is so.' }
  const checked = [begin, ended('IdentityCheck', hidden)]
  const rest = (
    ['WatchlistCheck', 'AccountCreation', 'MailingAddress', 'TrustedContact', 'ElectronicDelivery'] as const
  ).map((stage) => ended(stage))
  for (const [what, settled] of [
    ['written', answer('FU-1', words)],
    ['missing', { kind: 'follow-ups-expired', at: later(30) }],
  ] as [string, Then][]) {
    test(`does not pass the other findings of the check (${what})`, () => {
      const again = play([...checked, settled, approved, ended('IdentityCheck', hidden)])
      assert.equal(again.state.currentState, 'ManualReview')
      assert.deepEqual(
        again.state.followUps.map(({ code, status }) => `${code} ${status}`),
        ['AddressDocument Waived', 'IdentityReview Accepted', 'IdentityReview Open'],
      )
      assert.deepEqual(again.opened[0]?.found, found)
      const { state } = play([approved, ...rest], again.state)
      assert.equal(state.currentState, 'CreationComplete')
      assert.equal(state.followUps.at(-1)?.code, 'W9Certification')
    })
  }

  test('passes the findings that operations saw before, and requests what is due later', () => {
    const requests = [{ code: 'NameDocument', field: 'primaryOwner', reason: 'A deed.' }] as const
    const { state } = play([
      begin,
      ended('IdentityCheck', referred),
      { kind: 'information-requested', requests, reason: 'Which name?' },
      answer('FU-2', words),
      approved,
      ended('IdentityCheck', referred),
      ...rest,
    ])
    assert.equal(state.currentState, 'CreationComplete')
    assert.equal(state.followUps.at(-1)?.code, 'W9Certification')
  })

  test('does not decide on the matches of a watch list', () => {
    const matches: StageOutcome = { kind: 'referred', code: 'WatchlistReview', reason: 'One match.' }
    const { state } = play([
      ...asked,
      answer('FU-1', words),
      approved,
      ended('IdentityCheck'),
      ended('WatchlistCheck', matches),
    ])
    assert.equal(state.currentState, 'ManualReview')
  })
})

describe('a review that was approved', () => {
  const approved: Then = { kind: 'approved', reason: 'It is so.' }
  const review: StageOutcome = { kind: 'referred', code: 'IdentityReview', reason: 'Unclear.' }
  const passport = { code: 'IdentityDocument', field: 'primaryOwner', reason: 'A passport.' } as const
  const more: Then = { kind: 'information-requested', requests: [passport], reason: 'Who?' }
  const table: [string, Then[], StageCode, StageOutcome][] = [
    [
      'in an earlier stage does not pass a later one',
      [begin, ended('IdentityCheck', review), approved, ended('WatchlistCheck')],
      'AccountCreation',
      review,
    ],
    [
      'is another thing than an accepted document',
      [...asked, { kind: 'follow-up-accepted', followUpId: 'FU-1' }],
      'IdentityCheck',
      review,
    ],
    [
      'is another thing than a review in which more was requested',
      [begin, ended('IdentityCheck', review), more, { kind: 'follow-up-accepted', followUpId: 'FU-2' }],
      'IdentityCheck',
      review,
    ],
  ]
  for (const [what, events, stage, outcome] of table) {
    test(what, () => {
      assert.equal(play([...events, ended(stage, outcome)]).state.currentState, 'ManualReview')
    })
  }

  test('does not decide on the matches of a later run of the watch list', () => {
    const matches: StageOutcome = { kind: 'referred', code: 'WatchlistReview', reason: 'One match.' }
    const { state } = play([begin, ended('IdentityCheck'), ended('WatchlistCheck', matches)])
    const followUps = state.followUps.map((one) => ({ ...one, status: 'Accepted' as const }))
    const again = { ...state, followUps, currentState: 'Screening' as const }
    assert.equal(play([ended('WatchlistCheck', matches)], again).state.currentState, 'ManualReview')
  })

  test('at the watch list leaves what came late, and what was waived, at the identity', () => {
    const late: Then[] = [...asked, { kind: 'follow-ups-expired', at: later(30) }, more]
    const { state } = play([
      ...late,
      { kind: 'follow-up-accepted', followUpId: 'FU-3' },
      ended('IdentityCheck'),
      ended('WatchlistCheck', { kind: 'referred', code: 'WatchlistReview', reason: 'One match.' }),
      approved,
    ])
    assert.equal(state.currentState, 'AccountCreation')
    assert.deepEqual(
      state.followUps.map(({ code, status }) => `${code} ${status}`),
      [
        'AddressDocument Expired',
        'IdentityReview Waived',
        'IdentityDocument Accepted',
        'WatchlistReview Accepted',
      ],
    )
  })

  test('an overdue document is requested again when another one was accepted in its place', () => {
    const { opened } = play([
      ...asked,
      { kind: 'follow-ups-expired', at: later(30) },
      more,
      { kind: 'follow-up-accepted', followUpId: 'FU-3' },
      ended('IdentityCheck', askAddress),
    ])
    assert.deepEqual(
      opened.map(({ code }) => code),
      ['AddressDocument'],
    )
  })
})
