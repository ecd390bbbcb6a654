import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import { fundTerms } from './fund-class.ts'

describe('the terms of an exchange-traded fund', () => {
  const table: [string, boolean, string][] = [
    ['Common Stock', false, '1'],
    ['Broad Common Stock 3x', false, '1'],
    ['ETF', false, '1'],
    ['ETFs', false, '1'],
    ['Exchange-Traded Fund', false, '1'],
    ['Broad-Based ETF', true, '1'],
    ['Broad ETN', true, '1'],
    ['Leveraged ETF 2x', false, '2'],
    ['Broad-Based Leveraged ETF 3X', true, '3'],
    ['Inverse ETF -1x', false, '1'],
    ['Inverse ETF -2x', false, '2'],
    ['ETF 1.5 x', false, '1.5'],
    ['ETF 0.5x', false, '1'],
    ['ETF 1.25x', false, '1.25'],
    ['ETF 10x', false, '10'],
    ['Leveraged ETF 300%', false, '3'],
    ['ETF 150 %', false, '1.5'],
    ['ETF 50%', false, '1'],
    ['Leveraged ETF', false, '4'],
    ['UltraPro ETF', false, '4'],
  ]
  for (const [name, isBroadBased, leverage] of table) {
    test(`"${name}" has the multiple ${leverage}`, () => {
      const terms = fundTerms(name)
      assert.equal(terms.isBroadBased, isBroadBased)
      assert.equal(renderDecimal(terms.leverage), leverage)
    })
  }
})
