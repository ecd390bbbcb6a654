/** Mergers and spin-offs that are taxable: the shares received cost what they are worth, and are held from then on. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExampleLine, exampleFeed, exampleSecurity } from '../example-lines.ts'
import { booksOf, date, held, old, other, shorted } from './test-positions.ts'

describe('a taxable merger', () => {
  const merge = (fields: Partial<ExampleLine>, { feed, lines } = held(), lotMethod = 'FIFO' as const) =>
    booksOf(
      [
        ...lines,
        feed.line('Merger', {
          ...{ date, externalId: 'M', toSecurity: other, ratio: '1:2', price: 21, taxable: true },
          ...fields,
        }),
      ],
      lotMethod,
    )

  test('closes each lot at the value of the shares received, which opens one lot on its day', () => {
    assert.deepEqual(merge({}), {
      lots: [`NEW M: 75.5 for 1585.5 since ${date}`],
      gains: ['Merger L1: 101 for 1060.5, cost 1010, Long', 'Merger L2: 50 for 525, cost 600, Short'],
      moved: ['OLD -151 cash 0', 'NEW 75.5 cash 0'],
      breaks: [],
    })
  })

  test('adds the cash for each share, or the netAmount, to the value', () => {
    const books = merge({ cashPerShare: 2 })
    assert.deepEqual(books, {
      lots: [`NEW M: 75.5 for 1585.5 since ${date}`],
      gains: ['Merger L1: 101 for 1262.5, cost 1010, Long', 'Merger L2: 50 for 625, cost 600, Short'],
      moved: ['OLD -151 cash 0', 'NEW 75.5 cash 302'],
      breaks: [],
    })
    assert.deepEqual(merge({ netAmount: 302 }), books)
    assert.deepEqual(merge({ cashPerShare: 2, netAmount: 303 }).breaks, ['CashDisagrees 0'])
  })

  test('counts cash in lieu of a fraction among the proceeds, and delivers whole shares', () => {
    assert.deepEqual(merge({ cashPerShare: 2, cashInLieu: 10 }), {
      lots: [`NEW M: 75 for 1575 since ${date}`],
      gains: ['Merger L1: 101 for 1262.17, cost 1010, Long', 'Merger L2: 50 for 624.83, cost 600, Short'],
      moved: ['OLD -151 cash 0', 'NEW 75 cash 312'],
      breaks: [],
    })
    assert.deepEqual(merge({ ratio: '1:1', cashInLieu: 10 }).breaks, ['RatioDisagrees 0'])
    assert.deepEqual(merge({ ratio: '1:1000', cashInLieu: 3 }), {
      lots: [],
      gains: ['Merger L1: 101 for 2.01, cost 1010, Long', 'Merger L2: 50 for 0.99, cost 600, Short'],
      moved: ['OLD -151 cash 0', '0 cash 3'],
      breaks: [],
    })
  })

  test('gives up the shares named, and more than the holding only with a break', () => {
    const part = merge({ quantity: 110 })
    assert.deepEqual(part.lots, ['OLD L2: 41 for 492 since 2024-01-03', `NEW M: 55 for 1155 since ${date}`])
    assert.deepEqual(part.gains, [
      'Merger L1: 101 for 1060.5, cost 1010, Long',
      'Merger L2: 9 for 94.5, cost 108, Short',
    ])
    assert.deepEqual(merge({ quantity: 110, lotId: 'L2' }).gains[0], 'Merger L2: 50 for 525, cost 600, Short')
    assert.deepEqual(merge({ quantity: 200 }).breaks, ['Oversold -49'])
  })

  test('of a short position covers it, and sells the new shares short at their value', () => {
    assert.deepEqual(merge({ acctType: 3, cashPerShare: 3, cashInLieu: 1, ratio: '1:4' }, shorted()), {
      lots: [`NEW M: -2 for -42 since ${date}`],
      gains: ['Merger L1: -10 for -73, cost -200, Short'],
      moved: ['OLD 10 cash 0', 'NEW -2 cash -31'],
      breaks: [],
    })
  })

  test('covers the new security where it is held short, at the value', () => {
    const { feed, lines } = held()
    const short = feed.sellShort({ date: '2024-01-04', quantity: 60, netAmount: 1500, security: other })
    const books = merge({}, { feed, lines: [...lines, short] })
    assert.deepEqual(books.gains.at(-1), 'Cover L3: -60 for -1260, cost -1500, Short')
    assert.deepEqual(books.lots, [`NEW M: 15.5 for 325.5 since ${date}`])
    const named = merge({ lotId: 'L1', quantity: 101 }, { feed, lines: [...lines, short] })
    assert.deepEqual([named.breaks, named.gains[0]], [[], 'Merger L1: 101 for 1060.5, cost 1010, Long'])
  })

  test('has a cost for shares that had none, and no gain for them', () => {
    const feed = exampleFeed(old)
    const arrived = feed.line('TransferIn', { date: '2024-01-02', quantity: 10 })
    const books = merge({}, { feed, lines: [arrived] })
    assert.deepEqual(books.lots, [`NEW M: 5 for 105 since ${date}`])
    assert.deepEqual(books.gains, ['Merger L1: 10 for 105, cost 0, Short'])
  })

  test('replaces shares of the new security that were sold at a loss up to 30 days before', () => {
    const costAfter = (sold: string) => {
      const feed = exampleFeed(old)
      const lines = [
        feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 500, security: other }),
        feed.sell({ date: sold, quantity: 10, netAmount: 200, security: other }),
        feed.buy({ date: '2023-01-03', quantity: 20, netAmount: 100 }),
      ]
      return merge({}, { feed, lines }).lots[0]?.split(' since')[0]
    }
    assert.equal(costAfter('2024-05-03'), 'NEW M: 10 for 210')
    assert.equal(costAfter('2024-05-04'), 'NEW M: 10 for 510')
  })

  test('counts a price in percent of par, and the units of a contract', () => {
    const bond = exampleSecurity('BOND', { priceDivisor: '100' })
    assert.deepEqual(merge({ toSecurity: bond, ratio: '1000:151', price: '98.5' }).lots, [
      `BOND M: 1000 for 985 since ${date}`,
    ])
    const warrant = exampleSecurity('UNIT', { multiplier: '100' })
    assert.deepEqual(merge({ toSecurity: warrant, ratio: '2:151', price: '3' }).lots, [
      `UNIT M: 2 for 600 since ${date}`,
    ])
  })

  test('of an empty position raises a break', () => {
    const books = merge({ cashPerShare: 1 }, { feed: exampleFeed(old), lines: [] })
    assert.deepEqual([books.breaks, books.lots], [['NothingHeld 0'], []])
  })

  test('makes shares that a sale can name by the merger', () => {
    const { feed, lines } = held()
    const merger = feed.line('Merger', {
      ...{ date, externalId: 'M', toSecurity: other, ratio: '1:2', price: 21, taxable: true as const },
    })
    const sale = { date: '2025-06-03', quantity: 5, netAmount: 200, security: other, lotId: 'M' }
    const onTheDay = booksOf([...lines, merger, feed.sell(sale)])
    assert.deepEqual(onTheDay.gains.at(-1), 'Sale M: 5 for 200, cost 105, Short')
    const dayAfter = booksOf([...lines, merger, feed.sell({ ...sale, date: '2025-06-04' })])
    assert.deepEqual(dayAfter.gains.at(-1), 'Sale M: 5 for 200, cost 105, Long')
    assert.deepEqual(dayAfter.breaks, [])
  })
})

describe('a taxable spin-off', () => {
  const spin = (fields: Partial<ExampleLine>, { feed, lines } = held()) =>
    booksOf([
      ...lines,
      feed.line('Spinoff', {
        ...{ date, externalId: 'S', toSecurity: other, ratio: '1:4', price: 8, taxable: true },
        ...fields,
      }),
    ])
  const kept = ['OLD L1: 101 for 1010 since 2022-01-03', 'OLD L2: 50 for 600 since 2024-01-03']

  test('opens a lot at its value on its day, and leaves the cost of the parent', () => {
    assert.deepEqual(spin({}), {
      lots: [...kept, `NEW S: 37.75 for 302 since ${date}`],
      gains: [],
      moved: ['NEW 37.75 cash 0'],
      breaks: [],
    })
    assert.deepEqual(spin({ quantity: 37 }).lots, [...kept, `NEW S: 37 for 296 since ${date}`])
  })

  test('sells the fraction for the cash in lieu', () => {
    assert.deepEqual(spin({ cashInLieu: 7 }), {
      lots: [...kept, `NEW S: 37 for 296 since ${date}`],
      gains: ['CashInLieu S: 0.75 for 7, cost 6, Short'],
      moved: ['NEW 37 cash 7'],
      breaks: [],
    })
  })

  test('of a short position owes the new shares at their value', () => {
    assert.deepEqual(spin({ acctType: 3, ratio: '1:5' }, shorted()), {
      lots: ['OLD L1: -10 for -200 since 2024-01-03', `NEW S: -2 for -16 since ${date}`],
      gains: [],
      moved: ['NEW -2 cash 0'],
      breaks: [],
    })
  })

  test('replaces no shares that were sold at a loss: it is no purchase', () => {
    const { feed, lines } = held()
    const sold = [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 500, security: other }),
      feed.sell({ date: '2024-06-01', quantity: 10, netAmount: 200, security: other }),
    ]
    assert.deepEqual(
      spin({}, { feed, lines: [...lines, ...sold] }).lots.at(-1),
      `NEW S: 37.75 for 302 since ${date}`,
    )
  })
})

describe('a taxable line', () => {
  const rows: [string, 'Merger' | 'Spinoff' | 'Split' | 'Dividend', Partial<ExampleLine>, RegExp][] = [
    ['a merger without a price', 'Merger', { price: undefined }, /ERR.1000","field":"price"/],
    ['a spin-off without a price', 'Spinoff', { price: undefined }, /ERR.1000","field":"price"/],
    ['a merger with a cost share', 'Merger', { costShare: 0 }, /ERR.1015","field":"costShare"/],
    ['a spin-off with a cost share', 'Spinoff', { costShare: 1 }, /ERR.1015","field":"costShare"/],
    [
      'a merger for cash alone',
      'Merger',
      { toSecurity: undefined, cashPerShare: 1 },
      /ERR.1015","field":"taxable"/,
    ],
    ['a split', 'Split', {}, /ERR.1015","field":"taxable"/],
    ['a dividend', 'Dividend', { toSecurity: undefined, netAmount: 1 }, /ERR.1015","field":"taxable"/],
  ]
  for (const [what, transType, fields, refusal] of rows)
    test(`of ${what} is refused`, () => {
      const feed = exampleFeed(old)
      const terms = { date, toSecurity: other, ratio: '1:2', price: 21, taxable: true } as const
      assert.throws(() => feed.line(transType, { ...terms, ...fields }), refusal)
    })
})
