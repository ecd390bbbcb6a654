/**
 * Days in New York begin at 05:00 UTC in winter and at 04:00 UTC in summer, also on the days when the clocks change.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { easternDay, startOfEasternDay } from './calendar.ts'

const starts: [day: string, start: string][] = [
  ['2026-01-31', '2026-01-31T05:00:00.000Z'],
  ['2026-07-01', '2026-07-01T04:00:00.000Z'],
  // The clocks change at 02:00.
  ['2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['2026-11-02', '2026-11-02T05:00:00.000Z'],
]

for (const [day, start] of starts) {
  test(`${day} begins in New York at ${start}`, () => {
    const at = startOfEasternDay(day)
    assert.equal(at.toISOString(), start)
    assert.equal(easternDay(at), day)
    assert.notEqual(easternDay(new Date(at.getTime() - 1)), day)
  })
}
