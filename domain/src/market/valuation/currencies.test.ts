import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURRENCIES, findCurrency } from './currencies.ts'

describe('currencies', () => {
  const table: [string, number, number][] = [
    ['USD', 840, 2],
    ['EUR', 978, 2],
    ['GBP', 826, 2],
    ['JPY', 392, 0],
    ['KRW', 410, 0],
    ['KWD', 414, 3],
    ['CLF', 990, 4],
    ['ALL', 8, 2],
    ['XCG', 532, 2],
  ]
  for (const [code, number, places] of table) {
    test(`${code} is ${number} with ${places} places`, () => {
      assert.deepEqual(findCurrency(code), { code, number, places })
    })
  }

  test('former currencies and other texts are unknown', () => {
    for (const code of ['DEM', 'HRK', 'BGN', 'ANG', 'usd', 'XAU', ''])
      assert.equal(findCurrency(code), undefined)
  })

  test('no number is used twice', () => {
    const numbers = new Set([...CURRENCIES.values()].map(({ number }) => number))
    assert.equal(numbers.size, CURRENCIES.size)
    for (const { number } of CURRENCIES.values()) assert.ok(number > 0 && number < 1000)
  })
})
