/**
 * Published worked examples of wash sales, as rows of lots bought and sold. The examples of 26 CFR 1.1091-1(h) are left
 * out because their source was not at hand; they have the numbers of rows WASH-IRS550-2 and -3. The short sale against
 * the box of Publication 550 is a row of `wash-against-the-box.test.ts`. Tests name the variants in which a publisher
 * differs.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Decimal, decimal, renderDecimal, sum, ZERO } from '../../decimal.ts'
import { addDays, daysBetween } from '../../market/calendar/day.ts'
import type { ActivityLine } from '../activity.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { applyLine, foldAccount, joinWashes } from '../fold.ts'
import type { WashExample, WashPart, WashRow } from './wash-examples.ts'

const examples: readonly WashExample[] = JSON.parse(
  readFileSync(new URL('wash-sales.json', import.meta.url), 'utf8'),
)

/**
 * Publishers that adjust the basis but not the holding period, or that move the whole date instead of adding the
 * days.
 */
const VARIANTS: Readonly<Record<string, string>> = {
  'WASH-MUANDREW-AFTER':
    'the publisher keeps the purchase date of the replacement; only amounts are compared',
  'WASH-TTLC-CHAIN': 'the publisher gives the replacement the first purchase date; only amounts are compared',
  'WASH-BB-multiple_possible_replacements_choose_larger_num_shares':
    'among lots of one day, the publisher prefers one with at least as many shares; here it is also the first entered',
  'WASH-BB-multiple_small_replacement_lots':
    'of two lots of one day, the publisher uses the last entered; here the first is used, and only the loss is compared',
}

describe('published wash sales', () => {
  for (const { id, about, lots, expected } of examples) {
    const variant = VARIANTS[id] === undefined ? '' : ` (variant: ${VARIANTS[id]})`
    test(`${id}: ${about}${variant}`, () => {
      const fold = foldAccount(linesOf(lots))
      assert.deepEqual(fold.breaks, [])
      const closings = joinWashes(fold.closings, fold.washes)
      const losses = closings.filter((closing) => closing.gain < 0n)
      const disallowed = sum(losses.map((closing) => closing.washDisallowed))
      if (expected.disallowed !== undefined) assertAmount(disallowed, expected.disallowed)
      if (expected.allowedLoss !== undefined) {
        assertAmount(-sum(losses.map((closing) => closing.gain)) - disallowed, expected.allowedLoss)
      }
      if (expected.disallowedInTurn !== undefined) {
        const inTurn = losses.map((closing) => renderDecimal(closing.washDisallowed))
        assert.deepEqual(inTurn, expected.disallowedInTurn)
      }
      const open = [...fold.holdings.values()].flatMap((holding) => holding.lots.flat())
      for (const lot of expected.openLots ?? []) {
        const mine = open.filter((other) => other.openedBy === lot.lot)
        assertAmount(sum(mine.map((other) => other.cost)), lot.cost)
        if (lot.quantity !== undefined) assertAmount(sum(mine.map((other) => other.quantity)), lot.quantity)
        if (lot.holdingStart !== undefined)
          assert.deepEqual(
            mine.map((other) => other.holdingStart),
            [lot.holdingStart],
          )
      }
      if (expected.parts !== undefined) {
        const ours = [
          ...open.map((lot) => ({ ...lot, sold: undefined, proceeds: ZERO, disallowed: ZERO })),
          ...closings.map((closing) => ({
            ...closing,
            sold: closing.closeDate,
            disallowed: closing.washDisallowed,
          })),
        ]
        const theirs = expected.parts.map((part, index) => ({
          openedBy: part.lot ?? rowOfPart(lots, expected.parts ?? [], index),
          holdingStart: part.holdingStart,
          sold: part.sold,
          quantity: decimal(part.quantity),
          cost: decimal(part.cost),
          proceeds: decimal(part.proceeds ?? '0'),
          disallowed: decimal(part.disallowed ?? '0'),
        }))
        assert.deepEqual(addUp(ours), addUp(theirs))
      }
    })
  }

  test('WASH-8949: the gain reported is proceeds less cost plus the adjustment', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const fold = foldAccount([
      feed.buy({ date: '2014-01-10', quantity: 100, netAmount: 5200 }),
      feed.sell({ date: '2014-08-25', quantity: 100, netAmount: 4800 }),
      feed.buy({ date: '2014-09-15', quantity: 100, netAmount: 5000 }),
    ])
    const [closing] = joinWashes(fold.closings, fold.washes)
    assert.ok(closing)
    assertAmount(closing.washDisallowed, '400')
    assertAmount(closing.gain + closing.washDisallowed, '0')
  })

  for (const [date, washed] of [
    ['2025-01-27', true],
    ['2025-01-30', true],
    ['2025-01-31', false],
  ] as const) {
    test(`WASH-BOUNDARY-NVDA: sold 2024-12-31, bought again ${date}, ${washed ? 'is' : 'is not'} washed`, () => {
      const feed = exampleFeed(exampleSecurity('NVDA'))
      const fold = foldAccount([
        feed.buy({ date: '2024-11-19', quantity: 1, price: 145 }),
        feed.sell({ date: '2024-12-31', quantity: 1, price: 135 }),
        feed.buy({ date, quantity: 1, price: 120 }),
      ])
      assert.deepEqual(
        fold.washes.map((wash) => renderDecimal(wash.disallowed)),
        washed ? ['10'] : [],
      )
    })
  }

  test('WASH-BB-no_wash_replacement_already_used: shares that have already replaced others do not replace again', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const bought = foldAccount([
      feed.buy({ date: '2012-05-20', quantity: 10, netAmount: 2 }),
      feed.buy({ date: '2012-06-10', quantity: 10, netAmount: 2 }),
    ])
    const holding = bought.holdings.get('XYZ')
    assert.ok(holding)
    const used = holding.lots[0].map((lot) => (lot.openedBy === 'L2' ? { ...lot, canReplace: false } : lot))
    const sale = feed.sell({ date: '2012-06-11', quantity: 10, netAmount: 1, lotId: 'L1' })
    const applied = applyLine(new Map([['XYZ', { ...holding, lots: [used, [], []] as const }]]), sale)
    assert.deepEqual(applied.washes, [])
    assert.equal(applied.closings.length, 1)
  })
})

test('the window includes the 30th day before and after the sale', () => {
  for (const [days, washed] of [
    [-31, 0],
    [-30, 1],
    [0, 1],
    [30, 1],
    [31, 0],
  ] as const) {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const other = addDays('2024-03-15', days)
    const fold = foldAccount([
      feed.buy({ date: '2023-01-02', quantity: 1, netAmount: 100 }),
      feed.buy({ date: other, quantity: 1, netAmount: 90 }),
      feed.sell({ date: '2024-03-15', quantity: 1, netAmount: 50, lotId: 'L1' }),
    ])
    assert.equal(fold.washes.length, washed, `bought ${daysBetween('2024-03-15', other)} days from the sale`)
  }
})

/**
 * Each row is a purchase on its date and, when sold, a sale of exactly that lot. Rows of one date are in their order.
 */
function linesOf(rows: readonly WashRow[]): ActivityLine[] {
  const feed = exampleFeed(exampleSecurity('XYZ'))
  const trades = rows.flatMap((row, index) => {
    const lot = row.lot ?? String(index)
    const bought = { date: row.bought, index, row, lot, sells: false }
    return row.sold === undefined ? [bought] : [bought, { ...bought, date: row.sold, sells: true }]
  })
  trades.sort((a, b) => (a.date === b.date ? a.index - b.index : a.date < b.date ? -1 : 1))
  return trades.map(({ date, row, lot, sells }) =>
    sells
      ? feed.sell({ date, quantity: row.quantity, netAmount: row.proceeds, lotId: lot })
      : feed.buy({
          date,
          quantity: row.quantity,
          netAmount: row.cost,
          externalId: lot,
          order: row.order ?? lot,
        }),
  )
}

/** Parts without a lot name are in the order of their rows. */
function rowOfPart(rows: readonly WashRow[], parts: readonly WashPart[], index: number): string {
  let before = sum(parts.slice(0, index).map((part) => decimal(part.quantity)))
  const row = rows.findIndex((candidate) => {
    if (before < decimal(candidate.quantity)) return true
    before -= decimal(candidate.quantity)
    return false
  })
  return rows[row]?.lot ?? String(row)
}

interface PartAmounts {
  readonly openedBy: string
  readonly holdingStart: string
  readonly sold: string | undefined
  readonly quantity: Decimal
  readonly cost: Decimal
  readonly proceeds: Decimal
  readonly disallowed: Decimal
}

/**
 * Sums parts of one lot with one holding period that were sold on one day, because publishers divide them
 * differently.
 */
function addUp(parts: readonly PartAmounts[]): Record<string, string> {
  const sums = new Map<string, [Decimal, Decimal, Decimal, Decimal]>()
  for (const { openedBy, holdingStart, sold, quantity, cost, proceeds, disallowed } of parts) {
    const name = `${openedBy} held since ${holdingStart} ${sold === undefined ? 'open' : `sold ${sold}`}`
    const [a, b, c, d] = sums.get(name) ?? [ZERO, ZERO, ZERO, ZERO]
    sums.set(name, [a + quantity, b + cost, c + proceeds, d + disallowed])
  }
  return Object.fromEntries(
    [...sums]
      .sort()
      .map(([name, amounts]) => [name, amounts.map((amount) => renderDecimal(amount)).join(' ')]),
  )
}

function assertAmount(actual: Decimal, expected: string): void {
  assert.equal(renderDecimal(actual), renderDecimal(decimal(expected)))
}
