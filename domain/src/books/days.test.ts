import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, daysBetween } from './days.ts'

const DAY_MS = 86_400_000
function isoDate(day: number) {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
const days = fc.integer({ min: -300_000, max: 300_000 })

test('dates and the days between them agree with the calendar of JavaScript', () => {
  fc.assert(
    fc.property(days, days, (from, to) => {
      assert.equal(daysBetween(isoDate(from), isoDate(to)), to - from)
      assert.equal(addDays(isoDate(from), to - from), isoDate(to))
    }),
    { numRuns: 2000 },
  )
})

test('leap days, the ends of years and the year 1000 are counted correctly', () => {
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2023-02-28', 1), '2023-03-01')
  assert.equal(addDays('2024-12-31', 1), '2025-01-01')
  assert.equal(daysBetween('1900-02-28', '1900-03-01'), 1)
  assert.equal(daysBetween('2000-02-28', '2000-03-01'), 2)
  assert.equal(addDays('1000-01-01', 365), '1001-01-01')
  for (const year of [1600, 1700, 1800, 1900, 2000, 2100, 2200, 2300, 2400]) {
    const leaps = year % 400 === 0
    assert.equal(addDays(`${year}-02-28`, 1), leaps ? `${year}-02-29` : `${year}-03-01`)
    assert.equal(addDays(`${year}-03-01`, -1), leaps ? `${year}-02-29` : `${year}-02-28`)
    assert.equal(addDays(`${year}-12-31`, 1), `${year + 1}-01-01`)
  }
})
