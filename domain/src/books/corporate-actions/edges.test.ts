/**
 * Edge cases of corporate actions: empty positions, short positions, part of a holding, cash and shares together, and
 * disallowed losses that are carried over.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { foldAccount } from '../fold.ts'
import { booksOf, date, held, old, other, shorted } from './test-positions.ts'

/** Ten shares of OLD for 110, of which 30 are a disallowed loss, held since 6 January 2024. */
function washed() {
  const feed = exampleFeed(old)
  const lines = [
    feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
    feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
    feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
  ]
  return { feed, lines }
}
function washesOf(lines: readonly ActivityLine[]) {
  return [...foldAccount(lines).holdings.values()].flatMap(({ security, lots }) =>
    lots
      .flat()
      .map((lot) => `${security.key} ${renderDecimal(lot.cost)}, of it ${renderDecimal(lot.washAdded)}`),
  )
}

describe('a corporate action on an empty position', () => {
  const rows: [string, Parameters<ReturnType<typeof exampleFeed>['line']>, string[]][] = [
    ['a tender of some shares', ['Merger', { date, quantity: 5, toSecurity: other, ratio: '1:1' }], []],
    ['a merger that pays nothing', ['Merger', { date, cashPerShare: 5 }], []],
    ['a split', ['Split', { date, ratio: '2:1' }], []],
    ['an expiration', ['Expiration', { date }], []],
    ['an expiration with cash', ['Expiration', { date, cashInLieu: 5 }], ['0 cash 5']],
    [
      'a change of name with cash',
      ['NameChange', { date, toSecurity: other, ratio: '1:10', cashInLieu: 5 }],
      ['0 cash 5'],
    ],
    [
      'a return of capital with two amounts',
      ['ReturnOfCapital', { date, netAmount: 25, cashPerShare: 5 }],
      ['0 cash 25'],
    ],
    ['a maturity at a price per unit', ['Maturity', { date, price: 5 }], []],
    [
      'a payment of principal with interest, of which the interest is booked,',
      ['FactorChange', { date, ratio: '0.5:1', interest: 5 }],
      ['0 cash 5'],
    ],
  ]
  for (const [event, [kind, fields], moved] of rows) {
    test(`${event} changes no holding and raises a break`, () => {
      const feed = exampleFeed(old)
      const books = booksOf([feed.line(kind, fields)])
      assert.deepEqual(books, { lots: [], gains: [], moved, breaks: ['NothingHeld 0'] })
    })
  }
})

describe('a ratio that leaves nothing', () => {
  const nothing = '1:1000000000'
  for (const [what, fields, books] of [
    [
      'a split',
      { ratio: nothing },
      { lots: [], gains: ['CashInLieu L1: 1 for 0, cost 10, Short'], moved: ['OLD -1 cash 0'], breaks: [] },
    ],
    [
      'a change of name with cash',
      { ratio: nothing, toSecurity: other, cashInLieu: 4 },
      {
        lots: [],
        gains: ['CashInLieu L1: 1 for 4, cost 10, Short'],
        moved: ['OLD -1 cash 4'],
        breaks: ['RatioDisagrees 0'],
      },
    ],
    [
      'a split whose quantity ends the position for cash',
      { ratio: '1:2', quantity: -1, cashInLieu: 4 },
      { lots: [], gains: ['CashInLieu L1: 0.5 for 4, cost 10, Short'], moved: ['OLD -1 cash 4'], breaks: [] },
    ],
    [
      'a quantity that ends the position for cash of zero',
      { quantity: -1, cashInLieu: 0 },
      {
        lots: [],
        gains: ['CashInLieu L1: 1 for 0, cost 10, Short'],
        moved: ['OLD -1 cash 0'],
        breaks: ['RatioDisagrees 0'],
      },
    ],
  ] as const) {
    test(`closes the lots: ${what}`, () => {
      const feed = exampleFeed(old)
      const kind = 'toSecurity' in fields ? 'NameChange' : 'Split'
      assert.deepEqual(
        booksOf([
          feed.buy({ date: '2024-01-03', quantity: 1, netAmount: 10 }),
          feed.line(kind, { date, ...fields }),
        ]),
        books,
      )
    })
  }
})

test('the quantity of a change of name is not added to the shares', () => {
  const { feed, lines } = held()
  const { lots, breaks } = booksOf([
    ...lines,
    feed.line('NameChange', { date, toSecurity: other, quantity: 151 }),
  ])
  assert.deepEqual(
    lots.map((lot) => lot.replace(/ since.*/, '')),
    ['NEW L1: 101 for 1010', 'NEW L2: 50 for 600'],
  )
  assert.deepEqual(breaks, [])
})

test('the reason for two amounts that disagree has both with cents', () => {
  const { feed, lines } = held()
  const line = feed.line('ReturnOfCapital', { date, netAmount: 50, cashPerShare: 1 })
  const [found] = foldAccount([...lines, line]).breaks
  assert.match(found?.reason ?? '', /^netAmount is 50\.00, and .* comes to 151\.00 for/)
})

describe('an expiration of a part of a holding', () => {
  const rows: [number, string[], string[]][] = [
    [100, ['Expiration L1: 100 for 0, cost 1000, Long'], ['OLD L1: 1 for 10', 'OLD L2: 50 for 600']],
    [
      150,
      ['Expiration L1: 101 for 0, cost 1010, Long', 'Expiration L2: 49 for 0, cost 588, Short'],
      ['OLD L2: 1 for 12'],
    ],
  ]
  for (const [quantity, gains, left] of rows) {
    test(`of ${quantity} of 151 units closes the lots bought first`, () => {
      const { feed, lines } = held()
      const books = booksOf([...lines, feed.line('Expiration', { date, quantity })])
      assert.deepEqual(books.gains, gains)
      assert.deepEqual(
        books.lots.map((lot) => lot.replace(/ since.*/, '')),
        left,
      )
      assert.deepEqual(books.breaks, [])
    })
  }

  test('of more than the holding opens a short and raises a break', () => {
    const { feed, lines } = held()
    const books = booksOf([...lines, feed.line('Expiration', { date, quantity: 152 })])
    assert.deepEqual(books.breaks, ['Oversold -1'])
  })
})

describe('corporate actions on short positions', () => {
  test('a merger with a price of the shares gives a short a loss of what it owes beyond its proceeds', () => {
    // Sold short for 200. The short seller owes shares worth 150 and 80 in cash: 30 more than it received.
    const { feed, lines } = shorted()
    const merger = feed.line('Merger', {
      date,
      acctType: 3,
      toSecurity: other,
      ratio: '1:1',
      cashPerShare: 8,
      price: 15,
    })
    assert.deepEqual(booksOf([...lines, merger]), {
      lots: ['NEW L1: -10 for -150 since 2024-01-03'],
      gains: ['Merger L1: 0 for -80, cost -50, Short'],
      moved: ['OLD 10 cash 0', 'NEW -10 cash -80'],
      breaks: [],
    })
  })

  test('the same merger gives a long a gain of all that it receives beyond its cost', () => {
    const feed = exampleFeed(old)
    const rows: [number, string[]][] = [
      // The cost and the gain of a long. The shares are worth 150 and the cash is 80.
      [120, ['Merger L1: 0 for 80, cost 0, Short']],
      [150, ['Merger L1: 0 for 80, cost 0, Short']],
      [200, ['Merger L1: 0 for 80, cost 50, Short']],
      [229, ['Merger L1: 0 for 80, cost 79, Short']],
      [230, []],
      [240, []],
    ]
    for (const [cost, gains] of rows) {
      const books = booksOf([
        feed.buy({ date: '2024-01-03', quantity: 10, netAmount: cost, externalId: 'L1' }),
        feed.line('Merger', { date, toSecurity: other, ratio: '1:1', cashPerShare: 8, price: 15 }),
      ])
      assert.deepEqual(books.gains, gains, `cost ${cost}`)
    }
  })

  test('a split of a short into less than one share is paid in cash by the account', () => {
    const { feed, lines } = shorted()
    const split = feed.line('Split', { date, acctType: 3, ratio: '1:10000000000', cashInLieu: 5 })
    assert.deepEqual(booksOf([...lines, split]), {
      lots: [],
      gains: ['CashInLieu L1: -10 for -5, cost -200, Short'],
      moved: ['OLD 10 cash -5'],
      breaks: ['RatioDisagrees 0'],
    })
  })

  test('a short pays the amount that a long receives at a redemption, with separate interest', () => {
    const { feed, lines } = shorted()
    const redemption = feed.line('Redemption', {
      date,
      acctType: 3,
      quantity: 4,
      netAmount: -90,
      interest: 2,
    })
    assert.deepEqual(booksOf([...lines, redemption]), {
      lots: ['OLD L1: -6 for -120 since 2024-01-03'],
      gains: ['Redemption L1: -4 for -88, cost -80, Short'],
      moved: ['OLD 4 cash -90'],
      breaks: [],
    })
  })

  test('a short owes the principal that a long receives', () => {
    const { feed, lines } = shorted()
    const change = feed.line('FactorChange', {
      date,
      acctType: 3,
      ratio: '0.75:1',
      netAmount: -55,
      interest: 5,
    })
    assert.deepEqual(booksOf([...lines, change]), {
      lots: ['OLD L1: -10 for -150 since 2024-01-03'],
      gains: ['Principal L1: 0 for -50, cost -50, Short'],
      moved: ['0 cash -55'],
      breaks: [],
    })
  })
})

describe('corporate actions with cash and shares', () => {
  test('cash in lieu of zero is no cash in lieu, so fractions are delivered', () => {
    const feed = exampleFeed(old)
    const bought = feed.buy({ date: '2024-01-03', quantity: 3, netAmount: 30 })
    const split = (cashInLieu: number | undefined) =>
      booksOf([bought, feed.line('Split', { date, ratio: '3:2', cashInLieu, externalId: 'S' })])
    assert.deepEqual(split(undefined).lots, ['OLD L1: 4.5 for 30 since 2024-01-03'])
    assert.deepEqual(split(0), split(undefined))
    assert.deepEqual(split(5).lots, ['OLD L1: 4 for 26.67 since 2024-01-03'])
  })

  test('the netAmount of a merger for shares includes the cash in lieu and is never less', () => {
    const cash = (netAmount: number) => {
      const feed = exampleFeed(old)
      return booksOf([
        feed.buy({ date: '2024-01-03', quantity: 3, netAmount: 30 }),
        feed.line('Merger', { date, toSecurity: other, ratio: '1:2', netAmount, cashInLieu: 4 }),
      ]).moved
    }
    assert.deepEqual(cash(10), ['OLD -3 cash 0', 'NEW 1 cash 10'])
    assert.deepEqual(cash(4), ['OLD -3 cash 0', 'NEW 1 cash 4'])
    assert.deepEqual(cash(3), ['OLD -3 cash 0', 'NEW 1 cash 4'])
  })

  test('a merger for cash only pays its netAmount, even if a ratio is given', () => {
    const { feed, lines } = held()
    const merger = feed.line('Merger', { date, ratio: '1:1', netAmount: 1510, cashInLieu: 10 })
    assert.deepEqual(booksOf([...lines, merger]).moved, ['OLD -151 cash 1510'])
  })
})

describe('a disallowed loss in the cost moves with the cost', () => {
  const rows: [string, (feed: ReturnType<typeof exampleFeed>) => ActivityLine, string[]][] = [
    [
      'a change of name moves all of it',
      (feed) => feed.line('NameChange', { date, toSecurity: other }),
      ['NEW 110, of it 30'],
    ],
    [
      'a spin-off moves a part of it',
      (feed) => feed.line('Spinoff', { date, toSecurity: other, ratio: '1:1', costShare: '0.4' }),
      ['OLD 66, of it 18', 'NEW 44, of it 12'],
    ],
    [
      'a repayment of principal removes a part of it',
      (feed) => feed.line('FactorChange', { date, ratio: '0.5:1', netAmount: 50 }),
      ['OLD 55, of it 15'],
    ],
    ['a split keeps all of it', (feed) => feed.line('Split', { date, ratio: '3:1' }), ['OLD 110, of it 30']],
    [
      'a merger with cash moves the part that the cash leaves',
      (feed) => feed.line('Merger', { date, toSecurity: other, ratio: '1:1', cashPerShare: 9 }),
      ['NEW 20, of it 20'],
    ],
  ]
  for (const [what, lineOf, expected] of rows) {
    test(`${what}: ${expected.join(' and ')}`, () => {
      const { feed, lines } = washed()
      assert.deepEqual(washesOf([...lines, lineOf(feed)]), expected)
    })
  }

  test('the last lot, which a reverse split reduces to nothing, leaves its loss to the lot before it', () => {
    const { feed, lines } = washed()
    const older = feed.line('TransferIn', {
      date: '2024-04-01',
      quantity: 10_000_000_000,
      cost: 50,
      openDate: '2020-01-02',
    })
    const split = feed.line('Split', { date, ratio: '1:10000000000' })
    assert.deepEqual(washesOf([...lines, older, split]), ['OLD 160, of it 30'])
  })

  test('a lot that a reverse split reduces to nothing leaves its cost and loss to the next lot', () => {
    const { feed, lines } = washed()
    const tiny = [
      feed.line('TransferIn', {
        date: '2024-05-01',
        quantity: '0.00000004',
        cost: 7,
        openDate: '2020-01-02',
      }),
      feed.line('Split', { date, ratio: '1:10' }),
    ]
    assert.deepEqual(washesOf([...lines, ...tiny]), ['OLD 117, of it 30'])
  })
})

describe('options', () => {
  const call = exampleSecurity('CALL', {
    multiplier: '100',
    option: { putCall: 'Call', strike: decimal('50') },
  })
  const put = exampleSecurity('PUT', { multiplier: '100', option: { putCall: 'Put', strike: decimal('50') } })
  const shares = exampleSecurity('XYZ')

  test('the assignment of a call pays the strike less commission and fee', () => {
    const { buy, sellShort, line } = exampleFeed(shares)
    const books = booksOf([
      buy({ date: '2022-01-03', quantity: 100, price: 40 }),
      sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Assignment', {
        date,
        quantity: 1,
        security: call,
        toSecurity: shares,
        commission: 5,
        secFee: '0.14',
      }),
    ])
    assert.deepEqual(books.moved.slice(-1), ['XYZ -100 cash 4994.86'])
  })

  test('the assignment of a put costs the strike with commission and fee, whichever sign the feed gives its netAmount', () => {
    for (const netAmount of [undefined, 5005.14, -5005.14]) {
      const { sellShort, line } = exampleFeed(shares)
      const books = booksOf([
        sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: put }),
        line('Assignment', {
          date,
          quantity: 1,
          security: put,
          toSecurity: shares,
          commission: 5,
          secFee: '0.14',
          netAmount,
        }),
      ])
      assert.deepEqual(books.moved.slice(-1), ['XYZ 100 cash -5005.14'])
      assert.deepEqual(books.lots, [`XYZ L2: 100 for 4705.14 since ${date}`])
    }
  })

  test('shares delivered by an exercise close a short position, as a purchase does', () => {
    const { buy, sellShort, line } = exampleFeed(shares)
    const books = booksOf([
      sellShort({ date: '2023-01-03', quantity: 100, price: 60 }),
      buy({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Exercise', { date, quantity: 1, security: call, toSecurity: shares }),
    ])
    assert.deepEqual(books.gains, [
      'Exercise L2: 1 for 300, cost 300, Long',
      'Cover L1: -100 for -5300, cost -6000, Short',
    ])
  })

  test('an exercise of options that are only written raises a break and writes one more', () => {
    const { sellShort, line } = exampleFeed(shares)
    const books = booksOf([
      sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Exercise', { date, quantity: 1, security: call, toSecurity: shares }),
    ])
    assert.deepEqual(books.breaks, ['Oversold -1'])
    assert.deepEqual(books.lots, [
      'CALL L1: -1 for -300 since 2023-01-03',
      `CALL L2: -1 for 0 since ${date}`,
      `XYZ L2: 100 for 5000 since ${date}`,
    ])
  })

  test('a cash settlement of more than the holding owes the rest and raises a break', () => {
    const { buy, line } = exampleFeed(call)
    const books = booksOf([
      buy({ date: '2023-01-03', quantity: 1, price: 3 }),
      line('Exercise', { date, quantity: 2, netAmount: 800 }),
    ])
    assert.deepEqual(books.breaks, ['Oversold -1'])
    assert.deepEqual(books.gains, ['Exercise L1: 1 for 400, cost 300, Long'])
  })

  test('an assignment of more than was written opens a lot that replaces no loss', () => {
    const { sell, buy, line } = exampleFeed(call)
    const lines = [
      buy({ date: '2024-01-03', quantity: 1, netAmount: 300 }),
      sell({ date: '2024-05-20', quantity: 1, netAmount: 100 }),
      line('Assignment', { date, quantity: 1, toSecurity: shares }),
    ]
    assert.deepEqual(foldAccount(lines).washes, [])
    assert.deepEqual(booksOf(lines).breaks, ['NothingHeld 0', 'Oversold 1', 'Oversold -100'])
  })
})
