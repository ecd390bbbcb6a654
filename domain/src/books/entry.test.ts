/** What an entry accepts: legs that balance per currency and per security, in any order. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal } from '../decimal.ts'
import { type Leg, makeEntry } from './entry.ts'

/** `USD 5` is cash, and `xyz 5` shares of a security. */
function legs(...texts: string[]): Leg[] {
  return texts.map((text) => {
    const [name = '', amount = ''] = text.split(' ')
    const asset = /^[A-Z]/.test(name)
      ? ({ kind: 'cash', currency: name } as const)
      : ({ kind: 'security', securityKey: name } as const)
    return { ledger: 'customer', acctType: 1, asset, amount: decimal(amount) }
  })
}

describe('an entry', () => {
  for (const texts of [
    [],
    ['USD 5', 'USD -5'],
    ['USD 5', 'USD -3', 'USD -2'],
    ['USD 5', 'xyz 1', 'USD -5', 'xyz -1'],
    ['xyz 1', 'USD 5', 'USD -2', 'xyz -1', 'USD -3'],
    ['EUR 1', 'USD 1', 'xyz 1', 'EUR -1', 'USD -1', 'xyz -1'],
  ]) {
    test(`balances: ${texts.join(', ') || 'no legs'}`, () => {
      assert.equal(makeEntry('L1', legs(...texts)).legs.length, texts.length)
    })
  }

  for (const [texts, asset] of [
    [['USD 5'], 'USD'],
    [['USD 5', 'USD -4.99'], 'USD'],
    [['USD 5', 'EUR -5'], 'USD'],
    [['USD 5', 'xyz 1', 'USD -5'], 'xyz'],
    [['USD 5', 'USD -5', 'xyz 1'], 'xyz'],
    [['USD 5', 'USD -5', 'abc 1', 'xyz -1'], 'abc'],
    [['USD 5', 'abc 1', 'USD -5', 'abc -1', 'EUR 0.01'], 'EUR'],
  ] as const) {
    test(`is refused: ${texts.join(', ')}`, () => {
      assert.throws(() => makeEntry('L1', legs(...texts)), new RegExp(`out of balance .*${asset}`))
    })
  }

  test('leaves out legs of zero', () => {
    assert.equal(makeEntry('L1', legs('USD 5', 'USD 0', 'USD -5', 'xyz 0')).legs.length, 2)
  })
})
