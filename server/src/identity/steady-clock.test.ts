import assert from 'node:assert/strict'
import { it } from 'node:test'
import { steadyClock } from './steady-clock.ts'

it('the steady clock follows the wall clock forwards, and continues on its own if the wall clock goes back', () => {
  let wallMs = 1_000_000
  let monotonicMs = 500
  const now = steadyClock(
    () => new Date(wallMs),
    () => monotonicMs,
  )
  assert.equal(now().getTime(), 1_000_000)
  wallMs += 60_000
  monotonicMs += 100
  assert.equal(now().getTime(), 1_060_000)
  wallMs = 400_000
  assert.equal(now().getTime(), 1_000_100)
  monotonicMs += 5_000
  assert.equal(now().getTime(), 1_005_100)
})
