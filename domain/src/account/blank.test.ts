// What says nothing, and what is left when it is taken away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compact, isBlank } from './blank.ts'

test('nothing, and whatever is made of nothing, is blank', () => {
  for (const value of [undefined, null, '', [], {}, [null], ['', {}], { a: '' }, { a: { b: [null] } }])
    assert.ok(isBlank(value), JSON.stringify(value))
  for (const value of [0, false, ' ', 'a', [0], ['', 'a'], { a: '', b: 'c' }, { a: { b: false } }])
    assert.ok(!isBlank(value), JSON.stringify(value))
})

test('what is blank is taken away at any depth', () => {
  assert.deepEqual(
    compact({
      a: '',
      b: null,
      c: undefined,
      d: {},
      e: [],
      f: [null, 'x', '', { g: '', h: 'y' }],
      i: { j: {}, k: 'z' },
    }),
    { f: ['x', { h: 'y' }], i: { k: 'z' } },
  )
  for (const value of ['a', 0, false, null]) assert.equal(compact(value), value)
})

test('an empty legal address stays, since it means the mailing address; one that was not given does not', () => {
  assert.deepEqual(compact({ legalAddress: {} }), { legalAddress: {} })
  assert.deepEqual(compact({ legalAddress: { city: '', street: 'A' } }), { legalAddress: { street: 'A' } })
  for (const legalAddress of [null, undefined]) assert.deepEqual(compact({ legalAddress }), {})
  assert.deepEqual(compact({ mailingAddress: {} }), {})
})
