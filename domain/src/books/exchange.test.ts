import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import type { AcctType, ActivityLine, LotMethod } from './activity.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'
import { reportedLots } from './holding.ts'

const xyz = exampleSecurity('XYZ')

function booksOf(lines: readonly ActivityLine[], lotMethod: LotMethod = 'FIFO') {
  const fold = foldAccount(lines, { lotMethod })
  return {
    lots: [...fold.holdings.values()].flatMap((holding) =>
      holding.lots
        .flat()
        .map((lot) => `${lot.id}: ${renderDecimal(lot.quantity)} for ${renderDecimal(lot.cost)}`),
    ),
    closings: fold.closings.map((closing) => {
      const [quantity, proceeds, cost] = [closing.quantity, closing.proceeds, closing.cost].map((amount) =>
        renderDecimal(amount),
      )
      return `${closing.kind} of ${closing.lotId}: ${quantity} for ${proceeds}, cost ${cost}, ${closing.term}`
    }),
    breaks: fold.breaks.map((found) => `${found.kind} ${renderDecimal(found.quantity)}`),
    cash: fold.cash.map(
      ({ acctType, currency, amount }) => `${acctType} ${currency} ${renderDecimal(amount)}`,
    ),
  }
}

describe('purchases and sales', () => {
  test('commission and fees are included in cost and deducted from proceeds, and accrued interest is in neither', () => {
    const feed = exampleFeed(exampleSecurity('BOND', { priceDivisor: '100' }))
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10000, price: '98.5', commission: 10, interest: '41.67' }),
      feed.sell({
        date: '2024-01-04',
        quantity: 10000,
        price: 101,
        commission: 10,
        secFee: '0.09',
        interest: '12.50',
      }),
    ]
    assert.deepEqual(
      lines.map((line) => renderDecimal(line.netAmount ?? 0n)),
      ['-9901.67', '10102.41'],
    )
    assert.deepEqual(booksOf(lines), {
      lots: [],
      closings: ['Sale of L1: 10000 for 10089.91, cost 9860, Long'],
      breaks: [],
      cash: ['1 USD 200.74'],
    })
  })

  test('a sale of several lots divides the proceeds by quantity to the cent, and the last lot takes the rest', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 1, netAmount: 10 }),
      feed.buy({ date: '2023-01-04', quantity: 1, netAmount: 10 }),
      feed.buy({ date: '2023-01-05', quantity: 2, netAmount: 20.01 }),
      feed.sell({ date: '2023-03-06', quantity: 3, netAmount: 100 }),
    ]
    assert.deepEqual(booksOf(lines).closings, [
      'Sale of L1: 1 for 33.33, cost 10, Short',
      'Sale of L2: 1 for 33.34, cost 10, Short',
      'Sale of L3: 1 for 33.33, cost 10.01, Short',
    ])
    assert.deepEqual(booksOf(lines).lots, ['L3: 1 for 10'])
    assert.deepEqual(
      foldAccount(lines).closings.map(({ lineId, ordinal }) => `${lineId} ${ordinal}`),
      ['L4 0', 'L4 1', 'L4 2'],
    )
  })

  test('a trade that crosses zero closes and opens lots, and divides its money by quantity', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 3, netAmount: 30 }),
      feed.sellShort({ date: '2023-03-06', quantity: 10, price: 12, commission: 1 }),
      feed.buy({ date: '2023-05-05', quantity: 8, price: 10 }),
    ]
    assert.deepEqual(booksOf(lines), {
      lots: ['L3: 1 for 10'],
      closings: ['Sale of L1: 3 for 35.7, cost 30, Short', 'Cover of L2: -7 for -70, cost -83.3, Short'],
      breaks: [],
      cash: ['1 USD 9'],
    })
  })

  test('a sale of more than the holding opens a short lot and raises a break, and a short sale raises none', () => {
    const feed = exampleFeed(xyz)
    const bought = feed.buy({ date: '2023-01-03', quantity: 3, netAmount: 30 })
    const sold = booksOf([bought, feed.sell({ date: '2023-03-06', quantity: 5, price: 12 })])
    assert.deepEqual([sold.lots, sold.breaks], [['L2: -2 for -24'], ['Oversold -2']])
    const short = booksOf([bought, feed.sellShort({ date: '2023-03-06', quantity: 5, price: 12 })])
    assert.deepEqual([short.lots, short.breaks], [['L3: -2 for -24'], []])
  })

  test('the break of a sale of options names SSL if none were held, and a missing purchase otherwise', () => {
    const option = { putCall: 'Call', strike: decimal('10') } as const
    const feed = exampleFeed(exampleSecurity('CALL', { multiplier: '100', option }))
    const sell = (quantity: number, acctType: AcctType = 1) =>
      feed.sell({ date: '2023-03-06', quantity, price: 1, acctType })
    const bought = feed.buy({ date: '2023-01-03', quantity: 2, netAmount: 200 })
    const written = sell(3)
    const namesOf = (...lines: ActivityLine[]) =>
      foldAccount(lines, { lotMethod: 'FIFO' }).breaks.map(
        ({ kind, reason }) => `${kind} ${reason.includes('SSL') ? 'SSL' : ''}`,
      )
    assert.deepEqual(namesOf(written), ['Oversold SSL'])
    assert.deepEqual(namesOf(written, sell(1)), ['Oversold SSL', 'Oversold SSL'])
    assert.deepEqual(namesOf({ ...written, buySell: 'SSL' }), [])
    assert.deepEqual(namesOf(bought, sell(2)), [])
    assert.deepEqual(namesOf(bought, sell(3)), ['Oversold '])
    assert.deepEqual(namesOf(bought, sell(1, 2)), ['Oversold '])
  })

  test('a break disappears when the late purchase arrives', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.sell({ date: '2023-03-06', quantity: 5, price: 12 }),
      feed.buy({ date: '2023-03-01', quantity: 5, price: 10 }),
    ]
    assert.deepEqual(booksOf(lines).breaks, [])
    assert.deepEqual(booksOf(lines).closings, ['Sale of L2: 5 for 60, cost 50, Short'])
  })

  test('each account type has books of its own', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 5, netAmount: 50 }),
      feed.buy({ date: '2023-01-04', quantity: 5, netAmount: 55, acctType: 2 }),
      feed.sellShort({ date: '2023-01-05', quantity: 5, netAmount: 60, acctType: 3 }),
      feed.sell({ date: '2023-03-06', quantity: 5, netAmount: 70, acctType: 2 }),
    ]
    assert.deepEqual(booksOf(lines), {
      lots: ['L1: 5 for 50', 'L3: -5 for -60'],
      closings: ['Sale of L2: 5 for 70, cost 55, Short'],
      breaks: [],
      cash: ['1 USD -50', '2 USD 15', '3 USD 60'],
    })
  })
})

describe('the lots that a sale takes', () => {
  const feed = exampleFeed(xyz)
  const bought = [
    feed.buy({ date: '2023-01-05', quantity: 10, netAmount: 120 }),
    feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
    feed.buy({ date: '2023-01-05', quantity: 10, netAmount: 110 }),
  ]
  const sold = (fields: object) =>
    feed.sell({ date: '2023-06-01', quantity: 15, netAmount: 300, externalId: 'S', sequence: 99, ...fields })
  const taken = (lotMethod: LotMethod, fields = {}) =>
    booksOf([...bought, sold(fields)], lotMethod).closings.map((closing) =>
      closing.replace(/^Sale of (L\d): (\d+) .*$/, '$1 $2'),
    )

  test('FIFO takes the earliest acquired lot first, and the first entered of one day', () =>
    assert.deepEqual(taken('FIFO'), ['L2 10', 'L1 5']))
  test('LIFO takes the last acquired lot first, and the last entered of one day', () =>
    assert.deepEqual(taken('LIFO'), ['L3 10', 'L1 5']))
  test('HIFO takes the highest unit cost first', () => assert.deepEqual(taken('HIFO'), ['L1 10', 'L3 5']))
  test('Average takes lots in FIFO order', () => assert.deepEqual(taken('Average'), ['L2 10', 'L1 5']))
  test('a named lot is taken first, whatever the method', () =>
    assert.deepEqual(taken('FIFO', { lotId: 'L3', quantity: 4 }), ['L3 4']))

  test('the quantity beyond a named lot is taken by the method, with a break', () => {
    assert.deepEqual(taken('FIFO', { lotId: 'L3' }), ['L3 10', 'L2 5'])
    assert.deepEqual(booksOf([...bought, sold({ lotId: 'L3' })]).breaks, ['UnknownLot 5'])
    assert.deepEqual(booksOf([...bought, sold({ lotId: 'unknown' })]).breaks, ['UnknownLot 15'])
  })

  test('the method of a security takes precedence over the method of the account', () => {
    const own = exampleFeed(exampleSecurity('OWN', { lotMethod: 'LIFO', fund: true }))
    const lines = [
      own.buy({ date: '2023-01-03', quantity: 1, netAmount: 10 }),
      own.buy({ date: '2023-01-04', quantity: 1, netAmount: 20 }),
      own.sell({ date: '2023-03-06', quantity: 1, netAmount: 30 }),
    ]
    assert.deepEqual(booksOf(lines, 'HIFO').closings, ['Sale of L2: 1 for 30, cost 20, Short'])
  })
})

describe('average cost', () => {
  const feed = exampleFeed(exampleSecurity('FUND', { fund: true }))
  const lines = [
    feed.buy({ date: '2022-01-03', quantity: '10', netAmount: 100 }),
    feed.buy({ date: '2023-01-03', quantity: '10', netAmount: 200, acctType: 2 }),
    feed.sell({ date: '2023-06-01', quantity: '3', netAmount: 60 }),
    feed.line('Reinvest', { date: '2023-07-03', quantity: '0.333', netAmount: 10 }),
    feed.sell({ date: '2023-08-01', quantity: '7.333', netAmount: 150 }),
  ]

  test('is pooled in the account and changed only by purchases, and the terms of sales are first in first out', () => {
    const { closings } = booksOf(lines)
    assert.deepEqual(closings, [
      'Sale of L1: 3 for 60, cost 45, Long',
      'Sale of L1: 7 for 143.19, cost 107.02, Long',
      'Sale of L4: 0.333 for 6.81, cost 5.09, Short',
    ])
  })

  test('is reported for each lot', () => {
    const holding = foldAccount(lines.slice(0, 4)).holdings.get('FUND')
    assert.ok(holding)
    const reported = reportedLots(holding, 'FIFO').map((lot) => `${lot.id} ${renderDecimal(lot.cost)}`)
    assert.deepEqual(reported, ['L1 107.02', 'L4 5.09', 'L2 152.89'])
  })

  test('leaves lots of unknown cost out of the pool', () => {
    const own = exampleFeed(exampleSecurity('FUND', { fund: true }))
    const mixed = [
      own.line('TransferIn', { date: '2022-01-03', quantity: 10 }),
      own.buy({ date: '2022-02-01', quantity: 10, netAmount: 100 }),
      own.buy({ date: '2022-02-02', quantity: 10, netAmount: 200 }),
      own.sell({ date: '2023-06-01', quantity: 10, netAmount: 60 }),
      own.sell({ date: '2023-06-01', quantity: 10, netAmount: 160 }),
    ]
    assert.deepEqual(booksOf(mixed).closings, [
      'Sale of L1: 10 for 60, cost 0, Long',
      'Sale of L2: 10 for 160, cost 150, Long',
    ])
    assert.deepEqual(booksOf(mixed).lots, ['L3: 10 for 150'])
  })

  test('does not pool shorts', () => {
    const own = exampleFeed(exampleSecurity('FUND', { fund: true }))
    const shorts = [
      own.sellShort({ date: '2022-01-03', quantity: 1, netAmount: 10 }),
      own.sellShort({ date: '2022-01-04', quantity: 1, netAmount: 30 }),
      own.cover({ date: '2022-06-01', quantity: 1, netAmount: 5 }),
    ]
    assert.deepEqual(booksOf(shorts).closings, ['Cover of L1: -1 for -5, cost -10, Short'])
  })
})
