import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { parseRetryAfter, retryDelay } from './waiting.ts'

const patience = { retryDelayMs: 250, retryDelayMsMax: 20_000 }

test('waits double up to their limit', () => {
  const delays = [1, 2, 3, 7, 8, 20].map((number) => retryDelay(number, undefined, patience, () => 1))
  assert.deepEqual(delays, [250, 500, 1000, 16_000, 20_000, 20_000])
  assert.equal(
    retryDelay(1, undefined, patience, () => 0),
    125,
  )
})

test('a wait is never shorter than the service asks, nor much longer', () => {
  const chances = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 20_000 }),
      chances,
      (number, asked, chance) => {
        const delayMs = retryDelay(number, asked, patience, () => chance)
        assert.ok(delayMs !== undefined && delayMs >= asked && delayMs <= asked + 20_000)
      },
    ),
  )
  assert.equal(retryDelay(1, 20_001, patience), undefined)
})

test('Retry-After is seconds or a date', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  const rows: [string | null, number | undefined][] = [
    ['0', 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ]
  for (const [header, expected] of rows) assert.equal(parseRetryAfter(header, now), expected, String(header))
})
