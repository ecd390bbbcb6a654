import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openSteadyClock } from './steady-clock.ts'

it('the steady clock follows the wall clock forwards, and continues on its own if the wall clock goes back', () => {
  let wallMs = 1_000_000
  let monotonicMs = 500
  const { now } = openSteadyClock(
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

it('the steady clock goes back with a wall clock that was wrong, when the clock of the database agrees', () => {
  const rightMs = 1_000_000
  let wallMs = rightMs + 36_000_000
  const clock = openSteadyClock(
    () => new Date(wallMs),
    () => 0,
  )
  clock.compare(rightMs)
  assert.equal(clock.now().getTime(), wallMs)
  wallMs = rightMs
  // The clock of the database is wrong too, or has not been seen.
  clock.compare(rightMs + 36_000_000)
  assert.equal(clock.now().getTime(), rightMs + 36_000_000)
  clock.compare(rightMs + 59_000)
  assert.equal(clock.now().getTime(), rightMs)
})
