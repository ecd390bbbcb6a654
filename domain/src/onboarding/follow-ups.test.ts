import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@clearing/protocol'
import { nextStep } from './decide-onboarding.ts'
import { mayEndByChange } from './follow-ups.ts'
import type { FollowUpRequest } from './stage-outcome.ts'
import { askAddress, asked, begin, ended, later, play, refer, type Then } from './testing/play-events.ts'

test('a follow-up has its request, the documents that answer it, and its due date', () => {
  const { opened, jobs } = play(asked)
  assert.deepEqual(opened, [
    {
      id: 'FU-1',
      code: 'AddressDocument',
      kind: 'Document',
      field: 'primaryOwner.legalAddress',
      reasons: ['Not verified.'],
      acceptedDocuments: ['UTIL', 'BANK'],
      status: 'Open',
      dueBy: later(limits.followUpDueDays),
      stage: 'IdentityCheck',
    },
  ])
  assert.deepEqual(
    jobs.map(({ kind, notBefore }) => [kind, notBefore]),
    [['expire-follow-ups', later(limits.followUpDueDays)]],
  )
})

test('a refused answer keeps its reasons and starts the full time again', () => {
  const refused = play([
    ...asked,
    { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'EXPIRED', at: later(20) },
  ])
  const [followUp] = refused.state.followUps
  assert.deepEqual(followUp?.reasons, ['Not verified.', 'EXPIRED'])
  assert.equal(followUp?.status, 'Rejected')
  assert.equal(followUp?.dueBy, later(20 + limits.followUpDueDays))
  assert.equal(refused.jobs[0]?.notBefore, followUp?.dueBy)
})

test('an answer under review is not overdue', () => {
  const { state } = play([...asked, { kind: 'follow-up-answered', followUpId: 'FU-1' }])
  const late = nextStep(state, { kind: 'follow-ups-expired', at: later(99), by: 'service' })
  assert.ok('rejection' in late && late.rejection.code === 'ERR.2010')
})

test('several reasons for the same request are one follow-up', () => {
  const twice = { ...askAddress, requests: [...askAddress.requests, ...askAddress.requests] }
  const [once, ...others] = play([begin, ended('IdentityCheck', twice)]).opened
  assert.deepEqual(others, [])
  assert.ok(once !== undefined && !('found' in once))
})

test('a follow-up names the rules of its requests, and only those', () => {
  const [request = assert.fail()] = askAddress.requests
  const rule = 'AddressIsPlace'
  for (const [requests, rules] of [
    [[request], undefined],
    [[{ ...request, rule }], [rule]],
    [[request, { ...request, rule }], [rule]],
    [[{ ...request, rule }, request], [rule]],
  ] as const) {
    const [one] = play([begin, ended('IdentityCheck', { ...askAddress, requests })]).opened
    assert.deepEqual(
      one?.found?.map((found) => found.rule),
      rules,
    )
  }
})

test('a review is listed among the follow-ups, without a due date', () => {
  const review = play([begin, ended('IdentityCheck'), ended('WatchlistCheck', refer)])
  assert.deepEqual(
    review.opened.map(({ code, kind, status, dueBy }) => [code, kind, status, dueBy]),
    [['WatchlistReview', 'Review', 'Open', null]],
  )
  assert.ok(review.opened.every((one) => !('found' in one)))
  const approved = play([{ kind: 'approved', reason: 'Another person.' }], review.state)
  assert.equal(approved.state.followUps[0]?.status, 'Accepted')
  const rejected = play([{ kind: 'rejected', reason: 'The same.' }], review.state)
  assert.equal(rejected.state.followUps[0]?.status, 'Rejected')
})

describe('a request that was answered', () => {
  const proof: FollowUpRequest = {
    code: 'BirthDateDocument',
    field: 'primaryOwner.birthDate',
    reason: 'Long ago.',
    rule: 'AgePlausible',
    about: '1910',
  }
  const { about: _, ...unsaid } = proof
  const byDocument = { documentId: 'DOC-1', fields: [], text: '' }
  const byChange = { documentId: '', fields: ['primaryOwner.birthDate'], text: '' }
  const waived: Then[] = [{ kind: 'follow-up-waived', followUpId: 'FU-1', reason: 'Known.' }]
  function answered(answer: typeof byChange | undefined): Then[] {
    const given = answer === undefined ? {} : { answer }
    return [
      { kind: 'follow-up-answered', followUpId: 'FU-1', ...given },
      { kind: 'follow-up-accepted', followUpId: 'FU-1' },
    ]
  }
  const table: [string, FollowUpRequest, Then[], FollowUpRequest, boolean][] = [
    ['by a document is not repeated', proof, answered(byDocument), proof, false],
    ['by a document that was not linked is not repeated', proof, answered(undefined), proof, false],
    [
      'by a document is repeated for another value',
      proof,
      answered(byDocument),
      { ...proof, about: '1901' },
      true,
    ],
    ['by a change is repeated', proof, answered(byChange), proof, true],
    ['by a waiver is not repeated', proof, waived, proof, false],
    ['by a waiver is repeated for another value', proof, waived, { ...proof, about: '1901' }, true],
    [
      'by a waiver of another rule is not repeated',
      proof,
      waived,
      { ...proof, rule: 'AddressNotBox', about: 'x' },
      false,
    ],
    ['before values were stored is not repeated', unsaid, waived, proof, false],
    ['with a value is not repeated without one', proof, waived, unsaid, false],
    ['for one field is repeated for another', proof, waived, { ...proof, field: 'primaryOwner' }, true],
    ['with one code is repeated with another', proof, waived, { ...proof, code: 'IdentityDocument' }, true],
  ]
  for (const [what, request, events, again, isAsked] of table) {
    test(what, () => {
      const asks = (one: FollowUpRequest) => ended('IdentityCheck', { kind: 'asked', requests: [one] })
      const { opened } = play([begin, asks(request), ...events, asks(again)])
      assert.equal(opened.length, isAsked ? 1 : 0)
    })
  }

  test('may be answered by a change, if a rule asks for a document before the opening', () => {
    const [one = assert.fail()] = play([
      begin,
      ended('IdentityCheck', { kind: 'asked', requests: [proof] }),
    ]).opened
    assert.ok(mayEndByChange(one))
    assert.ok(!mayEndByChange({ ...one, kind: 'Field' }))
    assert.ok(!mayEndByChange({ ...one, blocking: false }))
    assert.ok(!mayEndByChange({ ...one, found: [] }))
    const answeredBy = (documentId: string) => ({
      ...one,
      status: 'Answered' as const,
      answers: [
        { at: '2026-03-02T10:00:00.000Z', documentId, fields: [], text: documentId === '' ? 'Because.' : '' },
      ],
    })
    assert.ok(mayEndByChange(answeredBy('D1')))
    assert.ok(!mayEndByChange(answeredBy('')))
    assert.ok(!mayEndByChange({ ...answeredBy('D1'), status: 'Accepted' }))
    assert.ok(play(asked).opened.every((other) => !mayEndByChange(other)))
  })
})
