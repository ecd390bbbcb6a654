/**
 * The dates that count: the trade date for holding periods, the holding period that a wash sale lengthens, and the
 * record date of a return of capital.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'
import type { Term } from './term.ts'

const xyz = exampleSecurity('XYZ')

describe('a gain is long-term from the day after a year, by trade dates', () => {
  const rows: [string, string, string, Term][] = [
    ['a day before the end of the year', '2024-02-29', '2024-03-04', 'Short'],
    ['on the last day of the year, with a later settlement', '2024-03-01', '2024-03-05', 'Short'],
    ['on the day after the year', '2024-03-02', '2024-03-06', 'Long'],
  ]
  for (const [when, sold, settled, term] of rows) {
    test(`a lot bought on 1 March 2023 and sold ${when} is ${term}`, () => {
      const feed = exampleFeed(xyz)
      const lines = [
        feed.buy({ date: '2023-03-01', settleDate: '2023-03-03', quantity: 10, netAmount: 100 }),
        feed.sell({ date: sold, settleDate: settled, quantity: 10, netAmount: 120 }),
      ]
      const [closing] = foldAccount(lines).closings
      assert.deepEqual(
        [closing?.openDate, closing?.holdingStart, closing?.closeDate, closing?.settleDate, closing?.term],
        ['2023-03-01', '2023-03-01', sold, settled, term],
      )
    })
  }

  test('the year of a lot bought on 27 February ends on 27 February, even before a leap day', () => {
    const term = (sold: string) => {
      const feed = exampleFeed(xyz)
      const bought = feed.buy({ date: '2023-02-27', quantity: 1, netAmount: 10 })
      return foldAccount([bought, feed.sell({ date: sold, quantity: 1, netAmount: 12 })]).closings[0]?.term
    }
    assert.deepEqual([term('2024-02-27'), term('2024-02-28'), term('2024-02-29')], ['Short', 'Long', 'Long'])
  })
})

describe('the days that washed shares were held are added to the holding period of their replacement', () => {
  // Held for 59 days and sold at a loss, then bought again on 5 March 2024, so the holding period starts on 6
  // January.
  const washed = (sold: string) => {
    const feed = exampleFeed(xyz)
    return foldAccount([
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
      feed.sell({ date: sold, quantity: 10, netAmount: 200 }),
    ]).closings[1]
  }
  const rows: [string, Term][] = [
    ['2025-01-05', 'Short'],
    ['2025-01-06', 'Short'],
    ['2025-01-07', 'Long'],
    ['2025-03-05', 'Long'],
  ]
  for (const [sold, term] of rows) {
    test(`a replacement bought on 5 March 2024 and sold on ${sold} is ${term}`, () => {
      const closing = washed(sold)
      assert.deepEqual(
        [closing?.openDate, closing?.holdingStart, closing?.term],
        ['2024-03-05', '2024-01-06', term],
      )
    })
  }

  test('a second washed loss adds the days of both lots', () => {
    const feed = exampleFeed(xyz)
    const { holdings } = foldAccount([
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
      feed.sell({ date: '2024-03-15', quantity: 10, netAmount: 60 }),
      feed.buy({ date: '2024-03-20', quantity: 10, netAmount: 50 }),
    ])
    const [lot] = holdings.get('XYZ')?.lots[0] ?? []
    assert.deepEqual([lot?.openDate, lot?.holdingStart], ['2024-03-20', '2024-01-11'])
  })

  test('a position has the day of purchase, not the start of the holding period', () => {
    const feed = exampleFeed(xyz)
    const { positions } = foldAccount([
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
    ])
    assert.deepEqual(
      positions.map(({ openDate }) => openDate),
      ['2024-03-05'],
    )
  })
})

test('a lot transferred in without a date of acquisition counts from the trade date, whenever it settles', () => {
  const feed = exampleFeed(xyz)
  const { holdings } = foldAccount([
    feed.line('TransferIn', { date: '2024-03-05', settleDate: '2024-03-07', quantity: 10, cost: 100 }),
  ])
  const [lot] = holdings.get('XYZ')?.lots[0] ?? []
  assert.deepEqual([lot?.openDate, lot?.holdingStart], ['2024-03-05', '2024-03-05'])
})

describe('the date from which a line counts', () => {
  const costs = (...lines: Parameters<typeof foldAccount>[0]) =>
    foldAccount(lines)
      .holdings.get('XYZ')
      ?.lots.flat()
      .map((lot) => `${lot.id} ${lot.cost / 10n ** 10n}`)

  test('of a purchase is the trade date, so the lot that was bought first and settles last is sold first', () => {
    const feed = exampleFeed(xyz)
    const left = costs(
      feed.buy({ date: '2024-03-02', settleDate: '2024-03-03', quantity: 1, netAmount: 20 }),
      feed.buy({ date: '2024-03-01', settleDate: '2024-03-09', quantity: 1, netAmount: 10 }),
      feed.sell({ date: '2024-03-12', quantity: 1, netAmount: 30 }),
    )
    assert.deepEqual(left, ['L1 20'])
  })

  test('of a return of capital is the end of its record date, if it has one', () => {
    const rows: [string, string[]][] = [
      ['2024-02-01', ['L1 100', 'L3 90']],
      ['2024-03-01', ['L1 100', 'L3 90']],
      ['2024-03-02', ['L1 100', 'L3 85']],
      ['2024-03-03', ['L1 100', 'L3 85']],
    ]
    for (const [bought, expected] of rows) {
      const feed = exampleFeed(xyz)
      const left = costs(
        feed.line('TransferIn', { date: '2023-01-02', quantity: 10, cost: 100, acctType: 2 }),
        feed.line('ReturnOfCapital', { date: '2024-04-01', asOfDate: '2024-03-01', netAmount: 10 }),
        feed.buy({ date: bought, quantity: 10, netAmount: bought <= '2024-03-01' ? 100 : 85 }),
      )
      assert.deepEqual(left?.toSorted(), expected, bought)
    }
  })

  test('of a dividend is the trade date, even if it has a record date', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.line('Split', { date: '2024-03-05', asOfDate: '2024-02-01', ratio: '2:1' }),
      feed.buy({ date: '2024-03-01', quantity: 10, netAmount: 100 }),
    ]
    assert.equal(foldAccount(lines).positions[0]?.quantity, 20n * 10n ** 10n)
  })
})
