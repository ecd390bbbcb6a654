import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from './day.ts'
import { isStatementDue, quarterStart } from './statement-periods.ts'

const cases: [day: string, nextDay: string, booked: boolean, holds: boolean, due: boolean][] = [
  ['2026-10-29', '2026-10-30', true, true, false],
  ['2026-10-30', '2026-11-02', true, false, true],
  ['2026-10-30', '2026-11-02', false, true, false],
  ['2026-11-02', '2026-11-03', true, true, false],
  ['2026-12-30', '2026-12-31', true, true, false],
  ['2026-12-31', '2027-01-04', false, true, true],
  ['2026-12-31', '2027-01-04', true, false, true],
  ['2026-12-31', '2027-01-04', false, false, false],
  ['2027-01-29', '2027-02-01', false, true, false],
  // The last business day of a quarter that ends on a weekend.
  ['2028-09-29', '2028-10-02', false, true, true],
]
/** The last business day of each month of 2026, the one before it and the one after it. */
const monthEnds: [before: string, last: string, after: string, quarter: boolean][] = [
  ['2026-01-29', '2026-01-30', '2026-02-02', false],
  ['2026-02-26', '2026-02-27', '2026-03-02', false],
  ['2026-03-30', '2026-03-31', '2026-04-01', true],
  ['2026-04-29', '2026-04-30', '2026-05-01', false],
  ['2026-05-28', '2026-05-29', '2026-06-01', false],
  ['2026-06-29', '2026-06-30', '2026-07-01', true],
  ['2026-07-30', '2026-07-31', '2026-08-03', false],
  ['2026-08-28', '2026-08-31', '2026-09-01', false],
  ['2026-09-29', '2026-09-30', '2026-10-01', true],
  ['2026-10-29', '2026-10-30', '2026-11-02', false],
  ['2026-11-27', '2026-11-30', '2026-12-01', false],
  ['2026-12-30', '2026-12-31', '2027-01-04', true],
]
for (const [before, last, after, quarter] of monthEnds) {
  test(`a position alone is stated at the close of ${last}: ${quarter ? 'yes' : 'no'}`, () => {
    const alone = { booked: false, holds: true }
    assert.equal(isStatementDue(before, last, alone), false)
    assert.equal(isStatementDue(last, after, alone), quarter)
    assert.equal(isStatementDue(after, addDays(after, 1), alone), false)
    assert.equal(isStatementDue(last, after, { booked: true, holds: false }), true)
  })
}

for (const [day, nextDay, booked, holds, due] of cases)
  test(`at the close of ${day}, ${booked ? 'with' : 'without'} activity and ${holds ? 'with' : 'without'} a position, a statement is ${due ? 'due' : 'not due'}`, () => {
    assert.equal(isStatementDue(day, nextDay, { booked, holds }), due)
  })

test('a quarter begins with January, April, July and October', () => {
  const days = ['2026-01-01', '2026-03-31', '2026-04-01', '2026-09-30', '2026-10-01', '2026-12-31']
  assert.deepEqual(days.map(quarterStart), [
    '2026-01-01',
    '2026-01-01',
    '2026-04-01',
    '2026-07-01',
    '2026-10-01',
    '2026-10-01',
  ])
})
