import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { abs, decimal, renderDecimal, sum } from '../decimal.ts'
import type { AcctType, ActivityLine } from './activity.ts'
import { type ExampleFeed, exampleFeed, exampleSecurity } from './example-lines.ts'
import { type AccountFold, foldAccount, joinWashes } from './fold.ts'
import { anyLotMethod } from './random-history.ts'

const xyz = exampleSecurity('XYZ')
const date = '2024-03-04'

function booksOf(lines: readonly ActivityLine[]) {
  const fold = foldAccount(lines)
  return {
    lots: [...fold.holdings.values()].flatMap(({ lots }) =>
      lots
        .flat()
        .map(
          (lot) => `${lot.acctType} ${lot.id}: ${renderDecimal(lot.quantity)} for ${renderDecimal(lot.cost)}`,
        ),
    ),
    left: fold.departures.map(({ lot }) => `${lot.id} ${renderDecimal(lot.quantity)}`),
    waiting: [...fold.holdings.values()].flatMap(({ inTransit }) =>
      inTransit.map(({ lot }) => `${lot.id} ${renderDecimal(lot.quantity)}`),
    ),
    gains: gainsOf(fold),
    breaks: fold.breaks.map((found) => `${found.kind} ${renderDecimal(found.quantity)}`),
  }
}

function gainsOf({ closings }: AccountFold) {
  return closings.map(({ kind, acctType, lotId, quantity, gain, costKnown, term }) => {
    const amount = costKnown ? renderDecimal(gain) : 'unknown'
    return `${kind} ${acctType} ${lotId} ${renderDecimal(quantity)}: ${amount} ${term}`
  })
}

function heldLong(
  feed: ExampleFeed,
  quantity: number,
  netAmount: number,
  externalId = 'L',
  acctType: AcctType = 1,
) {
  return feed.buy({ date: '2020-01-02', quantity, netAmount, externalId, acctType })
}

function soldShort(
  feed: ExampleFeed,
  quantity: number,
  netAmount: number,
  externalId = 'S',
  day = '2024-01-02',
) {
  return feed.sellShort({ date: day, quantity, netAmount, externalId, acctType: 3 })
}

function journals(feed: ExampleFeed, ...moves: readonly (readonly [AcctType, number])[]) {
  return moves.map(([acctType, quantity]) => feed.line('Journal', { date, acctType, quantity }))
}

const nothing = { lots: [], left: [], waiting: [], breaks: [] }

describe('journals of shares held long against a short position', () => {
  const orders = [
    [
      [1, -100],
      [3, 100],
    ],
    [
      [3, 100],
      [1, -100],
    ],
  ] as const

  test('close it at the cost of the shares, in either order', () => {
    for (const order of orders) {
      const feed = exampleFeed(xyz)
      const lines = [heldLong(feed, 100, 4400), soldShort(feed, 100, 5000), ...journals(feed, ...order)]
      assert.deepEqual(booksOf(lines), { ...nothing, gains: ['Cover 3 S -100: 600 Short'] })
    }
  })

  test('close several short lots with several lots of shares, to the last cent', () => {
    for (const order of orders) {
      const feed = exampleFeed(xyz)
      const lines = [
        ...[heldLong(feed, 30, 1000, 'A'), heldLong(feed, 70, 4000, 'B')],
        ...[soldShort(feed, 50, 2000.01, 'S'), soldShort(feed, 50, 3000, 'T')],
        ...journals(feed, ...order),
      ]
      // 30 of S for 1,200.01 cost 1,000.00; 20 of S for 800.00 cost 1,142.86, and T the rest of 4,000.00. A
      // loss is Long, because as many shares had been held for more than one year when S was sold short.
      const gains = [
        'Cover 3 S -30: 200.01 Short',
        'Cover 3 S -20: -342.86 Long',
        'Cover 3 T -50: 142.86 Short',
      ]
      assert.deepEqual(booksOf(lines), { ...nothing, gains })
    }
  })

  test('close the part that both have, and leave the rest where it is', () => {
    for (const order of orders) {
      const feed = exampleFeed(xyz)
      const lines = [heldLong(feed, 150, 6600), soldShort(feed, 120, 6000), ...journals(feed, ...order)]
      assert.deepEqual(booksOf(lines), {
        ...nothing,
        lots: ['1 L: 50 for 2200', '3 S: -20 for -1000'],
        gains: ['Cover 3 S -100: 600 Short'],
      })
    }
  })

  test('of more than the short position leave the rest as a position of the other type', () => {
    for (const [first, second] of orders) {
      const feed = exampleFeed(xyz)
      const lines = [heldLong(feed, 150, 6600), soldShort(feed, 100, 5000)]
      const moves = journals(feed, [first[0], first[1] * 1.5], [second[0], second[1] * 1.5])
      assert.deepEqual(booksOf([...lines, ...moves]), {
        ...nothing,
        lots: ['3 L: 50 for 2200'],
        gains: ['Cover 3 S -100: 600 Short'],
      })
    }
  })

  test('of a position that moves to an account type with a short position close that', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      heldLong(feed, 100, 4400),
      feed.sellShort({ date: '2024-01-02', quantity: 40, netAmount: 2000, externalId: 'S', acctType: 2 }),
    ]
    assert.deepEqual(booksOf([...lines, ...journals(feed, [1, -100], [2, 100])]), {
      ...nothing,
      lots: ['2 L: 60 for 2640'],
      gains: ['Cover 2 S -40: 240 Short'],
    })
  })

  test('of a short position that moves to an account type with shares close it', () => {
    const feed = exampleFeed(xyz)
    const lines = [heldLong(feed, 40, 1760), soldShort(feed, 100, 5000)]
    assert.deepEqual(booksOf([...lines, ...journals(feed, [3, 100], [1, -100])]), {
      ...nothing,
      lots: ['1 S: -60 for -3000'],
      gains: ['Cover 3 S -40: 240 Short'],
    })
  })

  test('close the lots that their lotId names', () => {
    const moves = [
      { acctType: 1, quantity: -10, lotId: 'B' },
      { acctType: 3, quantity: 10, lotId: 'T' },
    ] as const
    for (const order of [moves, moves.toReversed()]) {
      const feed = exampleFeed(xyz)
      const lines = [
        ...[heldLong(feed, 10, 100, 'A'), heldLong(feed, 10, 200, 'B')],
        ...[soldShort(feed, 10, 500, 'S'), soldShort(feed, 10, 700, 'T')],
        ...order.map((move) => feed.line('Journal', { date, ...move })),
      ]
      assert.deepEqual(booksOf(lines), {
        ...nothing,
        lots: ['1 A: 10 for 100', '3 S: -10 for -500'],
        gains: ['Cover 3 T -10: 500 Short'],
      })
    }
  })

  test('of unknown cost close it with an unknown gain', () => {
    for (const order of orders) {
      const feed = exampleFeed(xyz)
      const arrived = feed.line('TransferIn', { date: '2024-01-02', quantity: 100, externalId: 'L' })
      const lines = [arrived, soldShort(feed, 100, 5000), ...journals(feed, ...order)]
      assert.deepEqual(booksOf(lines), { ...nothing, gains: ['Cover 3 S -100: unknown Short'] })
    }
  })

  test('close a short position of unknown proceeds with an unknown gain', () => {
    for (const order of orders) {
      const feed = exampleFeed(xyz)
      const arrived = { date: '2024-01-02', acctType: 3, quantity: -100, externalId: 'S' } as const
      const lines = [heldLong(feed, 100, 4400), feed.line('TransferIn', arrived), ...journals(feed, ...order)]
      assert.deepEqual(booksOf(lines), { ...nothing, gains: ['Cover 3 S -100: unknown Short'] })
    }
  })

  test('of options close options that were written', () => {
    const option = { putCall: 'Call', strike: decimal('50') } as const
    const feed = exampleFeed(exampleSecurity('XYZ CALL', { multiplier: '100', option }))
    const lines = [heldLong(feed, 2, 300), soldShort(feed, 2, 500), ...journals(feed, [1, -2], [3, 2])]
    assert.deepEqual(booksOf(lines), { ...nothing, gains: ['Cover 3 S -2: 200 Short'] })
  })

  test('on different days leave the account separately, because no line takes them', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      ...[heldLong(feed, 100, 4400), soldShort(feed, 100, 5000)],
      feed.line('Journal', { date, acctType: 1, quantity: -100 }),
      feed.line('Journal', { date: '2024-03-05', acctType: 3, quantity: 100 }),
    ]
    assert.deepEqual(booksOf(lines), { ...nothing, left: ['L 100'], waiting: ['S -100'], gains: [] })
  })

  test('from another account close it at the cost of the line, while shares that leave with a cost leave', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      ...[heldLong(feed, 10, 440), soldShort(feed, 100, 5000)],
      feed.line('Journal', {
        date,
        acctType: 3,
        quantity: 120,
        cost: 4800,
        openDate: '2021-05-06',
        externalId: 'J',
      }),
      feed.line('Journal', { date, acctType: 1, quantity: -10, cost: 440 }),
    ]
    assert.deepEqual(booksOf(lines), {
      ...nothing,
      lots: ['3 J: 20 for 800'],
      waiting: ['L 10'],
      gains: ['Cover 3 S -100: 1000 Short'],
    })
  })

  test('of an earlier release let both positions leave, and one that is rebilled closes the short position', () => {
    const feed = exampleFeed(xyz)
    const unmarked = (line: ActivityLine): ActivityLine => ({ ...line, pairs: undefined })
    const [first, second] = journals(feed, [1, -100], [3, 100]) as [ActivityLine, ActivityLine]
    const before = [heldLong(feed, 100, 4400), soldShort(feed, 100, 5000), unmarked(first), unmarked(second)]
    assert.deepEqual(booksOf(before), { ...nothing, waiting: ['L 100', 'S -100'], gains: [] })
    const corrections = [
      feed.line('Journal', { date, acctType: 3, quantity: 100, cancels: true, tagNo: second.externalId }),
      feed.line('Journal', { date, acctType: 3, quantity: 100, rebills: true, tagNo: second.externalId }),
    ]
    assert.deepEqual(booksOf([...before, ...corrections]).gains, ['Cover 3 S -100: 600 Short'])
  })

  test('at a loss are washed by a new short sale, and not by the short lots that were closed', () => {
    for (const order of orders) {
      const feed = exampleFeed(xyz)
      const lines = [
        ...[heldLong(feed, 60, 3600, 'A'), heldLong(feed, 40, 2400, 'B')],
        ...[soldShort(feed, 60, 3000, 'S', '2024-02-20'), soldShort(feed, 40, 2000, 'T', '2024-02-21')],
        ...journals(feed, ...order),
      ]
      const washed = ({ closings, washes }: AccountFold) =>
        joinWashes(closings, washes).map(
          ({ lotId, gain, washDisallowed }) =>
            `${lotId} ${renderDecimal(gain)} ${renderDecimal(washDisallowed)}`,
        )
      assert.deepEqual(washed(foldAccount(lines)), ['S -600 0', 'T -400 0'])
      const again = soldShort(feed, 60, 3000, 'U', '2024-03-20')
      assert.deepEqual(washed(foldAccount([...lines, again])), ['S -600 600', 'T -400 0'])
    }
  })
})

describe('the gain of shares delivered by journals', () => {
  const lots = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 400_000_000 }).map((millionths) => millionths / 1_000_000),
      netAmount: fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
    }),
    { minLength: 1, maxLength: 5 },
  )
  const held = fc.record({ longs: lots, shorts: lots, part: fc.double({ min: 0.01, max: 1, noNaN: true }) })

  test('does not depend on the order of the lines, and is that of a transfer out and in of each lot', () => {
    fc.assert(
      fc.property(held, anyLotMethod, ({ longs, shorts, part }, lotMethod) => {
        const total = (of: readonly { quantity: number }[]) =>
          of.reduce((all, { quantity }) => all + Math.round(quantity * 1e6), 0)
        const quantity = Math.max(1, Math.floor(Math.min(total(longs), total(shorts)) * part)) / 1e6
        const feed = exampleFeed(xyz)
        const before = [
          ...longs.map((lot) => feed.buy({ date: '2024-01-02', ...lot })),
          ...shorts.map((lot) => feed.sellShort({ date: '2024-01-03', ...lot, acctType: 3 })),
        ]
        const out = feed.line('Journal', { date, quantity: -quantity, acctType: 1 })
        const into = feed.line('Journal', { date, quantity, acctType: 3, sequence: out.sequence + 1 })
        const delivered = foldAccount([...before, out, into], { lotMethod })
        const reversed = foldAccount([...before, { ...into, sequence: out.sequence - 0.5 }, out], {
          lotMethod,
        })
        const left = foldAccount([...before, { ...out, transType: 'TransferOut', quantity: -out.quantity }], {
          lotMethod,
        })
        const transfers = left.departures.map(
          ({ lot }, index): ActivityLine => ({
            ...into,
            externalId: `in ${index}`,
            transType: 'TransferIn',
            quantity: lot.quantity,
            cost: lot.cost,
          }),
        )
        const transferred = foldAccount(
          [...before, { ...out, transType: 'TransferOut', quantity: -out.quantity }, ...transfers],
          { lotMethod },
        )
        assert.deepEqual(gainsOf(reversed), gainsOf(delivered))
        assert.deepEqual(reversed.positions, delivered.positions)
        // Each transfer takes a part of a short lot of its own, and rounds its cost.
        const gainOf = ({ closings }: AccountFold) => sum(closings.map(({ gain }) => gain))
        const cents = decimal('0.01') * BigInt(delivered.closings.length)
        assert.ok(abs(gainOf(transferred) - gainOf(delivered)) <= cents)
        assert.equal(sum(delivered.closings.map((closing) => -closing.quantity)), into.quantity)
      }),
      { numRuns: 300 },
    )
  })
})
