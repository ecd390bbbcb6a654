/** The lots that a sale takes: by the lot that it names, by method and, among equals, by entry. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const xyz = exampleSecurity('XYZ')
const other = exampleSecurity('OTHER')

/** The closed lots, as `lot quantity at cost`. */
function closed(lines: readonly ActivityLine[], lotMethod: LotMethod = 'FIFO'): string[] {
  return foldAccount(lines, { lotMethod })
    .closings.filter(({ kind }) => kind === 'Sale' || kind === 'Cover')
    .map(({ openedBy, quantity, cost }) => `${openedBy} ${renderDecimal(quantity)} at ${renderDecimal(cost)}`)
}
function breaks(lines: readonly ActivityLine[]) {
  return foldAccount(lines).breaks.map(({ kind, quantity }) => `${kind} ${renderDecimal(quantity)}`)
}

describe('a sale that names a lot', () => {
  /** Two lots of the account around two that a merger brought. */
  const held = () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 5, netAmount: 50 }),
      feed.buy({ date: '2022-02-01', quantity: 3, netAmount: 60, security: other }),
      feed.buy({ date: '2022-03-01', quantity: 4, netAmount: 90, security: other }),
      feed.buy({ date: '2022-04-01', quantity: 5, netAmount: 70 }),
      feed.line('Merger', {
        date: '2023-01-03',
        security: other,
        toSecurity: xyz,
        ratio: '1:1',
        externalId: 'M',
      }),
    ]
    return { feed, lines }
  }
  const rows: [string, string, number, string[], string[]][] = [
    ['by its purchase takes that lot', 'L4', 5, ['L4 5 at 70'], []],
    ['by its purchase before a merger takes that lot', 'L3', 4, ['L3 4 at 90'], []],
    ['by a merger takes the lots of the merger', 'M', 7, ['L2 3 at 60', 'L3 4 at 90'], []],
    ['by a merger takes a part of its lots', 'M', 4, ['L2 3 at 60', 'L3 1 at 22.5'], []],
    [
      'with more than it holds takes the rest by method',
      'M',
      8,
      ['L2 3 at 60', 'L3 4 at 90', 'L1 1 at 10'],
      ['UnknownLot 1'],
    ],
    ['that is unknown takes all lots by method', 'L9', 6, ['L1 5 at 50', 'L2 1 at 20'], ['UnknownLot 6']],
  ]
  for (const [how, lotId, quantity, expected, expectedBreaks] of rows) {
    test(`${how}: ${expected.join(', ')}`, () => {
      const { feed, lines } = held()
      const sold = [...lines, feed.sell({ date: '2024-06-03', quantity, netAmount: 500, lotId })]
      assert.deepEqual(closed(sold), expected)
      assert.deepEqual(breaks(sold), expectedBreaks)
    })
  }
})

describe('a choice among equal lots', () => {
  const buys = (feed: ReturnType<typeof exampleFeed>) => [
    feed.buy({ date: '2022-01-03', quantity: 2, netAmount: 20 }),
    feed.buy({ date: '2022-02-01', quantity: 1, netAmount: 30 }),
    feed.buy({ date: '2022-03-01', quantity: 2, netAmount: 60 }),
    feed.buy({ date: '2022-03-01', quantity: 1, netAmount: '29.99' }),
  ]
  const rows: [string, LotMethod, string][] = [
    ['takes the lot acquired first among the highest costs under HIFO', 'HIFO', 'L2 1 at 30'],
    ['takes the lot entered last on the last day under LIFO', 'LIFO', 'L4 1 at 29.99'],
    ['takes the earliest lot, whatever its cost, under FIFO', 'FIFO', 'L1 1 at 10'],
  ]
  for (const [rule, method, expected] of rows) {
    test(rule, () => {
      const feed = exampleFeed(xyz)
      const lines = [...buys(feed), feed.sell({ date: '2024-06-03', quantity: 1, netAmount: 50 })]
      assert.deepEqual(closed(lines, method), [expected])
    })
  }

  test('one cent more per share comes first under HIFO, and one cent less comes last', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 10, netAmount: '99.90' }),
      feed.buy({ date: '2022-02-01', quantity: 10, netAmount: '100.10' }),
      feed.buy({ date: '2022-03-01', quantity: 10, netAmount: '100.00' }),
      feed.sell({ date: '2024-06-03', quantity: 30, netAmount: 500 }),
    ]
    assert.deepEqual(closed(lines, 'HIFO'), ['L2 10 at 100.1', 'L3 10 at 100', 'L1 10 at 99.9'])
  })

  test('the highest cost of shorts is the least received per share', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.sellShort({ date: '2022-01-03', quantity: 1, netAmount: 31, acctType: 3 }),
      feed.sellShort({ date: '2022-02-01', quantity: 1, netAmount: 30, acctType: 3 }),
      feed.sellShort({ date: '2022-03-01', quantity: 1, netAmount: 30, acctType: 3 }),
      feed.cover({ date: '2024-06-03', quantity: 1, netAmount: 20, acctType: 3 }),
    ]
    assert.deepEqual(closed(lines, 'HIFO'), ['L1 -1 at -31'])
  })
})

describe('the order of acquisition', () => {
  test('places a lot that was transferred in later by its date of acquisition', () => {
    const rows: [string, string[]][] = [
      ['2021-12-31', ['T', 'L1', 'L2', 'L3']],
      ['2022-01-03', ['L1', 'T', 'L2', 'L3']],
      ['2022-01-31', ['L1', 'T', 'L2', 'L3']],
      ['2022-02-01', ['L1', 'L2', 'T', 'L3']],
      ['2022-03-01', ['L1', 'L2', 'L3', 'T']],
      ['2022-03-02', ['L1', 'L2', 'L3', 'T']],
    ]
    for (const [openDate, expected] of rows) {
      const feed = exampleFeed(xyz)
      const lines = [
        feed.buy({ date: '2022-01-03', quantity: 1, netAmount: 10 }),
        feed.buy({ date: '2022-02-01', quantity: 1, netAmount: 10 }),
        feed.buy({ date: '2022-03-01', quantity: 1, netAmount: 10 }),
        feed.line('TransferIn', { date: '2023-01-03', quantity: 1, cost: 10, openDate, externalId: 'T' }),
      ]
      const lots = foldAccount(lines).holdings.get('XYZ')?.lots[0] ?? []
      assert.deepEqual(
        lots.map(({ id }) => id),
        expected,
        openDate,
      )
    }
  })

  test('is not changed by the holding period that a wash sale lengthened', () => {
    const feed = exampleFeed(xyz)
    const washed = [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
    ]
    const transfer = (openDate: string) =>
      feed.line('TransferIn', { date: '2024-05-01', quantity: 1, cost: 10, openDate, externalId: 'T' })
    const order = (openDate: string) =>
      foldAccount([...washed, transfer(openDate)])
        .holdings.get('XYZ')
        ?.lots[0].map(({ id }) => id)
    assert.deepEqual(order('2024-03-04'), ['T', 'L3'])
    assert.deepEqual(order('2024-03-05'), ['L3', 'T'])
    assert.deepEqual(order('2024-03-06'), ['L3', 'T'])
  })
})

test('a journalled lot that replaced a loss stands after a lot of its day that was entered before it', () => {
  const feed = exampleFeed(xyz)
  const day = '2024-03-05'
  const lines = [
    feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
    feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
    feed.line('TransferIn', {
      date: day,
      quantity: 1,
      cost: 10,
      openDate: day,
      externalId: 'T',
      acctType: 2,
    }),
    feed.buy({ date: day, quantity: 10, netAmount: 80 }),
    feed.line('Journal', { date: '2024-03-06', quantity: -10 }),
    feed.line('Journal', { date: '2024-03-06', quantity: 10, acctType: 2 }),
  ]
  const lots = foldAccount(lines).holdings.get('XYZ')?.lots[1] ?? []
  assert.deepEqual(
    lots.map(({ id, holdingStart }) => `${id} ${holdingStart}`),
    ['T 2024-03-05', 'L4 2023-01-07'],
  )
})

describe('average cost', () => {
  const average = (lines: readonly ActivityLine[]) => {
    const fold = foldAccount(lines, { lotMethod: 'Average' })
    return {
      closed: fold.closings.map(
        ({ quantity, cost, costKnown }) =>
          `${renderDecimal(quantity)} at ${costKnown ? renderDecimal(cost) : 'unknown cost'}`,
      ),
      left: fold.positions.map(
        ({ acctType, quantity, cost }) => `${acctType}: ${renderDecimal(quantity)} at ${renderDecimal(cost)}`,
      ),
    }
  }

  test('is rounded once for the whole sale, and the rest to the cent stays in the pool', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 1, netAmount: '10.00' }),
      feed.buy({ date: '2022-02-01', quantity: 1, netAmount: '10.01' }),
      feed.buy({ date: '2022-03-01', quantity: 1, netAmount: '20.00' }),
    ]
    // 40.01 for 3 shares: two of them cost 26.67 and one costs 13.34.
    assert.deepEqual(average([...lines, feed.sell({ date: '2024-06-03', quantity: 2, netAmount: 50 })]), {
      closed: ['1 at 13.34', '1 at 13.33'],
      left: ['1: 1 at 13.34'],
    })
  })

  test('divides the disallowed losses of the pool between what is sold and what is kept', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
      feed.sell({ date: '2024-03-01', quantity: 10, netAmount: 70 }),
      feed.buy({ date: '2024-03-05', quantity: 10, netAmount: 80 }),
      feed.sell({ date: '2024-06-03', quantity: 4, netAmount: 60 }),
      feed.sell({ date: '2024-07-03', quantity: 6, netAmount: 90 }),
    ]
    const washes = foldAccount(lines, { lotMethod: 'Average' }).closings.map(({ washAdded }) =>
      renderDecimal(washAdded),
    )
    assert.deepEqual(washes, ['0', '12', '18'])
  })

  test('is one pool over all account types', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 1, netAmount: 10 }),
      feed.buy({ date: '2022-02-01', quantity: 1, netAmount: 30, acctType: 2 }),
      feed.sell({ date: '2024-06-03', quantity: 1, netAmount: 50 }),
    ]
    assert.deepEqual(average(lines), { closed: ['1 at 20'], left: ['2: 1 at 20'] })
  })

  test('leaves out lots of unknown cost, whether sold or kept', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 1, netAmount: 10 }),
      feed.line('TransferIn', { date: '2022-01-15', quantity: 1 }),
      feed.buy({ date: '2022-02-01', quantity: 1, netAmount: 30 }),
    ]
    const sold = (quantity: number) =>
      average([...lines, feed.sell({ date: '2024-06-03', quantity, netAmount: 50, externalId: 'S' })])
    assert.deepEqual(sold(1), { closed: ['1 at 20'], left: ['1: 2 at 20'] })
    assert.deepEqual(sold(2), { closed: ['1 at 20', '1 at unknown cost'], left: ['1: 1 at 20'] })
    assert.deepEqual(sold(3), { closed: ['1 at 20', '1 at unknown cost', '1 at 20'], left: [] })
  })

  test('does not apply to shorts: each closes at its own proceeds, and long lots keep their cost', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2022-01-03', quantity: 1, netAmount: 10 }),
      feed.buy({ date: '2022-01-04', quantity: 1, netAmount: 30 }),
      feed.sellShort({ date: '2022-02-01', quantity: 1, netAmount: 10, acctType: 3 }),
      feed.sellShort({ date: '2022-02-02', quantity: 1, netAmount: 30, acctType: 3 }),
      feed.cover({ date: '2024-06-03', quantity: 1, netAmount: 5, acctType: 3 }),
    ]
    assert.deepEqual(average(lines), { closed: ['-1 at -10'], left: ['1: 2 at 40', '3: -1 at -30'] })
    assert.deepEqual(
      foldAccount(lines, { lotMethod: 'Average' })
        .holdings.get('XYZ')
        ?.lots[0].map(({ cost }) => renderDecimal(cost)),
      ['10', '30'],
    )
  })
})
