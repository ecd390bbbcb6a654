/** The time by which an application is expected to continue is the time after which the inbox marks it as late. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FollowUp, OnboardingState } from '@clearing/domain'
import { expectedBy, reviewDueBy, reviewLateBefore } from './expected-by.ts'

describe('a review is expected by the same time of the next market day', () => {
  for (const [what, since, due] of [
    ['on a weekday', '2026-11-18T15:30:00Z', '2026-11-19T15:30:00Z'],
    ['over a weekend', '2026-11-20T15:30:00Z', '2026-11-23T15:30:00Z'],
    ['from a Saturday, by the end of Monday', '2026-11-21T15:30:00Z', '2026-11-24T05:00:00Z'],
    ['over Thanksgiving', '2026-11-25T20:00:00Z', '2026-11-27T20:00:00Z'],
    [
      'over the end of daylight saving time, at the same hour of New York',
      '2026-10-30T14:00:00Z',
      '2026-11-02T15:00:00Z',
    ],
    [
      'late in the evening, when it is already the next day in UTC',
      '2026-11-19T03:00:00Z',
      '2026-11-20T03:00:00Z',
    ],
  ] as const) {
    test(what, () => assert.equal(reviewDueBy(new Date(since)).toISOString(), due.replace('Z', '.000Z')))
  }
})

test('an item is late only after its due time', () => {
  const hourMs = 3_600_000
  const from = Date.parse('2026-11-17T00:15:00Z')
  for (let waited = 0; waited < 24 * 20; waited += 3) {
    const since = new Date(from + waited * hourMs)
    const due = reviewDueBy(since).getTime()
    for (let passed = 0; passed < 24 * 8; passed++) {
      const now = new Date(since.getTime() + passed * hourMs)
      const isLate = since < reviewLateBefore(now)
      assert.equal(isLate, now.getTime() > due, `${since.toISOString()} at ${now.toISOString()}`)
    }
  }
})

describe('an application is expected to continue', () => {
  const followUp = { id: 'FU-1', status: 'Open', dueBy: '2026-12-01T00:00:00.000Z' } as FollowUp
  const state = (currentState: string, ...followUps: FollowUp[]) =>
    ({ currentState, followUps }) as unknown as OnboardingState
  const since = '2026-11-18T15:30:00.000Z'
  const answered = {
    status: 'Answered',
    answers: [{ at: '2026-11-19T10:00:00.000Z' }],
  } as unknown as FollowUp
  for (const [what, given, due] of [
    ['at no time while the service works', state('Screening'), null],
    ['at no time at the end', state('CreationComplete', followUp), null],
    ['within a market day in review', state('ManualReview', followUp), '2026-11-19T15:30:00.000Z'],
    [
      'by the earliest day of the open follow-ups',
      state('ActionRequired', followUp, { ...followUp, dueBy: '2026-11-30T00:00:00.000Z' }, answered),
      '2026-11-30T00:00:00.000Z',
    ],
    ['within a market day of the last answer', state('ActionRequired', answered), '2026-11-20T10:00:00.000Z'],
    [
      'without regard to follow-ups that are answered',
      state('ActionRequired', answered, { ...followUp, blocking: false }),
      '2026-11-20T10:00:00.000Z',
    ],
  ] as const) {
    test(what, () => assert.equal(expectedBy(given, since), due))
  }
})
