import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShort } from './short-load.ts'

test('a body is short when it announces at most 64 kB', () => {
  assert.deepEqual([undefined, 65_537, 65_536, 0].map(isShort), [false, false, true, true])
})
