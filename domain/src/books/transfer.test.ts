import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'
import { positionsOf } from './holding.ts'
import type { Lot } from './lots.ts'

const xyz = exampleSecurity('XYZ')
function render(lot: Lot) {
  return `${lot.acctType} ${lot.id}: ${renderDecimal(lot.quantity)} for ${lot.costKnown ? renderDecimal(lot.cost) : 'unknown'} since ${lot.holdingStart}`
}

function booksOf(lines: readonly ActivityLine[]) {
  const fold = foldAccount(lines)
  return {
    lots: [...fold.holdings.values()].flatMap((holding) => holding.lots.flat().map(render)),
    left: fold.departures.map(({ lineId, lot }) => `${lineId}: ${render(lot)}`),
    gains: fold.closings.map(
      (closing) =>
        `${closing.kind} ${closing.lotId} ${closing.costKnown ? renderDecimal(closing.gain) : 'unknown'}`,
    ),
    breaks: fold.breaks.map((found) => `${found.kind} ${renderDecimal(found.quantity)}`),
    moved: fold.movements.map((movement) =>
      `${movement.securityKey ?? ''} ${renderDecimal(movement.quantity)} cash ${renderDecimal(movement.cash)}`.trim(),
    ),
    cash: fold.cash.map((balance) => `${balance.acctType} ${renderDecimal(balance.amount)}`),
  }
}

describe('journals to another account type', () => {
  const feed = exampleFeed(xyz)
  const date = '2024-02-01'
  const bought = (acctType: 1 | 2, externalId: string) =>
    feed.buy({ date: '2024-01-02', quantity: 5, netAmount: 50, acctType, externalId })

  test('add a lot to a position of the same side, without changing other lots', () => {
    const lines = [bought(1, 'A'), feed.line('Journal', { date, quantity: 10, cost: 120, externalId: 'J' })]
    assert.deepEqual(booksOf(lines), {
      ...booksOf([]),
      lots: ['1 A: 5 for 50 since 2024-01-02', '1 J: 10 for 120 since 2024-02-01'],
      cash: ['1 -50'],
    })
  })

  test('take the waiting lots part by part, until none waits', () => {
    const journal = (quantity: number, acctType: 1 | 2) => feed.line('Journal', { date, quantity, acctType })
    const lines = [
      bought(1, 'A'),
      bought(1, 'B'),
      journal(-10, 1),
      journal(5, 2),
      journal(2, 2),
      journal(3, 2),
    ]
    const later = feed.buy({ date: '2024-03-01', quantity: 1, netAmount: 10, externalId: 'C' })
    const { lots, left, breaks } = booksOf([
      ...lines,
      later,
      feed.line('Journal', { date: '2024-03-02', quantity: -1 }),
    ])
    assert.deepEqual(
      lots.filter((lot) => lot.startsWith('2')),
      [
        '2 A: 5 for 50 since 2024-01-02',
        '2 B: 2 for 20 since 2024-01-02',
        '2 B/1: 3 for 30 since 2024-01-02',
      ],
    )
    assert.deepEqual([left, breaks], [[], []])
  })

  test('take the waiting lots of a short in the same way', () => {
    const short = feed.sellShort({
      date: '2024-01-02',
      quantity: 10,
      netAmount: 100,
      acctType: 3,
      externalId: 'S',
    })
    const journal = (quantity: number, acctType: 2 | 3) => feed.line('Journal', { date, quantity, acctType })
    const { lots, breaks } = booksOf([short, journal(10, 3), journal(-4, 2), journal(-6, 2)])
    assert.deepEqual(lots, ['2 S: -4 for -40 since 2024-01-02', '2 S/1: -6 for -60 since 2024-01-02'])
    assert.deepEqual(breaks, [])
  })
})

describe('transfers in', () => {
  test('bring cost and acquisition date, and are ordered by that date', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.line('TransferIn', { date: '2024-02-01', quantity: 5, cost: '33.333', openDate: '2020-05-04' }),
      feed.line('TransferIn', { date: '2024-02-01', quantity: 5, cost: 50, openDate: '2024-01-02' }),
    ]
    assert.deepEqual(booksOf(lines).lots, [
      '1 L2: 5 for 33.33 since 2020-05-04',
      '1 L1: 10 for 100 since 2024-01-02',
      '1 L3: 5 for 50 since 2024-01-02',
    ])
  })

  test('without a cost are lots of unknown cost, which gains omit and the position counts', () => {
    const feed = exampleFeed(xyz)
    const known = feed.buy({ date: '2024-03-01', quantity: 1, netAmount: 10 })
    const unknown = feed.line('TransferIn', { date: '2024-02-01', quantity: 10 })
    const sale = feed.sell({ date: '2024-03-02', quantity: 4, netAmount: 40 })
    assert.deepEqual(booksOf([unknown, sale]).gains, ['Sale L2 unknown'])
    const knownOf = (lines: readonly ActivityLine[]) =>
      foldAccount(lines).positions.map((position) => position.costKnown)
    assert.deepEqual(
      [knownOf([known]), knownOf([unknown]), knownOf([known, unknown])],
      [['all'], ['none'], ['some']],
    )
  })

  test('of a short bring a negative cost', () => {
    const feed = exampleFeed(xyz)
    const lines = [feed.line('TransferIn', { date: '2024-02-01', quantity: -5, cost: 50, acctType: 3 })]
    assert.deepEqual(booksOf(lines).lots, ['3 L1: -5 for -50 since 2024-02-01'])
  })

  test('of shares close a short at their cost, and the rest is a lot', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.sellShort({ date: '2024-01-02', quantity: 4, netAmount: 60 }),
      feed.line('TransferIn', { date: '2024-02-01', quantity: 10, cost: 100, openDate: '2020-01-02' }),
    ]
    const books = booksOf(lines)
    assert.deepEqual([books.gains, books.lots], [['Cover L1 20'], ['1 L2: 6 for 60 since 2020-01-02']])
  })

  test('of shares of unknown cost close a short with an unknown gain', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.sellShort({ date: '2024-01-02', quantity: 4, netAmount: 60 }),
      feed.line('TransferIn', { date: '2024-02-01', quantity: 4 }),
    ]
    assert.deepEqual(booksOf(lines).gains, ['Cover L1 unknown'])
  })

  test('of a short close a long at the proceeds of the short', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 4, netAmount: 40 }),
      feed.line('TransferIn', { date: '2024-02-01', quantity: -4, cost: 50 }),
    ]
    assert.deepEqual(booksOf(lines).gains, ['Sale L1 10'])
  })
})

describe('transfers out', () => {
  test('take lots as a sale does, with their cost and without a gain', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 120 }),
      feed.line('TransferOut', { date: '2024-02-01', quantity: 13 }),
      feed.line('TransferOut', { date: '2024-02-02', quantity: 2, netAmount: 5, lotId: 'L2' }),
    ]
    assert.deepEqual(booksOf(lines), {
      lots: ['1 L2: 5 for 60 since 2024-01-03'],
      left: [
        'L3: 1 L1: 10 for 100 since 2024-01-02',
        'L3: 1 L2: 3 for 36 since 2024-01-03',
        'L4: 1 L2: 2 for 24 since 2024-01-03',
      ],
      gains: [],
      breaks: [],
      moved: ['XYZ -13 cash 0', 'XYZ -2 cash -5'],
      cash: ['1 -225'],
    })
  })

  test('of more than the holding leave a short lot of unknown cost and a break', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.line('TransferOut', { date: '2024-02-01', quantity: 13 }),
    ]
    const books = booksOf(lines)
    assert.deepEqual(books.lots, ['1 L2: -3 for unknown since 2024-02-01'])
    assert.deepEqual([books.breaks, books.moved], [['Oversold -3'], ['XYZ -13 cash 0']])
  })

  test('of shares that are not held leave a short lot of unknown cost and a break', () => {
    const feed = exampleFeed(xyz)
    const books = booksOf([feed.line('TransferOut', { date: '2024-02-01', quantity: 3 })])
    assert.deepEqual(books.lots, ['1 L1: -3 for unknown since 2024-02-01'])
    assert.deepEqual([books.breaks, books.moved], [['Oversold -3'], ['XYZ -3 cash 0']])
  })

  test('of shares that close a short at a loss wash no later short sale', () => {
    const feed = exampleFeed(xyz)
    const short = (date: string) => feed.sellShort({ date, quantity: 10, netAmount: 200, acctType: 3 })
    const first = short('2024-01-02')
    const closing = feed.line('TransferIn', { date: '2024-02-01', quantity: 10, cost: 300, acctType: 3 })
    const { closings, washes } = foldAccount([first, closing, short('2024-02-05')])
    assert.deepEqual(
      closings.map(({ gain }) => renderDecimal(gain)),
      ['-100'],
    )
    assert.deepEqual(washes, [])
  })

  test('of a short reduce it to zero and beyond zero open a long', () => {
    const feed = exampleFeed(xyz)
    const short = feed.sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100, acctType: 3 })
    const out = (quantity: number) =>
      booksOf([
        short,
        feed.line('TransferOut', { date: '2024-02-01', quantity, acctType: 3, externalId: 'T' }),
      ])
    assert.deepEqual(out(4).lots, ['3 L1: -6 for -60 since 2024-01-02'])
    assert.deepEqual(out(4).moved, ['XYZ 4 cash 0'])
    assert.deepEqual(
      [out(12).lots, out(12).breaks],
      [['3 T: 2 for unknown since 2024-02-01'], ['Oversold 2']],
    )
  })

  test('of cash move only cash', () => {
    const feed = exampleFeed(xyz)
    const cash = (line: ActivityLine) => ({ ...line, security: undefined })
    const lines = [
      cash(feed.line('TransferIn', { date: '2024-02-01', quantity: 0.1, netAmount: 900 })),
      cash(feed.line('TransferOut', { date: '2024-02-01', quantity: 0.1, netAmount: 400 })),
    ]
    assert.deepEqual([booksOf(lines).cash, booksOf(lines).moved], [['1 500'], ['0 cash -400']])
  })
})

describe('journals', () => {
  test('between account types move lots with cost and dates', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 120 }),
      feed.line('Journal', { date: '2024-02-01', quantity: -15 }),
      feed.line('Journal', { date: '2024-02-01', quantity: 12, acctType: 2 }),
      feed.line('Journal', { date: '2024-02-01', quantity: 3, acctType: 3 }),
    ]
    assert.deepEqual(booksOf(lines), {
      lots: [
        '1 L2: 5 for 60 since 2024-01-03',
        '2 L1: 10 for 100 since 2024-01-02',
        '2 L2/1: 2 for 24 since 2024-01-03',
        '3 L2/2: 3 for 36 since 2024-01-03',
      ],
      left: [],
      gains: [],
      breaks: [],
      moved: [],
      cash: ['1 -220'],
    })
  })

  test('between account types move a short', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.sellShort({ date: '2024-01-02', quantity: 10, netAmount: 100, acctType: 2 }),
      feed.line('Journal', { date: '2024-02-01', quantity: 10, acctType: 2 }),
      feed.line('Journal', { date: '2024-02-01', quantity: -10, acctType: 3 }),
    ]
    assert.deepEqual(
      [booksOf(lines).lots, booksOf(lines).breaks],
      [['3 L1: -10 for -100 since 2024-01-02'], []],
    )
  })

  test('to another account remove the lots if no line takes them on the same day', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.line('Journal', { date: '2024-02-01', quantity: -4 }),
      feed.line('Journal', { date: '2024-02-02', quantity: 4, acctType: 2 }),
    ]
    const books = booksOf(lines)
    assert.deepEqual(books.left, ['L2: 1 L1: 4 for 40 since 2024-01-02'])
    assert.deepEqual(books.lots, ['1 L1: 6 for 60 since 2024-01-02', '2 L3: 4 for unknown since 2024-02-02'])
  })

  test('from another account bring the cost and date in the line', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 10, netAmount: 100 }),
      feed.line('Journal', { date: '2024-02-01', quantity: -4 }),
      feed.line('Journal', {
        date: '2024-02-01',
        quantity: 4,
        acctType: 2,
        cost: 77,
        openDate: '2019-01-02',
      }),
    ]
    assert.deepEqual(booksOf(lines).lots.slice(1), ['2 L3: 4 for 77 since 2019-01-02'])
  })

  test('of more than the holding open a short lot and raise a break', () => {
    const feed = exampleFeed(xyz)
    const lines = [
      feed.buy({ date: '2024-01-02', quantity: 3, netAmount: 30 }),
      feed.line('Journal', { date: '2024-02-01', quantity: -4 }),
    ]
    assert.deepEqual(
      [booksOf(lines).lots, booksOf(lines).breaks],
      [['1 L2: -1 for unknown since 2024-02-01'], ['Oversold -1']],
    )
  })

  test('of cash change only cash', () => {
    const feed = exampleFeed(xyz)
    const line = {
      ...feed.line('Journal', { date: '2024-02-01', quantity: 1, netAmount: -12.5 }),
      security: undefined,
    }
    assert.deepEqual([booksOf([line]).cash, booksOf([line]).lots], [['1 -12.5'], []])
  })
})

test('a position is the sum of the lots of an account type', () => {
  const feed = exampleFeed(xyz)
  const fold = foldAccount([
    feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 100 }),
    feed.buy({ date: '2024-01-02', quantity: 5, netAmount: 60 }),
    feed.buy({ date: '2024-01-04', quantity: 1, netAmount: 60, acctType: 2 }),
  ])
  const holding = fold.holdings.get('XYZ')
  assert.ok(holding)
  assert.deepEqual(
    positionsOf(holding, 'FIFO').map(({ acctType, quantity, cost, openDate }) => [
      acctType,
      renderDecimal(quantity),
      renderDecimal(cost),
      openDate,
    ]),
    [
      [1, '15', '160', '2024-01-02'],
      [2, '1', '60', '2024-01-04'],
    ],
  )
})
