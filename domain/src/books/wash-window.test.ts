/** The replacements of shares sold at a loss: the date and kind of their purchase, and their order. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { type ExampleFeed, exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount, joinWashes } from './fold.ts'

const xyz = exampleSecurity('XYZ')
const other = exampleSecurity('OTHER')

function disallowed(lines: readonly ActivityLine[]): string[] {
  const { closings, washes } = foldAccount(lines)
  return joinWashes(closings, washes).map(({ washDisallowed }) => renderDecimal(washDisallowed))
}

/** The loss that each replacement absorbed: `loss by lot: amount`. */
function washes(lines: readonly ActivityLine[]): string[] {
  return foldAccount(lines).washes.map(
    (wash) => `${wash.lossLineId} by ${wash.lotId}: ${renderDecimal(wash.disallowed)} on ${wash.date}`,
  )
}

describe('the window of a wash sale is 30 days before and after the sale, both included', () => {
  // Ten shares bought two years before are sold at a loss of 30 on 31 March 2024.
  const rows: [string, string, string][] = [
    ['31 days before', '2024-02-29', '0'],
    ['30 days before', '2024-03-01', '30'],
    ['29 days before', '2024-03-02', '30'],
    ['the day before', '2024-03-30', '30'],
    ['the same day', '2024-03-31', '30'],
    ['the day after', '2024-04-01', '30'],
    ['29 days after', '2024-04-29', '30'],
    ['30 days after', '2024-04-30', '30'],
    ['31 days after', '2024-05-01', '0'],
  ]
  for (const [when, bought, amount] of rows) {
    test(`a purchase ${when} disallows ${amount} of 30`, () => {
      const feed = exampleFeed(xyz)
      const lines = [
        feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
        feed.sell({ date: '2024-03-31', quantity: 10, netAmount: 70, externalId: 'S', lotId: 'L1' }),
        feed.buy({ date: bought, quantity: 10, netAmount: 80 }),
      ]
      assert.equal(disallowed(lines)[0], amount)
    })
  }

  test('the trade dates count, whenever the lines settle', () => {
    const feed = exampleFeed(xyz)
    const sold = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-29', settleDate: '2024-04-02', quantity: 10, netAmount: 70 }),
    ]
    const bought = (date: string, settleDate: string) =>
      disallowed([...sold, feed.buy({ date, settleDate, quantity: 10, netAmount: 80, externalId: 'B' })])
    assert.deepEqual(bought('2024-04-28', '2024-05-03'), ['30'])
    assert.deepEqual(bought('2024-04-29', '2024-04-29'), ['0'])
  })
})

describe('a loss of one cent is washed, and a gain or zero is not', () => {
  const rows: [string, string][] = [
    ['99.99', '0.01'],
    ['100.00', '0'],
    ['100.01', '0'],
  ]
  for (const [proceeds, amount] of rows) {
    test(`a sale for ${proceeds} at a cost of 100 has ${amount} disallowed`, () => {
      const feed = exampleFeed(xyz)
      const lines = [
        feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
        feed.sell({ date: '2024-03-29', quantity: 10, netAmount: proceeds }),
        feed.buy({ date: '2024-04-02', quantity: 10, netAmount: 80 }),
      ]
      assert.deepEqual(disallowed(lines), [amount])
      assert.equal(foldAccount(lines).washes.length, amount === '0' ? 0 : 1)
    })
  }
})

describe('a loss without a sale is not washed by a purchase on the next day', () => {
  const events: [string, (feed: ExampleFeed) => ActivityLine][] = [
    ['a bond that matures', (feed) => feed.line('Maturity', { date: '2024-03-29', netAmount: 70 })],
    ['a redemption', (feed) => feed.line('Redemption', { date: '2024-03-29', quantity: 10, netAmount: 70 })],
    ['a merger for cash', (feed) => feed.line('Merger', { date: '2024-03-29', netAmount: 70 })],
    [
      'the fraction of a reverse split paid in cash',
      (feed) => feed.line('Split', { date: '2024-03-29', ratio: '1:20', cashInLieu: 35 }),
    ],
    [
      'a merger into less than one share that is paid in cash',
      (feed) =>
        feed.line('Merger', {
          date: '2024-03-29',
          toSecurity: other,
          ratio: '1:1000000000000',
          cashInLieu: 35,
        }),
    ],
  ]
  for (const [event, lineOf] of events) {
    test(event, () => {
      const feed = exampleFeed(xyz)
      const lines = [
        feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
        lineOf(feed),
        feed.buy({ date: '2024-04-01', quantity: 10, netAmount: 80, security: xyz }),
        feed.buy({ date: '2024-04-01', quantity: 10, netAmount: 80, security: other }),
      ]
      assert.ok(foldAccount(lines).closings.some(({ gain }) => gain < 0n))
      assert.deepEqual(washes(lines), [])
    })
  }

  test('the expiration of an option counts as a sale, so a purchase of the same option washes the loss', () => {
    const feed = exampleFeed(exampleSecurity('CALL', { multiplier: '100' }))
    const lines = [
      feed.buy({ date: '2024-01-03', quantity: 1, netAmount: 200 }),
      feed.line('Expiration', { date: '2024-03-15', quantity: 1 }),
      feed.buy({ date: '2024-03-18', quantity: 1, netAmount: 50 }),
    ]
    assert.deepEqual(disallowed(lines), ['200'])
  })
})

describe('a replacement', () => {
  test('is not a short that remains after a redemption of more than the holding', () => {
    const { sellShort, cover, line } = exampleFeed(xyz)
    const lines = [
      sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      cover({ date: '2024-03-01', quantity: 10, netAmount: 130 }),
      line('Redemption', { date: '2024-03-05', quantity: 10, netAmount: 120 }),
    ]
    assert.deepEqual(disallowed(lines), ['0'])
  })

  test('is the earliest purchase of several, in any account type', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2024-03-20', quantity: 4, netAmount: 40 }),
      feed.buy({ date: '2024-03-18', quantity: 4, netAmount: 40, acctType: 2 }),
      feed.buy({ date: '2024-03-19', quantity: 4, netAmount: 40 }),
      feed.sell({ date: '2024-03-29', quantity: 10, netAmount: 70, lotId: 'L1' }),
    ]
    assert.deepEqual(washes(lines), [
      'L5 by L3: 12 on 2024-03-29',
      'L5 by L4: 12 on 2024-03-29',
      'L5 by L2/1: 6 on 2024-03-29',
    ])
  })

  test('is the first entered of one day', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2024-03-20', quantity: 4, netAmount: 40, acctType: 2 }),
      feed.buy({ date: '2024-03-20', quantity: 4, netAmount: 40 }),
      feed.buy({ date: '2024-03-20', quantity: 4, netAmount: 40 }),
      feed.sell({ date: '2024-03-29', quantity: 10, netAmount: 70, lotId: 'L1' }),
    ]
    assert.deepEqual(
      washes(lines).map((wash) => wash.split(':')[0]),
      ['L5 by L2', 'L5 by L3', 'L5 by L4/1'],
    )
  })

  test('is found after a lot that has already replaced another and has a longer holding period', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100, order: 'first' }),
      feed.buy({ date: '2022-01-03', quantity: 5, netAmount: 50, order: 'second' }),
      feed.buy({ date: '2024-03-01', quantity: 5, netAmount: 40, order: 'first' }),
      feed.sell({ date: '2024-03-05', quantity: 10, netAmount: 70, lotId: 'L1' }),
      feed.buy({ date: '2024-03-08', quantity: 10, netAmount: 80 }),
      feed.sell({ date: '2024-03-12', quantity: 5, netAmount: 35, lotId: 'L2' }),
    ]
    assert.deepEqual(washes(lines), ['L4 by L5: 30 on 2024-03-08', 'L6 by L3: 15 on 2024-03-12'])
  })

  test('takes the earliest loss first, and the rest of the loss waits for the next purchase', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 20, netAmount: 200 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.sell({ date: '2024-03-04', quantity: 10, netAmount: 60 }),
      feed.buy({ date: '2024-03-05', quantity: 4, netAmount: 40 }),
      feed.buy({ date: '2024-03-06', quantity: 8, netAmount: 80 }),
      feed.buy({ date: '2024-03-07', quantity: 20, netAmount: 200 }),
    ]
    assert.deepEqual(washes(lines), [
      'L2 by L4: 12 on 2024-03-05',
      'L2 by L5/1: 18 on 2024-03-06',
      'L3 by L5: 8 on 2024-03-06',
      'L3 by L6/2: 32 on 2024-03-07',
    ])
  })
})

describe('after a change of name', () => {
  const renamed = exampleSecurity('NEWNAME')
  /** A loss under each name. The later one is first in the books of the new name. */
  const losses = (feed: ExampleFeed) => [
    feed.buy({ date: '2022-01-03', quantity: 5, netAmount: 50 }),
    feed.buy({ date: '2022-01-03', quantity: 6, netAmount: 60, security: renamed }),
    feed.sell({ date: '2024-03-04', quantity: 5, netAmount: 45, security: renamed }),
    feed.sell({ date: '2024-03-01', quantity: 5, netAmount: 40 }),
    feed.line('NameChange', { date: '2024-03-05', toSecurity: renamed }),
  ]

  test('the earliest loss of both names is washed first', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      ...losses(feed),
      feed.buy({ date: '2024-03-06', quantity: 5, netAmount: 40, security: renamed }),
      feed.buy({ date: '2024-03-07', quantity: 5, netAmount: 40, security: renamed }),
    ]
    assert.deepEqual(washes(lines), ['L4 by L6: 10 on 2024-03-06', 'L3 by L7: 5 on 2024-03-07'])
  })

  test('a purchase under the old name washes no loss a second time', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      ...losses(feed),
      feed.buy({ date: '2024-03-06', quantity: 10, netAmount: 80, security: renamed }),
      feed.buy({ date: '2024-03-07', quantity: 10, netAmount: 80 }),
    ]
    assert.deepEqual(washes(lines), ['L4 by L6/1: 10 on 2024-03-06', 'L3 by L6: 5 on 2024-03-06'])
  })
})

describe('losses that wait for a replacement are restated by a split', () => {
  test('once, on its trade date, if lines of two account types report the split and settle on different days', () => {
    const feed = exampleFeed(xyz)
    const split = (acctType: 1 | 2, settleDate: string) =>
      feed.line('Split', { date: '2024-03-05', settleDate, ratio: '2:1', acctType })
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 20, netAmount: 200 }),
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100, acctType: 2 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      split(1, '2024-03-06'),
      split(2, '2024-03-07'),
      feed.buy({ date: '2024-03-08', quantity: 10, netAmount: 50 }),
    ]
    assert.deepEqual(washes(lines), ['L3 by L6: 15 on 2024-03-08'])
  })

  test('even if the position is empty', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.line('Split', { date: '2024-03-05', settleDate: '2024-03-06', ratio: '2:1' }),
      feed.line('Split', { date: '2024-03-05', settleDate: '2024-03-07', ratio: '2:1', acctType: 2 }),
      feed.buy({ date: '2024-03-08', quantity: 10, netAmount: 50 }),
    ]
    assert.deepEqual(washes(lines), ['L2 by L5: 15 on 2024-03-08'])
  })

  test('for the first of two splits on one day', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 5, netAmount: 35 }),
      feed.line('Split', { date: '2024-03-05', ratio: '2:1' }),
      feed.line('Split', { date: '2024-03-05', ratio: '3:1' }),
      feed.buy({ date: '2024-03-08', quantity: 5, netAmount: 25 }),
    ]
    assert.deepEqual(washes(lines), ['L2 by L5: 7.5 on 2024-03-08'])
  })

  test('for each of two splits on different days', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.line('Split', { date: '2024-03-05', ratio: '2:1' }),
      feed.line('Split', { date: '2024-03-06', ratio: '2:1' }),
      feed.buy({ date: '2024-03-08', quantity: 10, netAmount: 50 }),
    ]
    assert.deepEqual(washes(lines), ['L2 by L5: 7.5 on 2024-03-08'])
  })
})

describe('a disallowed loss in the cost of a short', () => {
  test('is not reduced when a return of capital increases what the short owes', () => {
    const { sellShort, cover, line } = exampleFeed(xyz)
    const lines = [
      sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100, acctType: 3 }),
      cover({ date: '2024-02-01', quantity: 10, netAmount: 130, acctType: 3 }),
      sellShort({ date: '2024-02-05', quantity: 10, netAmount: 120, acctType: 3 }),
      line('ReturnOfCapital', { date: '2024-03-01', cashPerShare: 1, acctType: 3 }),
    ]
    const [lot] = foldAccount(lines).holdings.get('XYZ')?.lots[2] ?? []
    // 120 received, 30 washed into it, 10 paid: the cost changes from -90 to -80.
    assert.deepEqual([renderDecimal(lot?.cost ?? 0n), renderDecimal(lot?.washAdded ?? 0n)], ['-80', '30'])
  })
})
