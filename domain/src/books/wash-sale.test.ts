import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount, joinWashes } from './fold.ts'

const xyz = exampleSecurity('XYZ')

/** Disallowed amounts of the closings, in order. */
function disallowed(lines: readonly ActivityLine[]): string[] {
  const fold = foldAccount(lines)
  return joinWashes(fold.closings, fold.washes).map((closing) => renderDecimal(closing.washDisallowed))
}

function openLots(lines: readonly ActivityLine[], key = 'XYZ') {
  const lots = foldAccount(lines).holdings.get(key)?.lots.flat() ?? []
  return lots.map((lot) => ({
    lot: lot.id,
    quantity: renderDecimal(lot.quantity),
    cost: renderDecimal(lot.cost),
    added: renderDecimal(lot.washAdded),
    since: lot.holdingStart,
  }))
}

describe('replacement shares', () => {
  test('may be of another account type of the same account', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80, acctType: 2 }),
    ]
    assert.deepEqual(disallowed(lines), ['30'])
    assert.deepEqual(openLots(lines), [
      { lot: 'L3', quantity: '10', cost: '110', added: '30', since: '2024-01-06' },
    ])
  })

  test('are not of another security', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80, security: exampleSecurity('XYZ B') }),
    ]
    assert.deepEqual(disallowed(lines), ['0'])
  })

  test('do not include shares that are sold together', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-03-01', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2024-03-04', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-05', quantity: 20, netAmount: 120 }),
    ]
    assert.deepEqual(disallowed(lines), ['0', '0'])
  })

  test('do not include shares bought by the same order as the shares sold, whichever fill is sold', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-03-01', quantity: 10, netAmount: 100, order: 'one order' }),
      feed.buy({ date: '2024-03-01', quantity: 10, netAmount: 101, order: 'one order' }),
      feed.sell({ date: '2024-03-05', quantity: 10, netAmount: 60 }),
      feed.buy({ date: '2024-03-06', quantity: 4, netAmount: 40, order: 'one order' }),
    ]
    assert.deepEqual(disallowed(lines), ['0'])
  })

  test('do not include shares from a transfer, split or spin-off, because they were not bought', () => {
    const feed = exampleFeed(xyz)
    const parent = exampleSecurity('PARENT')
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100, security: parent }),
      feed.sell({ date: '2024-03-05', quantity: 10, netAmount: 60 }),
      feed.line('TransferIn', { date: '2024-03-01', quantity: 10, cost: 70, openDate: '2024-03-01' }),
      feed.line('TransferIn', { date: '2024-03-06', quantity: 10, cost: 70, openDate: '2024-03-01' }),
      feed.line('Spinoff', {
        date: '2024-03-07',
        security: parent,
        toSecurity: xyz,
        ratio: '1:1',
        costShare: '0.5',
      }),
    ]
    assert.deepEqual(disallowed(lines), ['0'])
  })

  test('are used in the order of purchase, each once, for the earliest sale first', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2023-01-04', quantity: 10, netAmount: 110 }),
      feed.sell({ date: '2024-03-04', quantity: 10, netAmount: 90 }),
      feed.sell({ date: '2024-03-05', quantity: 10, netAmount: 90 }),
      feed.buy({ date: '2024-03-06', quantity: 15, netAmount: 150 }),
      feed.buy({ date: '2024-03-07', quantity: 2, netAmount: 20 }),
    ]
    assert.deepEqual(disallowed(lines), ['10', '14'])
    assert.deepEqual(openLots(lines), [
      { lot: 'L5/1', quantity: '10', cost: '110', added: '10', since: '2023-01-05' },
      { lot: 'L5', quantity: '5', cost: '60', added: '10', since: '2023-01-05' },
      { lot: 'L6', quantity: '2', cost: '24', added: '4', since: '2023-01-06' },
    ])
  })

  test('bought after a split count in shares before the split, even if lines of two account types report it', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2023-06-01', quantity: 2, netAmount: 20 }),
      feed.buy({ date: '2023-06-01', quantity: 2, netAmount: 20, acctType: 2 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70, lotId: 'L1' }),
      feed.line('Split', { date: '2024-03-04', ratio: '2:1' }),
      feed.line('Split', { date: '2024-03-04', ratio: '2:1', acctType: 2 }),
      feed.buy({ date: '2024-03-05', quantity: 15, netAmount: 60 }),
    ]
    assert.deepEqual(disallowed(lines), ['22.5'])
  })

  test('bought under a new name replace shares sold under the old name', () => {
    const feed = exampleFeed(xyz)
    const renamed = exampleSecurity('NEWNAME')
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2023-01-03', quantity: 1, netAmount: 10 }),
      feed.sell({ date: '2024-03-05', quantity: 10, netAmount: 60 }),
      feed.line('NameChange', { date: '2024-03-06', toSecurity: renamed }),
      feed.buy({ date: '2024-03-07', quantity: 10, netAmount: 70, security: renamed }),
    ]
    assert.deepEqual(disallowed(lines), ['40'])
  })

  test('of an option settled in cash at a loss are the same option bought again', () => {
    const call = exampleSecurity('CALL', {
      multiplier: '10',
      option: { putCall: 'Call', strike: decimal('5') },
    })
    const feed = exampleFeed(call)
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 1, netAmount: 20 }),
      feed.line('Exercise', { date: '2024-03-07', quantity: 1, netAmount: 5 }),
      feed.buy({ date: '2024-03-08', quantity: 1, netAmount: 20 }),
    ]
    assert.deepEqual(disallowed(lines), ['15'])
  })

  test('include shares from reinvestment and exercise, because they were bought', () => {
    const feed = exampleFeed(xyz)
    const call = exampleSecurity('CALL', {
      multiplier: '10',
      option: { putCall: 'Call', strike: decimal('5') },
    })
    const sold = [
      feed.buy({ date: '2023-01-03', quantity: 15, netAmount: 150 }),
      feed.sell({ date: '2024-03-05', quantity: 15, netAmount: 90 }),
      feed.line('Reinvest', { date: '2024-03-06', quantity: 5, netAmount: 30 }),
      feed.buy({ date: '2024-03-06', quantity: 1, netAmount: 20, security: call }),
      feed.line('Exercise', { date: '2024-03-07', quantity: 1, security: call, toSecurity: xyz }),
    ]
    assert.deepEqual(disallowed(sold)[0], '60')
  })
})

describe('closings that are not washed', () => {
  test('are gains and lots of unknown cost', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.line('TransferIn', { date: '2024-01-03', quantity: 10 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 100.01 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 1 }),
      feed.buy({ date: '2024-03-05', quantity: 20, netAmount: 80 }),
    ]
    assert.deepEqual(disallowed(lines), ['0', '0'])
    assert.deepEqual(
      foldAccount(lines).closings.map((closing) => [closing.costKnown, renderDecimal(closing.gain)]),
      [
        [true, '0.01'],
        [false, '0'],
      ],
    )
  })

  test('are losses from cash in lieu, maturities and mergers for cash', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-03-01', quantity: '3', netAmount: 300 }),
      feed.line('Split', { date: '2024-03-02', ratio: '1:2', cashInLieu: 10 }),
      feed.buy({ date: '2024-03-02', quantity: '1', netAmount: 100, acctType: 2 }),
      feed.line('Redemption', { date: '2024-03-03', quantity: '0.5', price: 5 }),
      feed.line('Merger', { date: '2024-03-03', cashPerShare: 5 }),
    ]
    assert.deepEqual(disallowed(lines), ['0', '0', '0'])
  })
})

describe('a disallowed loss in the cost of a lot', () => {
  const feed = exampleFeed(xyz)
  const washed = [
    feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
    feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
    feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
  ]

  test('moves with the shares sold and stays with the shares kept', () => {
    const lines = [...washed, feed.sell({ date: '2024-06-03', quantity: 4, netAmount: 50 })]
    const [, closing] = foldAccount(lines).closings
    assert.deepEqual(
      [renderDecimal(closing?.cost ?? 0n), renderDecimal(closing?.washAdded ?? 0n)],
      ['44', '12'],
    )
    assert.deepEqual(
      openLots(lines).map(({ cost, added }) => [cost, added]),
      [['66', '18']],
    )
  })

  test('is limited to the cost that a return of capital leaves', () => {
    const paid = (netAmount: number) =>
      feed.line('ReturnOfCapital', { date: '2024-06-03', netAmount, externalId: 'R' })
    const left = (netAmount: number) =>
      openLots([...washed, paid(netAmount)]).map(({ cost, added }) => [cost, added])
    assert.deepEqual(
      [left(60), left(90), left(110), left(120)],
      [[['50', '30']], [['20', '20']], [['0', '0']], [['0', '0']]],
    )
  })
})

test('a loss on a quantity too small for a unit after a reverse split is not washed', () => {
  const feed = exampleFeed(xyz)
  const lines = [
    feed.buy({ date: '2024-01-02', quantity: '10.00000001', netAmount: 100 }),
    feed.sell({ date: '2024-03-01', quantity: '0.00000001', netAmount: 1, commission: 0 }),
    feed.buy({ date: '2024-01-02', quantity: '0.00000001', netAmount: 5, externalId: 'tiny' }),
    feed.sell({ date: '2024-03-02', quantity: '0.00000001', netAmount: 1, lotId: 'tiny' }),
    feed.line('Split', { date: '2024-03-04', ratio: '1:10' }),
    feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
  ]
  assert.deepEqual(disallowed(lines), ['0', '0'])
})

describe('wash sales of shorts', () => {
  const feed = () => exampleFeed(xyz)
  const short = (acctType: 3 = 3) => ({ acctType })

  test('a cover at a loss is washed by a short sale in the 30 days after', () => {
    const { sellShort, cover } = feed()
    const lines = [
      sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100, ...short() }),
      cover({ date: '2024-02-01', quantity: 10, netAmount: 130, ...short() }),
      sellShort({ date: '2024-03-02', quantity: 10, netAmount: 120, ...short() }),
    ]
    assert.deepEqual(disallowed(lines), ['30'])
    // The loss lowers the proceeds of the new short: its cost changes from -120 to -90.
    assert.deepEqual(openLots(lines), [
      { lot: 'L3', quantity: '-10', cost: '-90', added: '30', since: '2024-03-02' },
    ])
  })

  test('a cover at a loss is washed by a short sale in the 30 days before, if that short is still open', () => {
    const { sellShort, cover } = feed()
    const lines = [
      sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100, ...short() }),
      sellShort({ date: '2024-01-20', quantity: 4, netAmount: 44, ...short() }),
      cover({ date: '2024-02-01', quantity: 10, netAmount: 130, ...short() }),
    ]
    assert.deepEqual(disallowed(lines), ['12'])
    assert.deepEqual(openLots(lines), [
      { lot: 'L2', quantity: '-4', cost: '-32', added: '12', since: '2024-01-20' },
    ])
  })

  test('a purchase does not wash the loss of a short, and a short sale does not wash the loss of a long', () => {
    const { buy, sell, sellShort, cover } = feed()
    const lines = [
      sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100, ...short() }),
      buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      cover({ date: '2024-02-01', quantity: 10, netAmount: 130, ...short() }),
      sell({ date: '2024-02-01', quantity: 10, netAmount: 70 }),
    ]
    assert.deepEqual(disallowed(lines), ['0', '0'])
    const { buy: buyMore } = feed()
    const bought = buyMore({ date: '2024-02-05', quantity: 10, netAmount: 90, externalId: 'M1', sequence: 9 })
    assert.deepEqual(disallowed([...lines, bought]), ['0', '30'])
  })
})

test('a loss is washed in parts to the cent, without a remainder', () => {
  const { buy, sell } = exampleFeed(xyz)
  const lines = [
    buy({ date: '2023-01-03', quantity: 3, netAmount: 100 }),
    sell({ date: '2024-03-01', quantity: 3, netAmount: 90 }),
    buy({ date: '2024-03-02', quantity: 1, netAmount: 30 }),
    buy({ date: '2024-03-03', quantity: 1, netAmount: 30 }),
    buy({ date: '2024-03-04', quantity: 1, netAmount: 30 }),
  ]
  assert.deepEqual(disallowed(lines), ['10'])
  assert.deepEqual(
    openLots(lines).map((lot) => lot.cost),
    ['33.33', '33.34', '33.33'],
  )
})
