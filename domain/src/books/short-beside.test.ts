/** Shares held beside a short sale: 26 USC 1233(b)(2), (d) and (e)(1); Publication 550, Short Sales, Special rules. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { type ExampleFeed, exampleFeed, exampleSecurity } from './example-lines.ts'
import { applyLine, foldAccount } from './fold.ts'
import type { HoldingState } from './holding.ts'
import { sharesBeside } from './short-beside.ts'

const xyz = exampleSecurity('XYZ')

type Lines = (feed: ExampleFeed) => ActivityLine[]

function foldOf(lines: Lines) {
  return foldAccount(lines(exampleFeed(xyz)))
}
/** Quantity, start of the holding period, and term of each closing. */
function closingsOf(lines: Lines) {
  return foldOf(lines).closings.map(({ quantity, gain, term }) => [
    renderDecimal(quantity),
    renderDecimal(gain),
    term,
  ])
}
/** Quantity and start of the holding period of each lot that is left. */
function lotsOf(lines: Lines) {
  const lots = foldOf(lines).holdings.get('XYZ')?.lots.flat() ?? []
  return lots.map(({ quantity, holdingStart }) => [renderDecimal(quantity), holdingStart])
}

function buy(feed: ExampleFeed, date: string, quantity = 100, price = 10) {
  return feed.buy({ date, quantity, netAmount: quantity * price })
}
function sell(feed: ExampleFeed, date: string, quantity = 100, price = 18) {
  return feed.sell({ date, quantity, netAmount: quantity * price })
}
function sellShort(feed: ExampleFeed, date: string, quantity = 100, price = 16) {
  return feed.sellShort({ acctType: 3, date, quantity, netAmount: quantity * price })
}
function cover(feed: ExampleFeed, date: string, quantity = 100, price = 18) {
  return feed.cover({ acctType: 3, date, quantity, netAmount: quantity * price })
}

describe('the holding period of shares beside a short sale begins when it closes', () => {
  for (const [soldShort, start, loss] of [
    ['2021-03-01', '2021-04-01', 'Short'],
    ['2021-03-02', '2021-04-01', 'Short'],
    ['2021-03-03', '2020-03-02', 'Long'],
  ] as const) {
    test(`shares bought on 2 March 2020 and a short sale on ${soldShort}`, () => {
      const lines: Lines = (feed) => [
        buy(feed, '2020-03-02'),
        sellShort(feed, soldShort),
        cover(feed, '2021-04-01'),
      ]
      assert.deepEqual(closingsOf(lines), [['-100', '-200', loss]])
      assert.deepEqual(lotsOf(lines), [['100', start]])
    })
  }

  for (const [sold, term] of [
    ['2022-03-31', 'Short'],
    ['2022-04-01', 'Short'],
    ['2022-04-02', 'Long'],
  ] as const) {
    test(`shares beside a short sale that closed on 1 April 2021 are ${term} when sold on ${sold}`, () => {
      const closings = closingsOf((feed) => [
        buy(feed, '2020-10-01'),
        sellShort(feed, '2021-01-04'),
        cover(feed, '2021-04-01'),
        sell(feed, sold),
      ])
      assert.deepEqual(closings[1], ['100', '800', term])
    })
  }

  test('shares bought after the short sale, until the day of its closing', () => {
    const lines: Lines = (feed) => [
      sellShort(feed, '2021-01-04', 300),
      buy(feed, '2021-02-01'),
      buy(feed, '2021-04-01'),
      cover(feed, '2021-04-01', 300),
      buy(feed, '2021-04-02'),
    ]
    const starts = [
      ['100', '2021-04-01'],
      ['100', '2021-04-01'],
      ['100', '2021-04-02'],
    ]
    assert.deepEqual(lotsOf(lines), starts)
  })

  test('in the order of acquisition, up to the quantity sold short', () => {
    const lines: Lines = (feed) => [
      buy(feed, '2020-10-01', 50),
      buy(feed, '2020-11-02', 100),
      sellShort(feed, '2021-01-04', 80),
      cover(feed, '2021-04-01', 80),
    ]
    assert.deepEqual(lotsOf(lines), [
      ['50', '2021-04-01'],
      ['30', '2021-04-01'],
      ['70', '2020-11-02'],
    ])
    const sold = closingsOf((feed) => [...lines(feed), sell(feed, '2021-12-01', 150)])
    assert.deepEqual(sold.slice(1), [
      ['50', '400', 'Short'],
      ['30', '240', 'Short'],
      ['70', '560', 'Long'],
    ])
  })

  test('a short sale that closes in two parts begins each with its own part', () => {
    const lines: Lines = (feed) => [
      buy(feed, '2020-10-01'),
      buy(feed, '2020-11-02'),
      sellShort(feed, '2021-01-04', 200),
      cover(feed, '2021-04-01'),
      cover(feed, '2021-05-03'),
    ]
    assert.deepEqual(lotsOf(lines), [
      ['100', '2021-04-01'],
      ['100', '2021-05-03'],
    ])
  })

  test('two short sales count for different shares, and a later one for the same again', () => {
    const two: Lines = (feed) => [
      buy(feed, '2020-10-01'),
      buy(feed, '2020-11-02'),
      sellShort(feed, '2021-01-04'),
      sellShort(feed, '2021-01-05'),
      cover(feed, '2021-04-01'),
      cover(feed, '2021-05-03'),
    ]
    assert.deepEqual(lotsOf(two), [
      ['100', '2021-04-01'],
      ['100', '2021-05-03'],
    ])
    const later: Lines = (feed) => [...two(feed), sellShort(feed, '2021-06-01'), cover(feed, '2021-07-01')]
    assert.deepEqual(lotsOf(later), [
      ['100', '2021-07-01'],
      ['100', '2021-05-03'],
    ])
  })

  test('a split before the closing', () => {
    const lines: Lines = (feed) => [
      buy(feed, '2020-10-01'),
      sellShort(feed, '2021-01-04', 60),
      sell(feed, '2021-01-05', 10),
      feed.line('Split', { date: '2021-02-01', ratio: '2:1' }),
      feed.line('Split', { acctType: 3, date: '2021-02-01', ratio: '2:1' }),
      cover(feed, '2021-04-01', 120, 9),
    ]
    assert.deepEqual(lotsOf(lines), [
      ['100', '2021-04-01'],
      ['80', '2020-10-01'],
    ])
  })

  test('shares delivered against the short sale come in the same order', () => {
    const lines: Lines = (feed) => [
      buy(feed, '2020-10-01'),
      buy(feed, '2020-11-02'),
      sellShort(feed, '2021-01-04'),
      feed.line('Journal', { date: '2021-12-01', quantity: '-100' }),
      feed.line('Journal', { acctType: 3, date: '2021-12-01', quantity: '100' }),
    ]
    assert.deepEqual(closingsOf(lines), [['-100', '600', 'Short']])
    assert.deepEqual(lotsOf(lines), [['100', '2020-11-02']])
    // The later lot is named: the earlier one is beside the short sale.
    const named: Lines = (feed) => [
      ...lines(feed).slice(0, 3),
      feed.line('Journal', { date: '2021-12-01', quantity: '-100', lotId: 'L2' }),
      feed.line('Journal', { acctType: 3, date: '2021-12-01', quantity: '100' }),
    ]
    assert.deepEqual(lotsOf(named), [['100', '2021-12-01']])
  })
})

describe('shares sold before the short sale closes', () => {
  const lines: Lines = (feed) => [
    buy(feed, '2020-10-01'),
    buy(feed, '2020-11-02'),
    sellShort(feed, '2021-01-04'),
    sell(feed, '2021-12-01'),
  ]

  test('are Short, and the others continue', () => {
    assert.deepEqual(closingsOf(lines), [['100', '800', 'Short']])
    assert.deepEqual(lotsOf(lines), [
      ['100', '2020-11-02'],
      ['-100', '2021-01-04'],
    ])
    const closed: Lines = (feed) => [...lines(feed), cover(feed, '2021-12-15')]
    assert.deepEqual(lotsOf(closed), [['100', '2020-11-02']])
  })

  test('are Short up to the quantity sold short', () => {
    const sold = closingsOf((feed) => [...lines(feed).slice(0, 3), sell(feed, '2021-12-01', 200)])
    assert.deepEqual(sold, [
      ['100', '800', 'Short'],
      ['100', '800', 'Long'],
    ])
  })

  test('open lots name the shares that a sale would make Short', () => {
    const { holdings } = foldOf((feed) => lines(feed).slice(0, 3))
    const beside = sharesBeside(holdings.get('XYZ')?.lots ?? [])
    assert.deepEqual(
      [...beside].map(([{ id }, quantity]) => [id, renderDecimal(quantity)]),
      [['L1', '100']],
    )
  })
})

describe('a loss on a short sale beside shares held for more than one year', () => {
  test('is Long for as many shares as were held, also if they are sold before the closing', () => {
    const lines: Lines = (feed) => [
      buy(feed, '2019-01-02', 60),
      sellShort(feed, '2021-01-04'),
      sell(feed, '2021-02-01', 60),
      cover(feed, '2021-04-01'),
    ]
    assert.deepEqual(closingsOf(lines).slice(1), [
      ['-60', '-120', 'Long'],
      ['-40', '-80', 'Short'],
    ])
  })

  test('is Long for the shares that close first', () => {
    const closings = closingsOf((feed) => [
      buy(feed, '2019-01-02', 60),
      sellShort(feed, '2021-01-04'),
      cover(feed, '2021-04-01', 50),
      cover(feed, '2021-04-02', 50),
    ])
    assert.deepEqual(closings, [
      ['-50', '-100', 'Long'],
      ['-10', '-20', 'Long'],
      ['-40', '-80', 'Short'],
    ])
  })

  test('the shares count for one open short sale', () => {
    const closings = closingsOf((feed) => [
      buy(feed, '2019-01-02'),
      sellShort(feed, '2021-01-04'),
      sellShort(feed, '2021-01-04'),
      cover(feed, '2021-04-01', 200),
    ])
    assert.deepEqual(closings, [
      ['-100', '-200', 'Long'],
      ['-100', '-200', 'Short'],
    ])
  })

  test('a gain is Short', () => {
    const lines: Lines = (feed) => [
      buy(feed, '2019-01-02', 60),
      sellShort(feed, '2021-01-04'),
      cover(feed, '2021-04-01', 100, 15),
    ]
    assert.deepEqual(closingsOf(lines), [['-100', '100', 'Short']])
    assert.deepEqual(lotsOf(lines), [['60', '2019-01-02']])
  })
})

test('a replacement of a washed loss has the days of the shares sold, until a short sale beside it closes', () => {
  const washed: Lines = (feed) => [
    buy(feed, '2020-01-02'),
    sell(feed, '2020-12-01', 100, 8),
    buy(feed, '2020-12-10'),
  ]
  assert.deepEqual(lotsOf(washed), [['100', '2020-01-11']])
  const short: Lines = (feed) => [
    ...washed(feed),
    sellShort(feed, '2021-01-04'),
    cover(feed, '2021-01-11', 100, 15),
  ]
  assert.deepEqual(lotsOf(short), [['100', '2021-01-11']])
})

test('a loss on shares beside a short sale adds no days to their replacement', () => {
  const lines: Lines = (feed) => [
    buy(feed, '2020-10-01'),
    sellShort(feed, '2021-01-04'),
    sell(feed, '2021-12-01', 100, 8),
    cover(feed, '2021-12-02', 100, 15),
    buy(feed, '2021-12-10'),
  ]
  const { closings, washes } = foldOf(lines)
  assert.deepEqual([closings[0]?.holdingStart, closings[0]?.term], ['2021-12-01', 'Short'])
  assert.equal(washes.length, 1)
  assert.deepEqual(lotsOf(lines), [['100', '2021-12-10']])
})

test('without the short sale, or with its cancel, the holding period continues', () => {
  const lines: Lines = (feed) => [
    buy(feed, '2020-10-01'),
    sellShort(feed, '2021-01-04'),
    cover(feed, '2021-04-01'),
    sell(feed, '2021-12-01'),
  ]
  assert.equal(closingsOf(lines)[1]?.[2], 'Short')
  const cancelled: Lines = (feed) => [
    ...lines(feed),
    feed.line('Trade', { buySell: 'SSL', acctType: 3, date: '2021-01-04', cancels: true, tagNo: 'L2' }),
    feed.line('Trade', { buySell: 'BCV', acctType: 3, date: '2021-04-01', cancels: true, tagNo: 'L3' }),
  ]
  assert.deepEqual(closingsOf(cancelled), [['100', '800', 'Long']])
})

test('lines that are added one by one make the same lots and closings', () => {
  const lines: Lines = (feed) => [
    buy(feed, '2019-10-01', 60),
    buy(feed, '2020-10-01', 60),
    sellShort(feed, '2021-01-04'),
    sell(feed, '2021-02-01', 80),
    cover(feed, '2021-04-01', 70),
    cover(feed, '2021-05-03', 30),
  ]
  const holdings = new Map<string, HoldingState>()
  const added = lines(exampleFeed(xyz)).flatMap((line) => {
    const applied = applyLine(holdings, line)
    for (const [key, holding] of applied.holdings) holdings.set(key, holding)
    return applied.closings
  })
  const fold = foldOf(lines)
  assert.deepEqual(added, fold.closings)
  assert.deepEqual(holdings, fold.holdings)
})

test('a short sale of an earlier release, a sale beyond the position and a written option change no holding period', () => {
  const earlier = foldAccount(
    ((feed: ExampleFeed) => [
      buy(feed, '2020-10-01'),
      { ...sellShort(feed, '2021-01-04'), besideShares: undefined },
      cover(feed, '2021-04-01'),
      sell(feed, '2021-12-01'),
    ])(exampleFeed(xyz)),
  )
  assert.deepEqual(
    earlier.closings.map(({ term }) => term),
    ['Short', 'Long'],
  )
  const oversold = closingsOf((feed) => [
    buy(feed, '2020-10-01'),
    feed.sell({ acctType: 3, date: '2021-01-04', quantity: 100, netAmount: 1600 }),
    cover(feed, '2021-04-01'),
    sell(feed, '2021-12-01'),
  ])
  assert.equal(oversold[1]?.[2], 'Long')
  const call = exampleSecurity('XYZ CALL', {
    multiplier: '100',
    option: { putCall: 'Call', strike: decimal('10') },
  })
  const feed = exampleFeed(call)
  const written = foldAccount([
    buy(feed, '2020-10-01', 1),
    sellShort(feed, '2021-01-04', 1),
    cover(feed, '2021-04-01', 1),
    sell(feed, '2021-12-01', 1),
  ])
  assert.equal(written.closings[1]?.term, 'Long')
})
