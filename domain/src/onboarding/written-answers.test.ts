/** Written answers: no program can judge them, so operations review them as soon as no other follow-up waits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { awaitsReader, isWritten } from './follow-ups.ts'
import type { FollowUpAnswer } from './onboarding-state.ts'
import { asked, askTwo, at, begin, created, ended, failed, play, type Then } from './testing/play-events.ts'

type Answer = Omit<FollowUpAnswer, 'at'>
const words: Answer = { documentId: '', fields: [], text: 'The house has no number.' }
const document: Answer = { documentId: 'DOC-1', fields: [], text: '' }
const fields: Answer = { documentId: '', fields: ['primaryOwner.legalAddress'], text: 'Corrected.' }
function answer(followUpId: string, given: Answer): Then {
  return { kind: 'follow-up-answered', followUpId, answer: given }
}

describe('an answer is in writing', () => {
  const table: [string, Answer | undefined, boolean][] = [
    ['words alone', words, true],
    ['a document', document, false],
    ['a document with words', { ...document, text: 'My passport.' }, false],
    ['a corrected field with words', fields, false],
    ['no answer', undefined, false],
  ]
  for (const [why, given, written] of table) {
    test(`${why}: ${written}`, () => assert.equal(isWritten(given), written))
  }
})

const twoAsked = [begin, ended('IdentityCheck', askTwo)]
const mailingAsked = [...created, ended('MailingAddress', failed('No such street.'))]
const watchlistAsked = [begin, ended('IdentityCheck'), ended('WatchlistCheck', askTwo)]

describe('an answer in writing', () => {
  /** Columns: the events, the state, the follow-ups with their statuses, and the waiting stage. */
  const table: [string, Then[], state: string, followUps: string, event: string][] = [
    [
      'is referred when it is the only one',
      [...asked, answer('FU-1', words)],
      'ManualReview',
      'AddressDocument Answered, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'waits while another is due',
      [...twoAsked, answer('FU-1', words)],
      'ActionRequired',
      'AddressDocument Answered, TaxIdDocument Open',
      'follow-up-explained',
    ],
    [
      'waits while a document is looked at',
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
      'is referred when the other is waived',
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
      'is referred together with another in writing',
      [...twoAsked, answer('FU-1', words), answer('FU-2', words)],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Answered, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'of the watch-list check is a review of the watch list',
      [...watchlistAsked, answer('FU-1', words), answer('FU-2', words)],
      'ManualReview',
      'AddressDocument Answered, TaxIdDocument Answered, WatchlistReview Open',
      'follow-up-explained',
    ],
    [
      'to a step of the creation is a review of the identity',
      [...mailingAsked, answer('FU-1', words)],
      'ManualReview',
      'FieldCorrection Answered, IdentityReview Open',
      'follow-up-explained',
    ],
    [
      'that operations have read and ask more about is settled',
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
      'that operations approve is settled, and the check passed',
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

test('answers are kept in their order; the last one says whether a reader is awaited', () => {
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
