import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { booksOf, date } from './test-positions.ts'

describe('bonds', () => {
  const bond = exampleSecurity('BOND', { priceDivisor: '100' })
  function bought() {
    const feed = exampleFeed(bond)
    return { feed, lines: [feed.buy({ date: '2022-01-03', quantity: 10000, price: 95 })] }
  }

  test('mature at par with separate interest', () => {
    const { feed, lines } = bought()
    assert.deepEqual(booksOf([...lines, feed.line('Maturity', { date, interest: 250 })]), {
      lots: [],
      gains: ['Maturity L1: 10000 for 10000, cost 9500, Long'],
      moved: ['BOND -10000 cash 10250'],
      breaks: [],
    })
  })

  test('are redeemed in part at a price or for an amount', () => {
    const { feed, lines } = bought()
    const atPrice = booksOf([
      ...lines,
      feed.line('Redemption', { date, quantity: 4000, price: 102, externalId: 'R' }),
    ])
    assert.deepEqual(atPrice.gains, ['Redemption L1: 4000 for 4080, cost 3800, Long'])
    assert.deepEqual(atPrice.lots, ['BOND L1: 6000 for 5700 since 2022-01-03'])
    const forAmount = booksOf([
      ...lines,
      feed.line('Redemption', { date, quantity: 4000, netAmount: 4079, externalId: 'R' }),
    ])
    assert.deepEqual(forAmount.moved, ['BOND -4000 cash 4079'])
  })

  test('are redeemed less the costs of the redemption', () => {
    const { feed, lines } = bought()
    const books = booksOf([
      ...lines,
      feed.line('Redemption', { date, commission: 25, secFee: '0.5', interest: 10 }),
    ])
    assert.deepEqual(books.gains, ['Redemption L1: 10000 for 9974.5, cost 9500, Long'])
    assert.deepEqual(books.moved, ['BOND -10000 cash 9984.5'])
  })

  test('are redeemed for cash with a break if the quantity exceeds the holding or the position is empty', () => {
    const { feed, lines } = bought()
    const more = feed.line('Redemption', { date, quantity: 10100, price: 100 })
    const books = booksOf([...lines, more])
    assert.deepEqual([books.moved, books.breaks], [['BOND -10100 cash 10100'], ['Oversold -100']])
    const unheld = booksOf([more])
    assert.deepEqual(unheld.moved, ['BOND -10100 cash 10100'])
    assert.deepEqual(unheld.breaks, ['NothingHeld 0', 'Oversold -10100'])
    const principal = feed.line('FactorChange', { date, ratio: '0.9:1', netAmount: 5 })
    assert.deepEqual(booksOf([principal]).moved, ['0 cash 5'])
  })

  test('that are held short cost principal and interest', () => {
    const feed = exampleFeed(bond)
    const books = booksOf([
      feed.sellShort({ date: '2022-01-03', quantity: 1000, price: 95, acctType: 3 }),
      feed.line('Maturity', { date, acctType: 3, interest: 25 }),
    ])
    assert.deepEqual(books.gains, ['Maturity L1: -1000 for -1000, cost -950, Short'])
    assert.deepEqual(books.moved, ['BOND 1000 cash -1025'])
  })

  test('of a pool return principal at a factor change, against its part of the remaining cost', () => {
    const { feed, lines } = bought()
    const paid = feed.line('FactorChange', { date, ratio: '0.9:1', interest: 30 })
    const again = feed.line('FactorChange', { date, ratio: '0.72:0.9', netAmount: 1800.01 })
    const books = booksOf([...lines, paid, again])
    assert.deepEqual(books.gains, [
      'Principal L1: 0 for 1000, cost 950, Long',
      'Principal L1: 0 for 1800.01, cost 1710, Long',
    ])
    assert.deepEqual(books.lots, ['BOND L1: 10000 for 6840 since 2022-01-03'])
    assert.deepEqual(books.moved, ['0 cash 1030', '0 cash 1800.01'])
  })

  test('of a pool return nothing if the factor does not fall, and a factor change of an empty position raises a break', () => {
    const { feed, lines } = bought()
    const risen = feed.line('FactorChange', { date, ratio: '0.95:0.9' })
    assert.deepEqual([booksOf([...lines, risen]).gains, booksOf([...lines, risen]).moved], [[], []])
    assert.deepEqual(booksOf([risen]).breaks, ['NothingHeld 0'])
  })

  test('of a pool that are held short pay principal', () => {
    const feed = exampleFeed(bond)
    const short = feed.sellShort({ date: '2022-01-03', quantity: 1000, price: 95, acctType: 3 })
    for (const stated of [{ interest: 5 }, { interest: 5, netAmount: 105 }]) {
      const books = booksOf([
        short,
        feed.line('FactorChange', { date, acctType: 3, ratio: '0.9:1', externalId: 'F', ...stated }),
      ])
      assert.deepEqual(books.gains, ['Principal L1: 0 for -100, cost -95, Short'])
      assert.deepEqual(books.moved, ['0 cash -105'])
    }
  })
})
