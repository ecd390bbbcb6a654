import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed } from '../example-lines.ts'
import { booksOf, date, held, old, other, shorted } from './test-positions.ts'

describe('splits', () => {
  test('a split without cash in lieu keeps fractions', () => {
    const { feed, lines } = held()
    assert.deepEqual(booksOf([...lines, feed.line('Split', { date, ratio: '3:2' })]), {
      lots: ['OLD L1: 151.5 for 1010 since 2022-01-03', 'OLD L2: 75 for 600 since 2024-01-03'],
      gains: [],
      moved: ['OLD 75.5 cash 0'],
      breaks: [],
    })
  })

  test('cash in lieu sells the fraction of the position, first in first out', () => {
    const { feed, lines } = held()
    assert.deepEqual(booksOf([...lines, feed.line('Split', { date, ratio: '3:2', cashInLieu: 4 })]), {
      lots: ['OLD L1: 151 for 1006.67 since 2022-01-03', 'OLD L2: 75 for 600 since 2024-01-03'],
      gains: ['CashInLieu L1: 0.5 for 4, cost 3.33, Long'],
      moved: ['OLD 75 cash 4'],
      breaks: [],
    })
  })

  test('a reverse split into less than one share sells the whole position', () => {
    const { feed, lines } = held()
    const books = booksOf([...lines, feed.line('Split', { date, ratio: '1:200', cashInLieu: 1700 })])
    assert.deepEqual(books.lots, [])
    assert.deepEqual(books.gains, [
      'CashInLieu L1: 0.505 for 1137.09, cost 1010, Long',
      'CashInLieu L2: 0.25 for 562.91, cost 600, Short',
    ])
    assert.deepEqual(books.moved, ['OLD -151 cash 1700'])
  })

  test('the results of many lots of thirds add up to the whole', () => {
    const feed = exampleFeed(old)
    const ones = [1, 2, 3].map((day) => feed.buy({ date: `2024-01-0${day}`, quantity: 1, netAmount: 10 }))
    const books = booksOf([...ones, feed.line('Split', { date, ratio: '1:3' })])
    assert.deepEqual(
      books.lots.map((lot) => lot.split(' ')[2]),
      ['0.33333334', '0.33333333', '0.33333333'],
    )
    assert.deepEqual(books.moved, ['OLD -2 cash 0'])
  })

  test('a lot too small for a unit of the result leaves its cost to the next lot', () => {
    const feed = exampleFeed(old)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: '0.00000001', netAmount: 3 }),
      feed.buy({ date: '2024-01-03', quantity: 100, netAmount: 10 }),
      feed.buy({ date: '2024-01-04', quantity: '0.00000001', netAmount: 4 }),
      feed.line('Split', { date, ratio: '1:10' }),
    ]
    assert.deepEqual(booksOf(lines).lots, ['OLD L2: 10 for 17 since 2024-01-03'])
  })

  const quantities: [
    position: 'long' | 'short',
    quantity: number,
    cashInLieu: string | undefined,
    breaks: string[],
  ][] = [
    ['long', -150, undefined, []],
    ['long', -151, undefined, ['RatioDisagrees 0']],
    ['long', -151, '17', []],
    ['long', -152, '17', ['RatioDisagrees -1']],
    ['short', -10, undefined, []],
    ['short', 9, undefined, []],
    ['short', 10, undefined, ['RatioDisagrees 0']],
    ['short', 10, '3', []],
    ['short', 11, undefined, ['RatioDisagrees 1']],
  ]
  for (const [position, quantity, cashInLieu, breaks] of quantities) {
    const paid = cashInLieu === undefined ? '' : ' with cash in lieu'
    const what = breaks.length > 0 ? 'raises a break' : 'is accepted'
    test(`a ${position} position and a change of ${quantity} shares without a ratio${paid} ${what}`, () => {
      const { feed, lines } = position === 'long' ? held() : shorted()
      const acctType = position === 'long' ? 1 : 3
      const split = feed.line('Split', { date, acctType, quantity, ...(cashInLieu && { cashInLieu }) })
      assert.deepEqual(booksOf([...lines, split]).breaks, breaks)
    })
  }

  test('a split of a short multiplies it, and the account pays the cash in lieu', () => {
    const { feed, lines } = shorted()
    assert.deepEqual(
      booksOf([...lines, feed.line('Split', { date, ratio: '5:4', cashInLieu: 9, acctType: 3 })]),
      {
        lots: ['OLD L1: -12 for -192 since 2024-01-03'],
        gains: ['CashInLieu L1: -0.5 for -9, cost -8, Short'],
        moved: ['OLD -2 cash -9'],
        breaks: [],
      },
    )
  })

  test('two splits of one day act in the order of entry, each on the result of the other', () => {
    const { feed, lines } = held()
    const inLieu = feed.line('Split', { date, ratio: '3:2', cashInLieu: 4 })
    const half = feed.line('Split', { date, ratio: '1:2', quantity: -113 })
    const both = booksOf([...lines, inLieu, half])
    assert.deepEqual(both.moved, ['OLD 75 cash 4', 'OLD -113 cash 0'])
    assert.deepEqual(both.lots, [
      'OLD L1: 75.5 for 1006.67 since 2022-01-03',
      'OLD L2: 37.5 for 600 since 2024-01-03',
    ])
    assert.deepEqual(both.breaks, [])
    const doubled = booksOf([
      ...lines,
      feed.line('Split', { date, ratio: '2:1' }),
      feed.line('Split', { date, ratio: '3:1' }),
    ])
    assert.deepEqual(doubled.moved, ['OLD 151 cash 0', 'OLD 604 cash 0'])
    assert.deepEqual(doubled.lots[0], 'OLD L1: 606 for 1010 since 2022-01-03')
  })

  test('a quantity beside a ratio has the sign that the ratio gives it, whatever sign the feed gave it', () => {
    const short = shorted()
    const long = held()
    for (const sign of [1, -1]) {
      const double = { date, acctType: 3, ratio: '2:1', quantity: 10 * sign } as const
      assert.deepEqual(booksOf([...short.lines, short.feed.line('Split', double)]), {
        lots: ['OLD L1: -20 for -200 since 2024-01-03'],
        gains: [],
        moved: ['OLD -10 cash 0'],
        breaks: [],
      })
      const inLieu = { date, acctType: 3, ratio: '5:4', quantity: 2 * sign, cashInLieu: 9 } as const
      const paid = booksOf([...short.lines, short.feed.line('Split', inLieu)])
      assert.deepEqual([paid.moved, paid.breaks], [['OLD -2 cash -9'], []])
      const half = { date, ratio: '1:2', quantity: `${75.5 * sign}` }
      const reverse = booksOf([...long.lines, long.feed.line('Split', half)])
      assert.deepEqual([reverse.moved, reverse.breaks], [['OLD -75.5 cash 0'], []])
      const none = { date, acctType: 3, ratio: '1:1', quantity: sign } as const
      const unchanged = booksOf([...short.lines, short.feed.line('Split', none)])
      assert.deepEqual(unchanged.moved, [`OLD ${sign} cash 0`])
      assert.deepEqual(unchanged.breaks, [`RatioDisagrees ${-sign}`])
    }
  })

  test('cash in lieu pays no more shares than are due, and a quantity that contradicts this raises a break', () => {
    const { feed, lines } = held()
    const split = feed.line('Split', { date, ratio: '1:2', quantity: -160, cashInLieu: 7 })
    for (const signedByRatio of [true, undefined] as const) {
      const books = booksOf([...lines, { ...split, signedByRatio }])
      assert.deepEqual([books.lots, books.moved], [[], ['OLD -151 cash 7']])
      assert.deepEqual(books.breaks, ['RatioDisagrees 84.5'])
    }
  })

  test('a line of an earlier release keeps the sign of its quantity', () => {
    const { feed, lines } = shorted()
    const split = feed.line('Split', { date, acctType: 3, ratio: '2:1', quantity: 10 })
    const books = booksOf([...lines, { ...split, signedByRatio: undefined }])
    assert.deepEqual([books.lots, books.moved], [[], ['OLD 10 cash 0']])
    assert.deepEqual(books.breaks, ['RatioDisagrees -20'])
  })

  test('the shares delivered count, and a break is raised if they disagree with the ratio and the cash', () => {
    const { feed, lines } = held()
    const split = (fields: object) =>
      booksOf([...lines, feed.line('Split', { date, externalId: 'S', ...fields })])
    assert.deepEqual(split({ ratio: '3:2', quantity: 75, cashInLieu: 4 }).breaks, [])
    assert.deepEqual(split({ ratio: '3:2', quantity: 75, cashInLieu: 4 }).moved, ['OLD 75 cash 4'])
    assert.deepEqual(split({ ratio: '3:2', quantity: '75.5' }).breaks, [])
    assert.deepEqual(split({ ratio: '3:2', quantity: 75 }).breaks, ['RatioDisagrees 0.5'])
    assert.deepEqual(split({ ratio: '3:2', quantity: 75 }).moved, ['OLD 75 cash 0'])
    assert.deepEqual(split({ ratio: '3:2', quantity: 76, cashInLieu: 4 }).breaks, ['RatioDisagrees -0.5'])
    assert.deepEqual(split({ quantity: 151 }).lots[0], 'OLD L1: 202 for 1010 since 2022-01-03')
    const unasked = split({ ratio: '2:1', cashInLieu: 4 })
    assert.deepEqual(unasked.breaks, ['RatioDisagrees 0'])
    assert.deepEqual(unasked.gains, ['CashInLieu L1: 0 for 4, cost 0, Long'])
  })

  test('a split of an empty position raises a break, and its cash is booked', () => {
    const { feed } = held()
    const books = booksOf([feed.line('Split', { date, ratio: '3:2', cashInLieu: 4 })])
    assert.deepEqual([books.breaks, books.moved], [['NothingHeld 0'], ['0 cash 4']])
  })
})

describe('positions too small for a unit of the result', () => {
  const tiny = () => {
    const feed = exampleFeed(old)
    return { feed, lines: [feed.buy({ date: '2024-01-03', quantity: '0.00000001', netAmount: 3 })] }
  }

  test('are closed by a split or a merger for the cash that it pays', () => {
    const { feed, lines } = tiny()
    const split = booksOf([
      ...lines,
      feed.line('Split', { date, ratio: '1:10', cashInLieu: 2, externalId: 'S' }),
    ])
    assert.deepEqual(split, {
      lots: [],
      gains: ['CashInLieu L1: 0.00000001 for 2, cost 3, Short'],
      moved: ['OLD -0.00000001 cash 2'],
      breaks: ['RatioDisagrees 0'],
    })
    const terms = { date, toSecurity: other, ratio: '1:10', netAmount: 5, cashInLieu: 2, externalId: 'M' }
    const merger = booksOf([...lines, feed.line('Merger', terms)])
    assert.deepEqual(merger.gains, ['CashInLieu L1: 0.00000001 for 5, cost 3, Short'])
    assert.deepEqual(merger.moved, ['OLD -0.00000001 cash 5'])
  })

  test('keep their cost in a spin-off', () => {
    const { feed, lines } = tiny()
    const terms = { date, toSecurity: other, ratio: '1:10', costShare: '0.5', cashInLieu: 2 }
    const books = booksOf([...lines, feed.line('Spinoff', terms)])
    assert.deepEqual(books.lots, ['OLD L1: 0.00000001 for 3 since 2024-01-03'])
    assert.deepEqual([books.breaks, books.moved], [['RatioDisagrees 0'], ['0 cash 2']])
  })
})
