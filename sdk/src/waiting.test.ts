import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { nextRetry, parseRetryAfter, retryDelay, retryLimitsOf, wait } from './waiting.ts'

const patience = { retryDelayMs: 250, retryDelayMsMax: 20_000 }

test('waits double up to their limit', () => {
  const delays = [1, 2, 3, 7, 8, 20].map((number) => retryDelay(number, undefined, patience, () => 1))
  assert.deepEqual(delays, [250, 500, 1000, 5_000, 5_000, 5_000])
  const slow = { retryDelayMs: 8_000, retryDelayMsMax: 10_000 }
  assert.deepEqual(
    [1, 2].map((number) => retryDelay(number, undefined, slow, () => 1)),
    [8_000, 8_000],
  )
  const short = { retryDelayMs: 50, retryDelayMsMax: 120 }
  assert.deepEqual(
    [1, 2, 3].map((number) => retryDelay(number, undefined, short, () => 1)),
    [50, 100, 120],
  )
  assert.equal(
    retryDelay(1, undefined, patience, () => 0),
    125,
  )
})

test('a wait is at least as long as the service requests, and not much longer', () => {
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

test('retries are limited by time unless a number is given', () => {
  const none = Number.POSITIVE_INFINITY
  const rows: [...Parameters<typeof retryLimitsOf>, retries: number, retryForMs: number][] = [
    [{}, {}, none, 60_000],
    [{}, { retryForMs: 5_000 }, none, 5_000],
    [{ retryForMs: 7_000 }, { retryForMs: 5_000 }, none, 7_000],
    [{}, { retries: 4 }, 4, none],
    [{}, { retries: 4, retryForMs: 5_000 }, 4, 5_000],
    [{ retries: 2 }, { retryForMs: 5_000 }, 2, none],
    [{ retries: 0 }, {}, 0, none],
    [{ retryForMs: 7_000 }, { retries: 4 }, 4, 7_000],
  ]
  for (const [ofCall, ofClient, retries, retryForMs] of rows)
    assert.deepEqual(retryLimitsOf(ofCall, ofClient), { retries, retryForMs })
})

test('callers retry through a failover of 59 seconds and stop at 60 seconds', () => {
  const limits = retryLimitsOf({}, {})
  for (let round = 0; round < 100; round++) {
    let elapsedMs = 0
    const sentAt: number[] = []
    for (let number = 1; ; number++) {
      const delayMs = nextRetry(limits, number, elapsedMs, number % 3 === 0 ? 1_000 : undefined, patience)
      if (delayMs === undefined) break
      elapsedMs += delayMs
      sentAt.push(elapsedMs)
    }
    assert.ok((sentAt.at(-1) ?? 0) >= 59_000 && (sentAt.at(-1) ?? 0) <= 60_001, String(sentAt.at(-1)))
    assert.ok(sentAt.length >= 10 && sentAt.length <= 40, String(sentAt.length))
    assert.ok(sentAt.every((at, index) => at - (sentAt[index - 1] ?? 0) <= 6_000))
  }
})

test('a Retry-After beyond the time of the retries ends the call', () => {
  const limits = { retries: 9, retryForMs: 10_000 }
  assert.equal(nextRetry(limits, 1, 4_000, 7_000, patience), undefined)
  assert.ok((nextRetry(limits, 1, 4_000, 6_000, patience) ?? 0) >= 6_000)
  assert.equal(nextRetry(limits, 10, 0, undefined, patience), undefined)
})

test('many waits of one signal add one listener, which the last wait removes', async () => {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1
    add(...given)
  }
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...given)
  }
  const waits = Array.from({ length: 40 }, () => wait(20, signal))
  assert.equal(listeners, 1)
  await Promise.all(waits)
  assert.equal(listeners, 0)
  const aborted = Array.from({ length: 40 }, () =>
    wait(60_000, signal).catch((cause: Error) => cause.message),
  )
  controller.abort(new Error('enough'))
  assert.deepEqual(new Set(await Promise.all(aborted)), new Set(['enough']))
})
