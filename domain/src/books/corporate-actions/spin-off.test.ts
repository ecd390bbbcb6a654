import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed } from '../example-lines.ts'
import { booksOf, date, held, old, other, shorted } from './test-positions.ts'

describe('spin-offs', () => {
  test('move a part of the cost of each lot to the cent, and keep the holding period', () => {
    const { feed, lines } = held()
    const books = booksOf([
      ...lines,
      feed.line('Spinoff', { date, toSecurity: other, ratio: '1:4', costShare: '0.123', cashInLieu: 2 }),
    ])
    assert.deepEqual(books, {
      lots: [
        'OLD L1: 101 for 885.77 since 2022-01-03',
        'OLD L2: 50 for 526.2 since 2024-01-03',
        'NEW L1: 24.5 for 120.54 since 2022-01-03',
        'NEW L2: 12.5 for 73.8 since 2024-01-03',
      ],
      gains: ['CashInLieu L1: 0.75 for 2, cost 3.69, Long'],
      moved: ['NEW 37 cash 2'],
      breaks: [],
    })
  })

  test('may give the shares delivered, and a StockDividend in another security has the same effect', () => {
    for (const kind of ['Spinoff', 'StockDividend'] as const) {
      const { feed, lines } = held()
      const books = booksOf([
        ...lines,
        feed.line(kind, { date, toSecurity: other, quantity: 30, costShare: '0.5' }),
      ])
      assert.deepEqual(books.moved, ['NEW 30 cash 0'])
      assert.deepEqual(books.lots.slice(2), [
        'NEW L1: 20.06622517 for 505 since 2022-01-03',
        'NEW L2: 9.93377483 for 300 since 2024-01-03',
      ])
    }
  })

  test('of a short owe the shares that a quantity beside a ratio states, whatever its sign', () => {
    const { feed, lines } = shorted()
    for (const quantity of [5, -5]) {
      const terms = {
        date,
        acctType: 3,
        toSecurity: other,
        ratio: '1:2',
        costShare: '0.25',
        quantity,
      } as const
      const books = booksOf([...lines, feed.line('Spinoff', terms)])
      assert.deepEqual([books.moved, books.breaks], [['NEW -5 cash 0'], []])
    }
  })

  test('of a short owe the new shares', () => {
    const { feed, lines } = shorted()
    const books = booksOf([
      ...lines,
      feed.line('Spinoff', { date, acctType: 3, toSecurity: other, ratio: '1:2', costShare: '0.25' }),
    ])
    assert.deepEqual(books.lots, [
      'OLD L1: -10 for -150 since 2024-01-03',
      'NEW L1: -5 for -50 since 2024-01-03',
    ])
    assert.deepEqual(books.moved, ['NEW -5 cash 0'])
  })

  test('of an empty position raise a break', () => {
    const { feed } = held()
    const books = booksOf([
      feed.line('Spinoff', { date, toSecurity: other, ratio: '1:2', costShare: '0.25', cashInLieu: 3 }),
    ])
    assert.deepEqual([books.breaks, books.moved], [['NothingHeld 0'], ['0 cash 3']])
  })

  test('make lots that a sale can name by the spin-off or by the purchase', () => {
    for (const lotId of ['spin', 'L2']) {
      const { feed, lines } = held()
      const books = booksOf([
        ...lines,
        feed.line('Spinoff', { date, toSecurity: other, ratio: '1:1', costShare: '0.5', externalId: 'spin' }),
        feed.buy({ date, quantity: 5, netAmount: 50, security: other }),
        feed.sell({ date, quantity: 5, netAmount: 60, security: other, lotId }),
      ])
      assert.deepEqual(books.breaks, [])
      assert.equal(books.gains.length, 1)
    }
  })

  test('and later mergers make lots with different names', () => {
    const feed = exampleFeed(old)
    const books = booksOf([
      feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 100 }),
      feed.line('Spinoff', { date, toSecurity: other, ratio: '1:1', costShare: '0.5' }),
      feed.line('Merger', { date, toSecurity: other, ratio: '1:1' }),
    ])
    assert.deepEqual(books.lots, [
      'NEW L1: 10 for 50 since 2024-01-03',
      'NEW L1/1: 10 for 50 since 2024-01-03',
    ])
  })

  test('parts of a lot keep their names in a merger, and later parts get other names', () => {
    const feed = exampleFeed(old)
    const books = booksOf([
      feed.buy({ date: '2023-01-03', quantity: 3, netAmount: 30, security: other }),
      feed.buy({ date: '2023-01-03', quantity: 2, netAmount: 20 }),
      feed.sell({ date: '2024-05-01', quantity: 2, netAmount: 10 }),
      feed.buy({ date: '2024-05-02', quantity: 5, netAmount: 50, externalId: 'B' }),
      feed.sell({ date: '2024-05-20', quantity: 1, netAmount: 5, lotId: 'L1', security: other }),
      feed.line('Merger', { date: '2024-05-21', toSecurity: other, ratio: '1:1' }),
      feed.line('Journal', { date: '2024-05-22', quantity: -1, lotId: 'B', security: other }),
      feed.line('Journal', { date: '2024-05-22', quantity: 1, acctType: 2, security: other }),
    ])
    assert.deepEqual(
      books.lots.map((lot) => lot.split(':')[0]),
      ['NEW L1', 'NEW B/1', 'NEW B', 'NEW B/2'],
    )
  })
})
