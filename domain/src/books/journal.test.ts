import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { renderDecimal } from '../decimal.ts'
import type { AcctType, ActivityLine } from './activity.ts'
import { type ExampleFeed, exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'
import { anyLotMethod } from './random-history.ts'

const xyz = exampleSecurity('XYZ')
const date = '2024-03-04'

function booksOf(lines: readonly ActivityLine[]) {
  const { holdings, departures, breaks } = foldAccount(lines)
  return {
    lots: [...holdings.values()].flatMap(({ lots }) =>
      lots.flat().map(({ acctType, id, quantity, cost, costKnown, holdingStart }) => {
        const amount = costKnown ? renderDecimal(cost) : 'unknown'
        return `${acctType} ${id}: ${renderDecimal(quantity)} for ${amount} since ${holdingStart}`
      }),
    ),
    waiting: [...holdings.values()].flatMap(({ inTransit }) =>
      inTransit.map(({ lot }) => `${lot.id} ${renderDecimal(lot.quantity)}`),
    ),
    left: departures.map(({ lot }) => `${lot.id} ${renderDecimal(lot.quantity)}`),
    breaks: breaks.map(({ kind }) => kind),
  }
}

function bought(feed: ExampleFeed) {
  return [
    feed.buy({ date: '2023-01-02', quantity: 10, netAmount: 100, externalId: 'A' }),
    feed.buy({ date: '2023-02-02', quantity: 10, netAmount: 300, externalId: 'B' }),
  ]
}
function journals(feed: ExampleFeed, ...moves: readonly (readonly [AcctType, number])[]) {
  return moves.map(([acctType, quantity]) => feed.line('Journal', { date, acctType, quantity }))
}
const nothing = { waiting: [], left: [], breaks: [] }

describe('a journal into an account type that comes before the journal out of the other', () => {
  test('gets the cost and dates of the lots', () => {
    const feed = exampleFeed(xyz)
    assert.deepEqual(booksOf([...bought(feed), ...journals(feed, [2, 5], [3, 7], [1, -15])]), {
      ...nothing,
      lots: [
        '1 B: 5 for 150 since 2023-02-02',
        '2 A: 5 for 50 since 2023-01-02',
        '3 A/1: 5 for 50 since 2023-01-02',
        '3 B/2: 2 for 60 since 2023-02-02',
      ],
      waiting: ['B 3'],
    })
  })

  test('keeps an unknown cost for what no line brings on its day', () => {
    const feed = exampleFeed(xyz)
    const lines = [...bought(feed), ...journals(feed, [2, 15], [1, -10])]
    assert.deepEqual(booksOf([...lines, feed.line('Journal', { date: '2024-03-05', quantity: -5 })]), {
      ...nothing,
      lots: [
        '1 B: 5 for 150 since 2023-02-02',
        '2 A: 10 for 100 since 2023-01-02',
        '2 L3: 5 for unknown since 2024-03-04',
      ],
      waiting: ['B 5'],
    })
  })

  test('leaves shares alone that came by a transfer, with a cost, or by a line of an earlier release', () => {
    const feed = exampleFeed(xyz)
    const into = { date, acctType: 2, quantity: 5 } as const
    const other = (line: ActivityLine) => booksOf([...bought(feed), line, ...journals(feed, [1, -5])])
    const lots = ['1 A: 5 for 50 since 2023-01-02', '1 B: 10 for 300 since 2023-02-02']
    for (const line of [
      feed.line('TransferIn', { ...into, externalId: 'T' }),
      { ...feed.line('Journal', { ...into, externalId: 'T' }), pairs: undefined },
    ]) {
      const kept = [...lots, '2 T: 5 for unknown since 2024-03-04']
      assert.deepEqual(other(line), { ...nothing, lots: kept, waiting: ['A 5'] })
    }
    const costs = feed.line('Journal', { ...into, externalId: 'T', cost: 70 })
    const kept = [...lots, '2 T: 5 for 70 since 2024-03-04']
    assert.deepEqual(other(costs), { ...nothing, lots: kept, waiting: ['A 5'] })
  })

  test('gets the lots that are journalled out first, and leaves the other journals of its type waiting', () => {
    const feed = exampleFeed(xyz)
    const lines = [...bought(feed), ...journals(feed, [2, 5], [2, 3])]
    const out = feed.line('Journal', { date, settleDate: '2024-03-05', quantity: -5 })
    assert.deepEqual(booksOf([...lines, out]), {
      ...nothing,
      lots: [
        '1 A: 5 for 50 since 2023-01-02',
        '1 B: 10 for 300 since 2023-02-02',
        '2 A/1: 5 for 50 since 2023-01-02',
        '2 L4: 3 for unknown since 2024-03-04',
      ],
    })
  })

  test('is not that of a journal of the other side', () => {
    const feed = exampleFeed(xyz)
    const short = feed.sellShort({ date, quantity: 5, netAmount: 90, acctType: 3, externalId: 'S' })
    const outOfShort = booksOf([short, ...journals(feed, [2, 5], [3, 5])])
    assert.deepEqual(outOfShort, {
      ...nothing,
      lots: ['2 L2: 5 for unknown since 2024-03-04'],
      waiting: ['S -5'],
    })
    const [first] = bought(feed) as [ActivityLine]
    const intoShort = booksOf([first, ...journals(feed, [2, -5], [1, -10])])
    assert.deepEqual(intoShort, {
      ...nothing,
      lots: ['2 L6: -5 for unknown since 2024-03-04'],
      waiting: ['A 10'],
      breaks: ['Oversold'],
    })
  })

  test('out of a line of an earlier release stays of unknown cost', () => {
    const feed = exampleFeed(xyz)
    const [into, out] = journals(feed, [2, 5], [1, -5]) as [ActivityLine, ActivityLine]
    const { lots, waiting } = booksOf([...bought(feed), into, { ...out, pairs: undefined }])
    assert.deepEqual([lots[2], waiting], ['2 L1: 5 for unknown since 2024-03-04', ['A 5']])
  })

  test('gives the same lots as in the other order, whatever the quantities and the method', () => {
    const quantity = fc.integer({ min: 1, max: 60_000_000 }).map((millionths) => millionths / 1_000_000)
    const cents = fc.integer({ min: 1, max: 500_000 }).map((amount) => amount / 100)
    const lots = fc.array(fc.record({ quantity, netAmount: cents }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(lots, quantity, anyLotMethod, (bought, moved, lotMethod) => {
        const held = bought.reduce((all, lot) => all + Math.round(lot.quantity * 1e6), 0)
        const amount = Math.min(Math.round(moved * 1e6), held) / 1e6
        const feed = exampleFeed(xyz)
        const before = bought.map((lot) => feed.buy({ date: '2024-01-02', ...lot }))
        const [out, into] = journals(feed, [1, -amount], [2, amount]) as [ActivityLine, ActivityLine]
        const usual = foldAccount([...before, out, into], { lotMethod })
        const reversed = foldAccount([...before, { ...into, sequence: out.sequence - 0.5 }, out], {
          lotMethod,
        })
        assert.deepEqual(reversed, usual)
      }),
      { numRuns: 300 },
    )
  })
})
