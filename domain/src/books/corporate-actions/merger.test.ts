import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed } from '../example-lines.ts'
import { booksOf, date, held, old, other, shorted } from './test-positions.ts'

describe('mergers', () => {
  const merge = (fields: object) => {
    const { feed, lines } = held()
    return booksOf([
      ...lines,
      feed.line('Merger', { date, externalId: 'M', toSecurity: other, ratio: '1:2', ...fields }),
    ])
  }

  test('a merger for shares carries over cost and holding period', () => {
    assert.deepEqual(merge({}), {
      lots: ['NEW L1: 50.5 for 1010 since 2022-01-03', 'NEW L2: 25 for 600 since 2024-01-03'],
      gains: [],
      moved: ['OLD -151 cash 0', 'NEW 75.5 cash 0'],
      breaks: [],
    })
  })

  test('a merger with cash in lieu sells the fraction', () => {
    const books = merge({ cashInLieu: 12 })
    assert.deepEqual(books.lots, [
      'NEW L1: 50 for 1000 since 2022-01-03',
      'NEW L2: 25 for 600 since 2024-01-03',
    ])
    assert.deepEqual(books.gains, ['CashInLieu L1: 0.5 for 12, cost 10, Long'])
    assert.deepEqual(books.moved, ['OLD -151 cash 0', 'NEW 75 cash 12'])
  })

  test('cash in a merger lowers the cost to zero at most, and the rest is a gain', () => {
    const books = merge({ cashPerShare: 11 })
    assert.deepEqual(books.lots, [
      'NEW L1: 50.5 for 0 since 2022-01-03',
      'NEW L2: 25 for 50 since 2024-01-03',
    ])
    assert.deepEqual(books.gains, ['Merger L1: 0 for 1111, cost 1010, Long'])
    assert.deepEqual(books.moved, ['OLD -151 cash 0', 'NEW 75.5 cash 1661'])
  })

  test('a merger with a price of the shares recognizes a gain up to the cash, and recognizes no loss', () => {
    // L1: 50.5 × 20 + 202 - 1,010 = 202 gained and recognized in full. L2: 25 × 20 + 100 - 600 = 0.
    const even = merge({ cashPerShare: 2, price: 20 })
    assert.deepEqual(even.gains, ['Merger L1: 0 for 202, cost 0, Long'])
    assert.deepEqual(even.lots, [
      'NEW L1: 50.5 for 1010 since 2022-01-03',
      'NEW L2: 25 for 500 since 2024-01-03',
    ])
    // L1: 50.5 × 18 + 202 - 1,010 = 101 gained. L2: 25 × 18 + 100 - 600 = 50 lost.
    const mixed = merge({ cashPerShare: 2, price: 18 })
    assert.deepEqual(mixed.gains, ['Merger L1: 0 for 202, cost 101, Long'])
    assert.deepEqual(mixed.lots, [
      'NEW L1: 50.5 for 909 since 2022-01-03',
      'NEW L2: 25 for 500 since 2024-01-03',
    ])
  })

  test('a merger with a cost share gives the cash the rest of the cost', () => {
    const books = merge({ cashPerShare: 2, costShare: '0.9' })
    assert.deepEqual(books.gains, [
      'Merger L1: 0 for 202, cost 101, Long',
      'Merger L2: 0 for 100, cost 60, Short',
    ])
    assert.deepEqual(books.lots, [
      'NEW L1: 50.5 for 909 since 2022-01-03',
      'NEW L2: 25 for 540 since 2024-01-03',
    ])
  })

  test('a merger has no gain if the cash equals its part of the cost', () => {
    assert.deepEqual(merge({ cashPerShare: 1, costShare: '0.9' }).gains, [
      'Merger L1: 0 for 101, cost 101, Long',
      'Merger L2: 0 for 50, cost 60, Short',
    ])
  })

  test('a merger for cash pays commission and fees out of the cash, and a netAmount without them agrees', () => {
    const fees = { cashPerShare: 10, commission: 30, secFee: 8, toSecurity: undefined, ratio: undefined }
    const books = merge(fees)
    // 151 × 10.00 − 38.00 = 1,472.00, divided by 101 and 50 shares.
    assert.deepEqual(books.gains, [
      'Merger L1: 101 for 984.58, cost 1010, Long',
      'Merger L2: 50 for 487.42, cost 600, Short',
    ])
    assert.deepEqual(books.moved, ['OLD -151 cash 1472'])
    assert.deepEqual(merge({ ...fees, netAmount: 1472 }), books)
    assert.deepEqual(merge({ ...fees, netAmount: 1510 }).breaks, ['CashDisagrees 0'])
    const { feed, lines } = shorted()
    const short = feed.line('Merger', { date, acctType: 3, cashPerShare: 10, commission: 30 })
    assert.deepEqual(booksOf([...lines, short]).moved, ['OLD 10 cash -130'])
  })

  test('a merger brings no shares that replace others sold at a loss', () => {
    const feed = exampleFeed(old)
    for (const [kind, fields] of [
      ['Merger', { ratio: '1:1' }],
      ['Spinoff', { ratio: '1:1', costShare: '0.5' }],
    ] as const) {
      const books = booksOf([
        feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 200, security: other, externalId: 'N1' }),
        feed.buy({ date: '2024-05-20', quantity: 10, netAmount: 100, externalId: 'O1' }),
        feed.line(kind, { date, toSecurity: other, externalId: 'M', ...fields }),
        feed.sell({ date: '2024-06-10', quantity: 10, netAmount: 150, security: other, lotId: 'N1' }),
      ])
      const cost = kind === 'Merger' ? 100 : 50
      assert.ok(books.lots.includes(`NEW O1: 10 for ${cost} since 2024-05-20`), kind)
    }
  })

  test('lots from a merger are ordered by the day of purchase, not by the holding period of a wash sale', () => {
    const feed = exampleFeed(old)
    const books = booksOf([
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80, externalId: 'W' }),
      feed.buy({ date: '2024-02-01', quantity: 10, netAmount: 60, security: other, externalId: 'N' }),
      feed.line('Merger', { date, toSecurity: other, ratio: '1:1' }),
    ])
    assert.deepEqual(books.lots, ['NEW N: 10 for 60 since 2024-02-01', 'NEW W: 10 for 110 since 2024-01-06'])
    assert.deepEqual(books.breaks, [])
  })

  test('a sale without a named lot takes lots from a merger', () => {
    const { feed, lines } = held()
    const sale = feed.sell({ date: '2024-06-10', quantity: 10, netAmount: 900, security: other })
    const merger = feed.line('Merger', { date, toSecurity: other, ratio: '1:1' })
    assert.deepEqual(booksOf([...lines, merger, sale]).breaks, [])
  })

  test('the total netAmount of a merger includes the cash in lieu', () => {
    const books = merge({ netAmount: 314, cashInLieu: 12 })
    assert.deepEqual(books.moved, ['OLD -151 cash 0', 'NEW 75 cash 314'])
    assert.deepEqual(merge({ netAmount: 5, cashInLieu: 12 }).moved, ['OLD -151 cash 0', 'NEW 75 cash 12'])
  })

  test('a merger whose netAmount differs from its cash per share raises a break, and the cash per share counts', () => {
    const { feed, lines } = held()
    const forCash = (netAmount: number) =>
      booksOf([...lines, feed.line('Merger', { date, cashPerShare: 11, netAmount })])
    for (const netAmount of [1661, 1661.01]) assert.deepEqual(forCash(netAmount).breaks, [])
    for (const netAmount of [1661.02, -1661, 0]) {
      assert.deepEqual(
        [forCash(netAmount).breaks, forCash(netAmount).moved],
        [['CashDisagrees 0'], ['OLD -151 cash 1661']],
      )
    }
    const withShares = { cashPerShare: 2, cashInLieu: 12 }
    assert.deepEqual(merge({ ...withShares, netAmount: 314 }).breaks, [])
    assert.deepEqual(merge({ ...withShares, netAmount: 302 }).breaks, ['CashDisagrees 0'])
    const intoNothing = { ratio: '1:99999999999', cashPerShare: 2, cashInLieu: 12 }
    assert.deepEqual(merge({ ...intoNothing, netAmount: 314 }).breaks, ['RatioDisagrees 0'])
    assert.deepEqual(merge({ ...intoNothing, netAmount: 302 }).breaks, [
      'RatioDisagrees 0',
      'CashDisagrees 0',
    ])
  })

  test('a merger for cash only closes the position', () => {
    const { feed, lines } = held()
    for (const stated of [{ cashPerShare: 11 }, { netAmount: 1661 }]) {
      const books = booksOf([...lines, feed.line('Merger', { date, externalId: 'M', ...stated })])
      assert.deepEqual(books, {
        lots: [],
        gains: ['Merger L1: 101 for 1111, cost 1010, Long', 'Merger L2: 50 for 550, cost 600, Short'],
        moved: ['OLD -151 cash 1661'],
        breaks: [],
      })
    }
  })

  test('a merger for cash of more than the holding raises a break', () => {
    const { feed, lines } = held()
    const books = booksOf([...lines, feed.line('Merger', { date, quantity: 200, cashPerShare: 11 })])
    assert.deepEqual([books.breaks, books.moved], [['Oversold -49'], ['OLD -200 cash 2200']])
  })

  test('a tender gives up the named shares, and more than the holding only with a break', () => {
    const part = merge({ quantity: 110 })
    assert.deepEqual(part.lots, [
      'OLD L2: 41 for 492 since 2024-01-03',
      'NEW L1: 50.5 for 1010 since 2022-01-03',
      'NEW L2: 4.5 for 108 since 2024-01-03',
    ])
    assert.deepEqual(merge({ quantity: -110 }), part)
    assert.deepEqual(merge({ quantity: 200 }).breaks, ['Oversold -49'])
  })

  test('a merger of a short owes the shares and pays the cash', () => {
    const { feed, lines } = shorted()
    const merged = (fields: object) =>
      booksOf([
        ...lines,
        feed.line('Merger', {
          date,
          externalId: 'M',
          acctType: 3,
          toSecurity: other,
          ratio: '1:2',
          ...fields,
        }),
      ])
    assert.deepEqual(merged({ cashPerShare: 3 }), {
      lots: ['NEW L1: -5 for -170 since 2024-01-03'],
      gains: [],
      moved: ['OLD 10 cash 0', 'NEW -5 cash -30'],
      breaks: [],
    })
    assert.deepEqual(merged({ cashPerShare: 30 }).gains, ['Merger L1: 0 for -300, cost -200, Short'])
    assert.deepEqual(merged({ netAmount: -30 }), merged({ cashPerShare: 3 }))
    assert.deepEqual(merged({ quantity: 4 }).moved, ['OLD 4 cash 0', 'NEW -2 cash 0'])
  })

  test('a merger into a security that is held short closes the short at the cost of the merged lots', () => {
    const { feed, lines } = held()
    const books = booksOf([
      ...lines,
      feed.sellShort({ date: '2024-01-04', quantity: 60, netAmount: 1500, security: other }),
      feed.line('Merger', { date, toSecurity: other, ratio: '1:2' }),
    ])
    assert.deepEqual(books.gains, [
      'Cover L3: -50.5 for -1010, cost -1262.5, Short',
      'Cover L3: -9.5 for -228, cost -237.5, Short',
    ])
    assert.deepEqual(books.lots, ['NEW L2: 15.5 for 372 since 2024-01-03'])
  })

  test('a merger of an empty position raises a break, and a merger of unknown cost has no gain', () => {
    const feed = exampleFeed(old)
    const line = feed.line('Merger', {
      date,
      toSecurity: other,
      ratio: '1:2',
      cashPerShare: 5,
      cashInLieu: 2,
    })
    assert.deepEqual(booksOf([line]).breaks, ['NothingHeld 0'])
    assert.deepEqual(booksOf([line]).moved, ['0 cash 2'])
    const unknown = booksOf([
      feed.line('TransferIn', { date: '2024-01-02', quantity: 10, sequence: 0 }),
      line,
    ])
    assert.deepEqual(unknown.gains, ['CashInLieu L2: 0 for 2, cost 0, Short'])
    assert.deepEqual(unknown.lots, ['NEW L2: 5 for 0 since 2024-01-02'])
    const paid = feed.line('Merger', { date, toSecurity: other, ratio: '1:2', netAmount: 5 })
    assert.deepEqual(booksOf([paid]).moved, ['0 cash 5'])
  })
})

describe('changes of name', () => {
  test('a change of name moves all lots, one for one or by ratio', () => {
    const { feed, lines } = held()
    const plain = booksOf([...lines, feed.line('NameChange', { date, toSecurity: other, externalId: 'N' })])
    assert.deepEqual(plain, {
      lots: ['NEW L1: 101 for 1010 since 2022-01-03', 'NEW L2: 50 for 600 since 2024-01-03'],
      gains: [],
      moved: ['OLD -151 cash 0', 'NEW 151 cash 0'],
      breaks: [],
    })
    const scaled = booksOf([
      ...lines,
      feed.line('NameChange', { date, toSecurity: other, ratio: '1:10', externalId: 'N' }),
    ])
    assert.deepEqual(scaled.moved, ['OLD -151 cash 0', 'NEW 15.1 cash 0'])
  })

  test('a change of name with a ratio sells the fraction for cash in lieu', () => {
    const { feed, lines } = held()
    const renamed = { date, toSecurity: other, ratio: '1:10', cashInLieu: 2, externalId: 'N' }
    const renaming = feed.line('NameChange', renamed)
    assert.deepEqual(booksOf([...lines, renaming]), {
      lots: ['NEW L1: 10 for 1000 since 2022-01-03', 'NEW L2: 5 for 600 since 2024-01-03'],
      gains: ['CashInLieu L1: 0.1 for 2, cost 10, Long'],
      moved: ['OLD -151 cash 0', 'NEW 15 cash 2'],
      breaks: [],
    })
    const whole = feed.line('NameChange', { ...renamed, ratio: '1:1' })
    assert.deepEqual(booksOf([...lines, whole]).breaks, ['RatioDisagrees 0'])
    assert.deepEqual(booksOf([renaming]).moved, ['0 cash 2'])
  })

  test('a split with a new identifier moves the position like a change of name', () => {
    const { feed, lines } = held()
    const fields = { date, toSecurity: other, ratio: '1:10', cashInLieu: 2, externalId: 'S' }
    assert.deepEqual(
      booksOf([...lines, feed.line('Split', fields)]),
      booksOf([...lines, feed.line('NameChange', fields)]),
    )
    const moved = (quantity: number) => {
      const { moved, breaks } = booksOf([...lines, feed.line('Split', { ...fields, quantity })])
      return [...moved, ...breaks]
    }
    assert.deepEqual(moved(-136), ['OLD -151 cash 0', 'NEW 15 cash 2'])
    assert.deepEqual(moved(-135), ['OLD -151 cash 0', 'NEW 16 cash 2', 'RatioDisagrees -0.9'])
  })

  test('a change of name with a ratio restates the losses that wait for a replacement', () => {
    const feed = exampleFeed(old)
    const costAfter = (ratio: string, quantity: number) =>
      booksOf([
        feed.buy({ date: '2023-01-03', quantity: 100, netAmount: 1000 }),
        feed.sell({ date: '2024-03-01', quantity: 100, netAmount: 800 }),
        feed.line('NameChange', { date: '2024-03-10', toSecurity: other, ratio }),
        feed.buy({ date: '2024-03-12', quantity, netAmount: 800, security: other, externalId: 'B' }),
      ]).lots[0]?.split(' since')[0]
    assert.equal(costAfter('1:10', 10), 'NEW B: 10 for 1000')
    assert.equal(costAfter('2:1', 100), 'NEW B: 100 for 900')
  })

  test('a change of name moves losses that wait for a replacement, the earliest first', () => {
    const feed = exampleFeed(old)
    const sold = (day: string, security: typeof old, loss: number) => [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100, security }),
      feed.sell({ date: day, quantity: 10, netAmount: 100 - loss, security }),
    ]
    const renamed = feed.line('NameChange', { date: '2024-03-10', toSecurity: other })
    const bought = feed.buy({
      date: '2024-03-12',
      quantity: 10,
      netAmount: 100,
      security: other,
      externalId: 'B',
    })
    const costAfter = (...lines: ReturnType<typeof sold>) =>
      booksOf([...lines, renamed, bought]).lots[0]?.split(' since')[0]
    const [early, late] = ['2024-03-01', '2024-03-05']
    assert.equal(costAfter(...sold(early, old, 7), ...sold(late, other, 9)), 'NEW B: 10 for 107')
    assert.equal(costAfter(...sold(early, other, 9), ...sold(late, old, 7)), 'NEW B: 10 for 109')
    assert.equal(costAfter(...sold(early, old, 7), ...sold(early, other, 9)), 'NEW B: 10 for 109')
  })

  test('a change of name of an empty position raises a break', () => {
    const { feed } = held()
    assert.deepEqual(booksOf([feed.line('NameChange', { date, toSecurity: other })]).breaks, [
      'NothingHeld 0',
    ])
  })
})
