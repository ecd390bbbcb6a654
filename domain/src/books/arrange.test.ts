import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { isBesideFold } from './effects.ts'
import { type ExampleLine, exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const xyz = exampleSecurity('XYZ')
const other = exampleSecurity('OTHER')

function booksOf(lines: readonly ActivityLine[]) {
  const fold = foldAccount(lines)
  return {
    lots: [...fold.holdings.values()].flatMap((holding) =>
      holding.lots
        .flat()
        .map((lot) => `${lot.id}: ${renderDecimal(lot.quantity)} for ${renderDecimal(lot.cost)}`),
    ),
    breaks: fold.breaks.map((found) => `${found.kind} ${found.lineId}`),
  }
}

describe('corrections', () => {
  const feed = exampleFeed(xyz)
  const bought = feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100, externalId: 'B' })
  const sold = feed.sell({ date: '2024-01-02', quantity: 10, netAmount: 110, externalId: 'S' })
  const cancel = (tagNo: string, externalId = `cancel ${tagNo}`, fields: Partial<ExampleLine> = {}) =>
    feed.line('Trade', { date: '2024-01-05', externalId, tagNo, cancels: true, ...fields })
  const rebill = (tagNo: string, externalId: string, fields: Partial<ExampleLine>) =>
    feed.buy({ date: '2024-01-02', externalId, tagNo, rebills: true, ...fields })

  test('a rebill takes the position of the line that it corrects, before a sale of the same day', () => {
    const lines = [bought, sold, cancel('B'), rebill('B', 'B2', { quantity: 12, netAmount: 120 })]
    assert.deepEqual(booksOf(lines), { lots: ['B2: 2 for 20'], breaks: [] })
  })

  test('a rebill of another date counts on that date', () => {
    const lines = [
      bought,
      sold,
      cancel('B'),
      rebill('B', 'B2', { date: '2024-01-03', quantity: 10, netAmount: 100 }),
    ]
    assert.deepEqual(booksOf(lines), { lots: [], breaks: ['Oversold S'] })
  })

  test('a rebill can be cancelled and rebilled again', () => {
    const lines = [
      bought,
      cancel('B'),
      rebill('B', 'B2', { quantity: 12, netAmount: 120 }),
      cancel('B2'),
      rebill('B2', 'B3', { quantity: 13, netAmount: 130 }),
      sold,
    ]
    assert.deepEqual(booksOf(lines), { lots: ['B3: 3 for 30'], breaks: [] })
  })

  test('a sale that names a corrected lot uses the lot of its correction', () => {
    const lines = [
      bought,
      feed.buy({ date: '2024-01-02', quantity: 5, netAmount: 70, externalId: 'C' }),
      cancel('B'),
      rebill('B', 'B2', { quantity: 10, netAmount: 101, date: '2024-01-03' }),
      feed.sell({ date: '2024-02-01', quantity: 4, netAmount: 50, lotId: 'B' }),
    ]
    assert.deepEqual(booksOf(lines), { lots: ['C: 5 for 70', 'B2: 6 for 60.6'], breaks: [] })
  })

  test('a cancelled merger leaves both securities unchanged', () => {
    const merger = feed.line('Merger', {
      date: '2024-01-03',
      toSecurity: other,
      ratio: '1:1',
      externalId: 'M',
    })
    assert.deepEqual(booksOf([bought, merger, cancel('M')]), { lots: ['B: 10 for 100'], breaks: [] })
  })

  test('a sale that names a lot without a correction takes that lot', () => {
    const lines = [
      bought,
      feed.buy({ date: '2024-01-02', quantity: 5, netAmount: 70, externalId: 'C' }),
      cancel('B'),
      rebill('B', 'B2', { quantity: 10, netAmount: 101 }),
      feed.sell({ date: '2024-02-01', quantity: 4, netAmount: 60, lotId: 'C' }),
    ]
    assert.deepEqual(booksOf(lines), { lots: ['B2: 10 for 101', 'C: 1 for 14'], breaks: [] })
  })

  test('a line that is no correction has no effect on the line that its tag names', () => {
    const tagged = feed.buy({ date: '2024-01-02', quantity: 1, netAmount: 9, externalId: 'C', tagNo: 'B' })
    const lines = [bought, tagged, cancel('C'), rebill('C', 'C2', { quantity: 2, netAmount: 19 })]
    assert.deepEqual(booksOf(lines), { lots: ['B: 10 for 100', 'C2: 2 for 19'], breaks: [] })
  })

  test('rebills that name each other in a circle count, with a break for each line that they name', () => {
    const lines = [
      rebill('R2', 'R1', { quantity: 1, netAmount: 9 }),
      rebill('R3', 'R2', { quantity: 2, netAmount: 19 }),
      rebill('R2', 'R3', { quantity: 3, netAmount: 29 }),
    ]
    const of = (line: string) => `RebillWithoutCancel ${line}`
    assert.deepEqual(booksOf(lines).breaks, [of('R1'), of('R1'), of('R2'), of('R3')])
  })

  const odd: [string, ActivityLine[], string[], string[]][] = [
    [
      'a cancel of an unknown line is a break',
      [bought, cancel('X')],
      ['B: 10 for 100'],
      ['UnknownOriginal cancel X'],
    ],
    [
      'a second cancel is a break',
      [bought, cancel('B'), cancel('B', 'twice')],
      [],
      ['AlreadyCancelled twice'],
    ],
    [
      'a cancel of a cancel is a break, and the line stays cancelled',
      [bought, cancel('B'), cancel('cancel B')],
      [],
      ['CancelOfCancel cancel cancel B'],
    ],
    [
      'a rebill without its cancel counts in addition, with a break',
      [bought, rebill('B', 'B2', { quantity: 1, netAmount: 9 })],
      ['B: 10 for 100', 'B2: 1 for 9'],
      ['RebillWithoutCancel B2'],
    ],
    [
      'a rebill of an unknown line counts, with a break',
      [rebill('X', 'B2', { quantity: 1, netAmount: 9 })],
      ['B2: 1 for 9'],
      ['UnknownOriginal B2'],
    ],
    [
      'rebills that name each other count, with breaks',
      [rebill('R2', 'R1', { quantity: 1, netAmount: 9 }), rebill('R1', 'R2', { quantity: 2, netAmount: 19 })],
      ['R2: 2 for 19', 'R1: 1 for 9'],
      ['RebillWithoutCancel R1', 'RebillWithoutCancel R2'],
    ],
    [
      'a rebill that names a cancel counts, with a break',
      [bought, cancel('B'), rebill('cancel B', 'B2', { quantity: 1, netAmount: 9 })],
      ['B2: 1 for 9'],
      ['UnknownOriginal B2'],
    ],
  ]
  for (const [name, lines, lots, breaks] of odd) {
    test(name, () => {
      assert.deepEqual(booksOf(lines), { lots, breaks })
      assert.deepEqual(booksOf(lines.toReversed()), { lots, breaks })
    })
  }
})

describe('the order of lines', () => {
  const feed = exampleFeed(xyz)
  const day = '2024-01-05'
  const returned = (fields: Partial<ExampleLine>) =>
    feed.line('ReturnOfCapital', { date: day, netAmount: 10, ...fields })
  const rows: [string, () => ActivityLine[], string[]][] = [
    [
      'is the order of trade dates, not of settlement dates',
      () => [
        feed.sell({ date: '2024-01-03', settleDate: '2024-01-03', quantity: 10, netAmount: 110 }),
        feed.buy({ date: '2024-01-02', settleDate: '2024-01-10', quantity: 10, netAmount: 100 }),
      ],
      [],
    ],
    [
      'places a return of capital without a record date on its trade date',
      () => [
        feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100, externalId: 'B' }),
        returned({ settleDate: '2024-01-10' }),
        feed.buy({ date: '2024-01-08', quantity: 10, netAmount: 100, externalId: 'C' }),
      ],
      ['B: 10 for 90', 'C: 10 for 100'],
    ],
    [
      'places a return of capital at the end of its record date',
      () => [
        returned({ date: '2024-02-01', asOfDate: day }),
        feed.buy({ date: day, quantity: 10, netAmount: 100, externalId: 'B' }),
        feed.buy({ date: '2024-01-08', quantity: 10, netAmount: 100, externalId: 'C' }),
      ],
      ['B: 10 for 90', 'C: 10 for 100'],
    ],
    [
      'on one day is the order of entry for a return of capital without a record date',
      () => [
        feed.buy({ date: day, quantity: 10, netAmount: 100, externalId: 'B' }),
        returned({}),
        feed.buy({ date: day, quantity: 10, netAmount: 100, externalId: 'C' }),
      ],
      ['B: 10 for 90', 'C: 10 for 100'],
    ],
    [
      'on one day is the order of entry for a trade with an as-of date',
      () => [
        feed.buy({ date: day, asOfDate: day, quantity: 10, netAmount: 100 }),
        feed.sell({ date: day, quantity: 10, netAmount: 110 }),
      ],
      [],
    ],
  ]
  for (const [name, lines, lots] of rows)
    test(name, () => assert.deepEqual(booksOf(lines()), { lots, breaks: [] }))
})

test('cash is listed by currency, then by account type, whatever the order of the lines', () => {
  const feed = exampleFeed(xyz)
  const deposits = [
    ['USD', 2],
    ['EUR', 1],
    ['JPY', 1],
    ['USD', 1],
  ] as const
  const lines = deposits.map(([currency, acctType]) =>
    feed.line('Deposit', { date: '2024-01-02', netAmount: 5, currency, acctType, security: undefined }),
  )
  for (const arrived of [lines, lines.toReversed()])
    assert.deepEqual(
      foldAccount(arrived).cash.map(({ currency, acctType }) => `${currency} ${acctType}`),
      ['EUR 1', 'JPY 1', 'USD 1', 'USD 2'],
    )
})

test('breaks of other rules are distinguished from breaks of the fold', () => {
  for (const kind of [
    'Suspended',
    'NotEntitled',
    'TradedAfterEnd',
    'ExpiredHeld',
    'MaturedHeld',
    'ActionMissed',
    'ActionPaidTwice',
    'NotReversed',
    'Liquidate',
  ])
    assert.equal(isBesideFold(kind), true, kind)
  for (const kind of ['Oversold', 'UnknownLot', '']) assert.equal(isBesideFold(kind), false, kind)
})
