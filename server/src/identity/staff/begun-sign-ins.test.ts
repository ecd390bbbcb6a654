import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countBegunSignIns } from './begun-sign-ins.ts'

test('a network begins a limited number of sign-ins in a minute, and others are not affected', () => {
  let nowMs = 0
  const begun = countBegunSignIns({ max: 2, clockMs: () => nowMs })
  const take = (...addresses: string[]) => addresses.map((address) => begun.take(address))
  assert.deepEqual(take('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'), [0, 0, 60, 0])
  // The first 64 bits of an IPv6 address are the network.
  assert.deepEqual(take('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'), [0, 0, 60, 0])
  nowMs = 59_001
  assert.deepEqual(take('192.0.2.1'), [1])
  nowMs = 60_000
  assert.deepEqual(take('192.0.2.1'), [0])
})
