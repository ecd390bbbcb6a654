/** Amounts that are written directly as JSON text have the same digits as through objects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderAmounts, writeAmounts } from './render-amounts.ts'

test('amounts are written as the same text that JSON.stringify gives for the rendered structure', () => {
  const leaf = fc.oneof(
    fc.bigInt(-(10n ** 30n), 10n ** 30n),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), tie('object')),
    object: fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(tie('value'), fc.constant(undefined))),
  }))
  fc.assert(
    fc.property(value, (structure) => {
      assert.equal(writeAmounts(structure), JSON.stringify(renderAmounts(structure)))
    }),
  )
})
