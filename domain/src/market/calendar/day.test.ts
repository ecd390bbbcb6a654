import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  addMonths,
  dateOfDay,
  dayNumber,
  daysBetween,
  isLastOfMonth,
  splitDate,
  weekdayOf,
} from './day.ts'

const days = fc.integer({ min: -719_162, max: 2_932_896 })

describe('calendar days', () => {
  test('a day number and its date convert into each other, as the Date of the platform counts them', () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = dateOfDay(day)
        assert.equal(dayNumber(date), day)
        assert.equal(date, new Date(day * 86_400_000).toISOString().slice(0, 10))
        assert.equal(weekdayOf(day), new Date(day * 86_400_000).getUTCDay())
      }),
    )
  })

  test('the days at the ends of centuries follow each other', () => {
    const pairs: [string, string][] = [
      ['1899-12-31', '1900-01-01'],
      ['1900-02-28', '1900-03-01'],
      ['1999-12-31', '2000-01-01'],
      ['2000-02-28', '2000-02-29'],
      ['2000-02-29', '2000-03-01'],
      ['2099-12-31', '2100-01-01'],
      ['2100-02-28', '2100-03-01'],
      ['2200-02-28', '2200-03-01'],
      ['2300-02-28', '2300-03-01'],
      ['2400-02-29', '2400-03-01'],
    ]
    for (const [day, next] of pairs) {
      assert.equal(addDays(day, 1), next)
      assert.equal(addDays(next, -1), day)
      assert.equal(daysBetween(day, next), 1)
    }
  })

  test('an added month gives the same day of the month, or the last day of a shorter month', () => {
    const monthEnds = [
      '02-28',
      '03-31',
      '04-30',
      '05-31',
      '06-30',
      '07-31',
      '08-31',
      '09-30',
      '10-31',
      '11-30',
      '12-31',
    ]
    for (const [index, end] of monthEnds.entries())
      assert.equal(addMonths('2023-01-31', index + 1), `2023-${end}`)
    assert.equal(addMonths('2024-08-31', -6), '2024-02-29')
    assert.equal(addMonths('2024-02-29', 6), '2024-08-29')
    assert.equal(addMonths('2024-02-29', 6, 31), '2024-08-31')
    assert.equal(addMonths('2024-01-15', -1), '2023-12-15')
    assert.equal(addMonths('2023-12-15', 25), '2026-01-15')
  })

  test('days are added across leap days and the ends of years', () => {
    assert.equal(addDays('2024-02-28', 2), '2024-03-01')
    assert.equal(addDays('2024-01-01', -1), '2023-12-31')
    assert.equal(daysBetween('2024-01-01', '2025-01-01'), 366)
    assert.equal(daysBetween('2025-01-01', '2024-01-01'), -366)
    assert.equal(addDays('1000-01-01', 365), '1001-01-01')
    // The second time, the date comes from the cache.
    assert.equal(addDays('1000-01-01', 365), '1001-01-01')
    assert.ok(isLastOfMonth(splitDate('2023-02-28')))
    assert.ok(!isLastOfMonth(splitDate('2024-02-28')))
  })
})
