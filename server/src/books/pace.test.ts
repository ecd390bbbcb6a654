/** A load pauses while calls run, and keeps most of the time. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Calls, slowPaceLimits, YieldingPace } from './pace.ts'

const { gapMs, pauseMsMax, waitsMsMax } = slowPaceLimits

let calls: Calls
let pace: YieldingPace
let nowMs: number
let waited: number[]
beforeEach(() => {
  calls = new Calls()
  nowMs = 1_000
  waited = []
  pace = new YieldingPace(calls, {
    now: () => nowMs,
    async wait(ms) {
      waited.push(ms)
      nowMs += ms
    },
  })
})

/** Works for the given milliseconds before each turn. */
async function work(nextSlice: () => Promise<void>, ...slicesMs: number[]): Promise<void> {
  for (const ms of slicesMs) {
    nowMs += ms
    await nextSlice()
  }
}

describe('a load', () => {
  test('runs without pauses while no call is running', async () => {
    await work(pace.slices(), 5, 500, 3)
    assert.equal(pace.isSlow, false)
    assert.deepEqual(waited, [])
  })

  test('pauses for a fifth of the time that it has worked while a call is running, up to a limit', async () => {
    calls.begin()
    assert.equal(pace.isSlow, true)
    await work(pace.slices(), 5, 2, 8, 5 * pauseMsMax + 1)
    assert.deepEqual(waited, [1, 0.4, 1.6, pauseMsMax])
    calls.end()
    nowMs += gapMs
    await work(pace.slices(), 5)
    assert.equal(waited.length, 4)
  })

  test('pauses for calls that begin and end between its slices', async () => {
    const nextSlice = pace.slices()
    calls.begin()
    calls.end()
    await work(nextSlice, 5)
    nowMs += gapMs - 2
    assert.equal(pace.isSlow, true)
    nowMs += 1
    assert.equal(pace.isSlow, false)
    assert.deepEqual(waited, [1])
  })

  test('pauses one after the other with other loads', async () => {
    calls.begin()
    const [one, other] = [pace.slices(), pace.slices()]
    nowMs += 5
    const began = nowMs
    await Promise.all([one(), other()])
    assert.deepEqual(waited, [1, 1])
    assert.equal(nowMs, began + 2)
  })

  test('limits the time by which pauses prolong its locks, for any number of calls', async () => {
    calls.begin()
    const slices = Array.from({ length: 1_000 }, () => 5 * pauseMsMax)
    await work(pace.slices(), ...slices)
    assert.equal(
      waited.reduce((sum, ms) => sum + ms),
      waitsMsMax,
    )
  })
})
