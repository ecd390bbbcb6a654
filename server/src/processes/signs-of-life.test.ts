/** A process hangs when it answers none of the questions of a minute, and not before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignsOfLife, unansweredMax } from './signs-of-life.ts'

function ask(signs: SignsOfLife, times: number): boolean[] {
  return Array.from({ length: times }, () => signs.mayAsk())
}

test('a process hangs after the last unanswered question, not before', () => {
  const signs = new SignsOfLife()
  assert.ok(ask(signs, unansweredMax).every(Boolean))
  assert.deepEqual(ask(signs, 2), [false, false])
})

test('an answer to any question, also to the last one, begins the count again', () => {
  const signs = new SignsOfLife()
  for (const questions of [1, unansweredMax - 1, unansweredMax]) {
    assert.ok(ask(signs, questions).every(Boolean), String(questions))
    signs.heard()
  }
  assert.ok(ask(signs, unansweredMax).every(Boolean))
  assert.equal(signs.mayAsk(), false)
})
