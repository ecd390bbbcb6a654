/** A business day ends at 18:00 in New York: at 23:00 UTC in winter, and at 22:00 UTC in summer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstDayAt } from './first-day.ts'

const days: [at: string, day: string, why: string][] = [
  ['2026-11-30T22:59:59.999Z', '2026-11-30', 'before the close in winter'],
  ['2026-11-30T23:00:00.000Z', '2026-12-01', 'from the close in winter'],
  ['2026-12-01T04:59:59.999Z', '2026-12-01', 'at the last instant of a day in New York'],
  ['2026-12-01T05:00:00.000Z', '2026-12-01', 'at the first instant of a day in New York'],
  ['2026-07-01T21:59:59.999Z', '2026-07-01', 'before the close in summer'],
  ['2026-07-01T22:00:00.000Z', '2026-07-02', 'from the close in summer'],
  ['2026-12-04T23:00:00.000Z', '2026-12-07', 'from the close on a Friday'],
  ['2026-12-05T12:00:00.000Z', '2026-12-07', 'on a Saturday'],
  ['2026-12-06T23:30:00.000Z', '2026-12-07', 'on the evening of a Sunday'],
  ['2026-12-24T23:00:00.000Z', '2026-12-28', 'from the close before a holiday and a weekend'],
]

for (const [at, day, why] of days) {
  test(`a sandbox that starts ${why} (${at}) begins with ${day}`, () => {
    assert.equal(firstDayAt(new Date(at)), day)
  })
}

test('the day ends at the time of the setting CLOSE_AT', () => {
  assert.equal(firstDayAt(new Date('2026-12-01T00:30:00.000Z'), '20:00'), '2026-11-30')
  assert.equal(firstDayAt(new Date('2026-12-01T01:00:00.000Z'), '20:00'), '2026-12-01')
})
