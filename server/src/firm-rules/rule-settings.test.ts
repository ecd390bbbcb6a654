// The rules of an account count ages and dates by the day in New York, whatever the hour in UTC.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FirmContext } from './context.ts'
import { ruleSettings } from './rule-settings.ts'

const days: [instant: string, day: string][] = [
  ['2026-11-20T23:59:59.999Z', '2026-11-20'],
  ['2026-11-21T00:00:00.000Z', '2026-11-20'],
  ['2026-11-21T04:59:59.999Z', '2026-11-20'],
  ['2026-11-21T05:00:00.000Z', '2026-11-21'],
  // Daylight saving time.
  ['2026-07-01T03:59:59.999Z', '2026-06-30'],
  ['2026-07-01T04:00:00.000Z', '2026-07-01'],
  // The turn of a year, and of a leap day.
  ['2027-01-01T04:59:59.999Z', '2026-12-31'],
  ['2028-03-01T04:59:59.999Z', '2028-02-29'],
]

describe('the day of the rules', () => {
  for (const [instant, day] of days) {
    test(`is ${day} at ${instant}`, () => {
      const context = {
        now: new Date(instant),
        parts: { sandbox: false },
        refused: { rejections: [], paths: new Set() },
      } as unknown as FirmContext
      assert.equal(ruleSettings(context).today, day)
    })
  }
})
