// Blank values, and the values that remain without them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compact, isBlank } from './blank.ts'

test('null, empty texts, and lists and blocks of blank values are blank', () => {
  for (const value of [undefined, null, '', [], {}, [null], ['', {}], { a: '' }, { a: { b: [null] } }])
    assert.ok(isBlank(value), JSON.stringify(value))
  for (const value of [0, false, ' ', 'a', [0], ['', 'a'], { a: '', b: 'c' }, { a: { b: false } }])
    assert.ok(!isBlank(value), JSON.stringify(value))
})

test('blank values are removed at any depth', () => {
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

test('an empty legal address stays, because it means the mailing address, and an absent one is not added', () => {
  assert.deepEqual(compact({ legalAddress: {} }), { legalAddress: {} })
  assert.deepEqual(compact({ legalAddress: { city: '', street: 'A' } }), { legalAddress: { street: 'A' } })
  for (const legalAddress of [null, undefined]) assert.deepEqual(compact({ legalAddress }), {})
  assert.deepEqual(compact({ mailingAddress: {} }), {})
})
