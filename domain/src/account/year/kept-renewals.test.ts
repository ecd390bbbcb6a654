// One review of an account with stored renewals: the follow-up of each item, and the outcome of each stored renewal.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FollowUp, FollowUpAnswer } from '../../onboarding/onboarding-state.ts'
import type { DueItem } from './falls-due.ts'
import { asksFor, withRequested } from './request-renewal.ts'
import { type Renewal, type ReviewFacts, reviewYear, type YearReview } from './review-year.ts'

const field = 'primaryOwner.governmentIdentification'
const day = '2027-05-01'

function due(fallsOn: string, changes: Partial<DueItem> = {}): DueItem {
  const reason = 'It expires.'
  const asks = 'IdentityDocument'
  return {
    kind: 'IdentityDocument',
    subject: '1',
    field,
    asks,
    fallsOn,
    listedOn: fallsOn,
    reason,
    ...changes,
  }
}
function keptOf({ kind, subject, field: path, listedOn }: DueItem, changes: Partial<Renewal> = {}): Renewal {
  const asked = { state: 'Asked', followUpId: 'FU-1', dueOn: null, requested: false } as const
  return { kind, subject, field: path, listedOn, ...asked, ...changes }
}
function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    id: 'FU-1',
    code: 'IdentityDocument',
    kind: 'Document',
    field,
    reasons: [],
    acceptedDocuments: [],
    status: 'Open',
    dueBy: '2027-05-20T22:00:00Z',
    stage: 'AccountCreation',
    blocking: false,
    ...changes,
  }
}
function answer(changes: Partial<FollowUpAnswer>): FollowUpAnswer {
  return { at: '2027-04-20T22:00:00Z', documentId: '', fields: [], text: '', ...changes }
}
function review(
  items: readonly DueItem[],
  kept: readonly Renewal[],
  followUps: readonly FollowUp[],
  on = day,
  shownBefore: ReviewFacts['shownBefore'] = new Map(),
): YearReview {
  const given: ReviewFacts = {
    day: on,
    kept,
    followUps,
    shownBefore,
    isAnswered,
    dayOf: (at) => at.slice(0, 10),
  }
  return reviewYear(items, given)
}
function isAnswered(): boolean {
  return true
}
function statesOf({ renewals }: YearReview): string[] {
  return renewals.map(({ kind, subject, state, followUpId }) =>
    `${kind} ${subject} ${state} ${followUpId}`.trim(),
  )
}
const foreignForm = { kind: 'W8Certification', asks: 'W8Certification', field: 'primaryOwner' } as const

test('the next review is on the earliest day of all items', () => {
  const items = [due('2028-01-01'), due('2027-06-01', { subject: '2' }), due('2027-09-01', { subject: '3' })]
  const found = review(items, [], [])
  assert.equal(found.reviewOn, '2027-06-01')
  assert.deepEqual(
    found.renewals.map(({ followUpId, requested }) => [followUpId, requested]),
    [0, 1, 2].map(() => ['', false]),
  )
})

test('a stored renewal belongs to one kind and one person', () => {
  const items = [
    due('2027-04-01'),
    due('2027-04-01', { subject: '2', field: 'associatedParties[0].governmentIdentification' }),
    due('2028-01-01', { ...foreignForm }),
  ]
  const found = review(items, [keptOf(items[0] as DueItem)], [followUp()])
  assert.deepEqual(statesOf(found), [
    'IdentityDocument 1 Asked FU-1',
    'IdentityDocument 2 Asked',
    'W8Certification 1 Coming',
  ])
  assert.deepEqual(found.settled, [])
  assert.deepEqual(
    found.asks.map(({ subject }) => subject),
    ['2'],
  )
})

describe('an open follow-up', () => {
  const kept = keptOf(due('2027-04-01'))
  test('is settled by a due date after the day of the review, not by an earlier one', () => {
    const states = ['2027-04-30', day, '2027-05-02'].map((fallsOn) => {
      const { settled, renewals } = review([due(fallsOn)], [kept], [followUp()])
      return [settled.length, renewals[0]?.state]
    })
    assert.deepEqual(states, [
      [0, 'Asked'],
      [0, 'Asked'],
      [1, 'Coming'],
    ])
  })
  test('stays with its person if the path in the record and the date change', () => {
    const moved = due('2027-04-30', { field: 'associatedParties[1].governmentIdentification' })
    const found = review([moved], [kept], [followUp()])
    assert.deepEqual([statesOf(found), found.asks], [['IdentityDocument 1 Asked FU-1'], []])
  })
  test('from the opening is used for an item with the same code and field, the newest of several', () => {
    const of = (changes: Partial<FollowUp>) => statesOf(review([due('2027-04-01')], [], [followUp(changes)]))
    assert.deepEqual(of({}), ['IdentityDocument 1 Asked FU-1'])
    assert.deepEqual(of({ code: 'W9Certification' }), ['IdentityDocument 1 Asked'])
    assert.deepEqual(of({ field: 'primaryOwner' }), ['IdentityDocument 1 Asked'])
    assert.deepEqual(of({ status: 'Accepted' }), ['IdentityDocument 1 Asked'])
    const several = [followUp(), followUp({ id: 'FU-2' })]
    assert.deepEqual(statesOf(review([due('2027-04-01')], [], several)), ['IdentityDocument 1 Asked FU-2'])
  })
  test('is late on the day after its due date, even if the document expires on that day', () => {
    const item = due('2027-05-20')
    const on = (today: string) => review([item], [keptOf(item, { requested: true })], [followUp()], today)
    assert.deepEqual([on('2027-05-19').reviewOn, on('2027-05-20').reviewOn], ['2027-05-21', '2027-05-21'])
    assert.deepEqual([on('2027-05-20').expired, on('2027-05-21').expired], [[], ['FU-1']])
  })
  test('that is already late does not expire a second time', () => {
    const found = review([due('2027-04-01')], [kept], [followUp({ status: 'Expired' })], '2027-06-01')
    assert.deepEqual([statesOf(found), found.expired], [['IdentityDocument 1 Overdue FU-1'], []])
  })
  test('of an account that is held keeps it held until it is answered, without another review day', () => {
    const held = keptOf(due('2027-04-01'), { state: 'Overdue' })
    const found = review([due('2027-04-01')], [held], [followUp({ status: 'Rejected' })])
    assert.deepEqual([statesOf(found), found.reviewOn], [['IdentityDocument 1 Overdue FU-1'], null])
  })
})

test('a follow-up for which two renewals wait is late once, and ends with the last of them', () => {
  const of = (kind: DueItem['kind'], changes: Partial<DueItem> = {}) =>
    due('2027-04-01', { kind, asks: 'OwnerInstruction', field: 'primaryOwner', ...changes })
  const both = [of('ComingOfAge'), of('CustodianshipEnded')]
  const kept = both.map((item) => keptOf(item))
  const asked = [followUp({ code: 'OwnerInstruction', field: 'primaryOwner' })]
  const found = review(both, kept, asked, '2027-05-21')
  assert.deepEqual(found.expired, ['FU-1'])
  assert.deepEqual(statesOf(found), ['ComingOfAge 1 Overdue FU-1', 'CustodianshipEnded 1 Overdue FU-1'])
  const gone = (items: readonly DueItem[], answered: boolean) => {
    const facts = { day, kept, followUps: asked, isAnswered: () => answered, dayOf: () => day }
    const { withdrawn, settled } = reviewYear(items, facts)
    return [withdrawn, settled]
  }
  assert.deepEqual(gone(both.slice(0, 1), false), [[], []])
  assert.deepEqual(gone([], false), [['FU-1'], []])
  assert.deepEqual(gone([], true), [[], ['FU-1']])
})

describe('an accepted follow-up', () => {
  test('answers the date for which it was requested, and no later date', () => {
    const done = [followUp({ status: 'Accepted' })]
    const kept = keptOf(due('2027-04-01'), { requested: true })
    const same = review([due('2027-04-01')], [kept], done)
    assert.deepEqual(
      [statesOf(same), same.renewals[0]?.requested],
      [['IdentityDocument 1 Settled FU-1', 'IdentityRecord 1 Asked'], false],
    )
    const later = review([due('2027-04-30')], [kept], done)
    assert.equal(later.asks.length, 1)
  })
  test('before the due date settles a document, but leaves a Form W-8BEN due when it lapses', () => {
    const passport = due('2027-09-01')
    const done = review([passport], [keptOf(passport)], [followUp({ status: 'Accepted' })])
    assert.deepEqual(statesOf(done), ['IdentityDocument 1 Settled FU-1'])
    const form = due('2028-01-01', { ...foreignForm })
    const found = review(
      [form],
      [keptOf(form)],
      [followUp({ code: 'W8Certification', field: 'primaryOwner', status: 'Accepted' })],
    )
    assert.deepEqual([statesOf(found), found.reviewOn], [['W8Certification 1 Coming'], '2028-01-01'])
    assert.deepEqual(found.settled, [])
  })
})

test('an open Form W-8BEN that operations requested early stays requested', () => {
  const form = due('2028-01-01', { ...foreignForm })
  const open = followUp({ code: 'W8Certification', field: 'primaryOwner' })
  const found = review([form], [keptOf(form, { requested: true })], [open])
  assert.deepEqual([statesOf(found), found.settled], [['W8Certification 1 Asked FU-1'], []])
})

describe('a request for a trusted contact', () => {
  const path = 'primaryOwner.trustedContact'
  const item = due('2027-04-01', { kind: 'TrustedContact', asks: 'FieldCompletion', field: path })
  const asked = (changes: Partial<FollowUp>) => [
    followUp({ code: 'FieldCompletion', field: path, ...changes }),
  ]
  const words = [answer({ text: 'The owner names no contact.' })]
  test('is settled by a written answer, but not by another kind of answer or a refused one', () => {
    const settledBy = (changes: Partial<FollowUp>) => review([item], [keptOf(item)], asked(changes)).settled
    assert.deepEqual(settledBy({ status: 'Answered', answers: words }), ['FU-1'])
    assert.deepEqual(settledBy({ status: 'Answered', answers: [answer({ fields: [path] })] }), [])
    assert.deepEqual(settledBy({ status: 'Rejected', answers: words }), [])
  })
  test('is settled by a written answer even if operations requested it and the record has a contact', () => {
    const kept = [keptOf(item, { requested: true })]
    assert.deepEqual(review([], kept, asked({})).settled, [])
    assert.deepEqual(review([], kept, asked({ status: 'Answered', answers: words })).settled, ['FU-1'])
  })
})

test('a renewal whose item is no longer in the record is settled, unless operations requested it', () => {
  const item = due('2027-04-01')
  // A request of the review of the year is not a request of operations.
  const [asked] = review([item], [], [followUp()]).renewals
  assert.deepEqual(review([], [asked as Renewal], [followUp()]).settled, ['FU-1'])
  const found = review([], [keptOf(item, { requested: true })], [followUp()])
  assert.deepEqual([statesOf(found), found.settled], [['IdentityDocument 1 Asked FU-1'], []])
})

describe('a request of operations', () => {
  const item = due('2027-09-01')
  test('is stored with its newest follow-up, in place of the earlier renewal of the item', () => {
    const coming = keptOf(item, { state: 'Coming', followUpId: '' })
    const others = [
      keptOf(due('2027-09-01', { subject: '2' }), { followUpId: 'FU-8' }),
      keptOf(due('2028-01-01', { ...foreignForm }), { followUpId: 'FU-9' }),
    ]
    const after = withRequested([coming, ...others], [item], [followUp(), followUp({ id: 'FU-2' })])
    assert.deepEqual(after, [...others, keptOf(item, { followUpId: 'FU-2', requested: true })])
  })
  test('for an item that is already requested changes nothing', () => {
    const kept = [keptOf(due('2027-04-01', { subject: '2' }), { followUpId: 'FU-7' }), keptOf(item)]
    assert.deepEqual(withRequested(kept, [item], [followUp()]), kept)
  })
  test('for several items stores each with its own follow-up', () => {
    const second = due('2027-09-01', { subject: '2', field: 'associatedParties[0].governmentIdentification' })
    const kept = [item, second].map((one) => keptOf(one, { state: 'Coming', followUpId: '' }))
    const followUps = [followUp(), followUp({ id: 'FU-2', field: second.field })]
    const after = withRequested(kept, [item, second], followUps)
    assert.deepEqual(
      after.map(({ subject, followUpId }) => `${subject} ${followUpId}`),
      ['1 FU-1', '2 FU-2'],
    )
  })
  test('is answered by an unsettled follow-up with the same code and field', () => {
    const asks = (changes: Partial<FollowUp>) => asksFor(followUp(changes), item)
    assert.deepEqual(
      [
        asks({}),
        asks({ status: 'Accepted' }),
        asks({ field: 'primaryOwner' }),
        asks({ code: 'W9Certification' }),
      ],
      [true, false, false, false],
    )
  })
})

describe('a follow-up of the opening for a tax form', () => {
  const atOpening = followUp({ code: 'W9Certification', field: 'primaryOwner' })
  const w8 = followUp({ code: 'W8Certification', field: 'primaryOwner' })
  const missing = due('2027-04-01', {
    kind: 'W9Certification',
    asks: 'W9Certification',
    field: 'primaryOwner',
  })
  test('is settled if the form was approved before, so that none is missing', () => {
    assert.deepEqual(review([], [], [atOpening]).settled, ['FU-1'])
    assert.deepEqual(review([due('2031-01-01', foreignForm)], [], [w8]).settled, ['FU-1'])
    const code = 'W8EntityCertification'
    const ofEntity = due('2031-01-01', { kind: code, asks: code, field: 'primaryOwner' })
    const w8e = followUp({ code, field: 'primaryOwner' })
    assert.deepEqual(review([ofEntity], [], [w8e]).settled, ['FU-1'])
  })
  test('is settled if another form, or the form of another owner, is missing', () => {
    const ofSecond = { ...missing, subject: '2', field: 'associatedParties[0]' }
    assert.deepEqual(review([ofSecond], [], [atOpening]).settled, ['FU-1'])
    assert.deepEqual(review([due('2027-04-01', foreignForm)], [], [atOpening]).settled, ['FU-1'])
  })
  test('is settled for each kind of form', () => {
    for (const code of [
      'W9Certification',
      'W8Certification',
      'W9OrW8Certification',
      'W8EntityCertification',
    ] as const) {
      const opened = followUp({ code, field: 'primaryOwner' })
      assert.deepEqual(review([], [], [opened]).settled, ['FU-1'], code)
    }
  })
  test('stays open if the form is missing', () => {
    assert.deepEqual(review([missing], [], [atOpening]).settled, [])
    assert.deepEqual(review([due('2027-04-01', foreignForm)], [], [w8]).settled, [])
  })
  test('stays open if it holds up the opening, is of another kind, or was requested by operations', () => {
    const { blocking: _, ...held } = atOpening
    assert.deepEqual(review([], [], [held]).settled, [])
    assert.deepEqual(review([], [], [followUp({ code: 'FieldCompletion' })]).settled, [])
    const requested = keptOf(missing, { requested: true })
    assert.deepEqual(review([], [requested], [atOpening]).settled, [])
    const lapsing = due('2031-01-01', foreignForm)
    assert.deepEqual(review([lapsing], [keptOf(lapsing, { requested: true })], [w8]).settled, [])
  })
})

describe('a document that was approved before the first review', () => {
  const agent = (subject: string) =>
    due('2026-11-20', {
      kind: 'AuthorityDocument',
      asks: 'AuthorityDocument',
      subject,
      field: `associatedParties[${subject}]`,
    })
  const one = new Map([['AuthorityDocument', 1]] as const)
  const unasked = keptOf(agent('0'), { state: 'Settled', followUpId: '' })

  test('answers for the first agent, and the second is asked', () => {
    const found = review([agent('0'), agent('1')], [], [], day, one)
    assert.deepEqual(
      found.asks.map(({ subject }) => subject),
      ['1'],
    )
    assert.deepEqual(statesOf(found), ['AuthorityDocument 0 Settled', 'AuthorityDocument 1 Asked'])
  })

  test('settles the follow-up of the opening', () => {
    const opened = followUp({ code: 'AuthorityDocument', field: 'associatedParties[0]' })
    const found = review([agent('0')], [], [opened], day, one)
    assert.deepEqual([found.settled, found.asks], [['FU-1'], []])
    assert.deepEqual(statesOf(found), ['AuthorityDocument 0 Settled FU-1'])
  })

  test('stays settled, and does not answer for an agent who is added later', () => {
    const found = review([agent('0'), agent('1')], [unasked], [], day, new Map([['AuthorityDocument', 2]]))
    assert.deepEqual(
      found.asks.map(({ subject }) => subject),
      ['1'],
    )
    assert.deepEqual(statesOf(found), ['AuthorityDocument 0 Settled', 'AuthorityDocument 1 Asked'])
  })

  test('is another than that of a later request of operations', () => {
    const opened = followUp({ code: 'AuthorityDocument', field: 'associatedParties[0]' })
    const kept = keptOf(agent('0'), { requested: true })
    const found = review([agent('0')], [kept], [opened], day, one)
    assert.deepEqual([found.settled, statesOf(found)], [[], ['AuthorityDocument 0 Asked FU-1']])
  })
})

describe('the document of a person whose authority has ended', () => {
  const resolution = (position: number, kind: DueItem['kind'] = 'ResolutionDocument') =>
    due('2027-04-01', {
      kind,
      asks: kind as DueItem['asks'],
      subject: `${position}`,
      field: `associatedParties[${position}]`,
    })
  const shown = new Map([['ResolutionDocument', 1]] as const)
  const done = [followUp({ code: 'ResolutionDocument', field: 'associatedParties[1]', status: 'Accepted' })]
  const settled = [keptOf(resolution(1), { state: 'Settled' })]

  test('does not answer for a person who is added later', () => {
    const ended = review([], settled, done, day, shown)
    assert.deepEqual(statesOf(ended), ['ResolutionDocument 1 Settled FU-1'])
    const added = review([resolution(2)], ended.renewals, done, day, shown)
    assert.deepEqual(
      added.asks.map(({ subject }) => subject),
      ['2'],
    )
    assert.deepEqual(statesOf(review([resolution(1)], ended.renewals, done, day, shown)), [
      'ResolutionDocument 1 Settled FU-1',
    ])
  })
  test('answers for a person before, if it names all of them', () => {
    const narrowed = review([resolution(0)], settled, done, day, shown)
    assert.deepEqual(narrowed.asks, [])
    assert.equal(statesOf(narrowed)[0], 'ResolutionDocument 0 Settled')
    assert.deepEqual(review([resolution(0)], narrowed.renewals, done, day, shown).asks, [])
    const open = [keptOf(resolution(1))]
    assert.equal(review([resolution(0)], open, [followUp({ field: 'associatedParties[1]' })]).asks.length, 1)
  })
  test('answers for no other person if it names one person', () => {
    const kept = [keptOf(resolution(1, 'AuthorityDocument'), { state: 'Settled' })]
    assert.equal(review([resolution(0, 'AuthorityDocument')], kept, done).asks.length, 1)
  })
})
