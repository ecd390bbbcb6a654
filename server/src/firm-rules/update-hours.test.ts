import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseOutsideHours } from './update-hours.ts'

const hours: [string, string, number | undefined][] = [
  ['noon on a Friday', '2026-11-20T17:00:00Z', undefined],
  ['the minute of opening', '2026-11-20T12:00:00Z', undefined],
  ['one minute before the opening', '2026-11-20T11:59:00Z', 60],
  ['the minute of closing on a Friday', '2026-11-21T00:30:00Z', (2 * 24 * 60 + 11 * 60 + 30) * 60],
  [
    'the minute of closing before a Monday without trading',
    '2027-01-16T00:30:00Z',
    (3 * 24 * 60 + 11 * 60 + 30) * 60,
  ],
  ['noon on Thanksgiving', '2026-11-26T17:00:00Z', 19 * 60 * 60],
  ['the minute of opening in daylight saving time', '2026-07-01T11:00:00Z', undefined],
]
for (const [what, at, seconds] of hours) {
  test(`accounts ${seconds === undefined ? 'can' : 'cannot'} be changed at ${what}`, () => {
    const refused = refuseOutsideHours(new Date(at))
    assert.equal(refused?.retryAfterSeconds, seconds)
    if (seconds !== undefined) assert.equal(refused?.rejections[0]?.code, 'ERR.1004')
  })
}
