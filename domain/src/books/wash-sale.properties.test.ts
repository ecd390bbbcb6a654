/**
 * Compares the wash sales of the fold, which are computed as lines arrive, with a model that knows the whole history
 * share by share: for each sale at a loss it examines all purchases of the 61 days, past and future.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, multiplyDivide, renderDecimal, sum, wholeDecimal, ZERO } from '../decimal.ts'
import { addDays, daysBetween } from '../market/calendar/day.ts'
import type { ActivityLine } from './activity.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount, joinWashes } from './fold.ts'

interface Trade {
  readonly daysLater: number
  readonly sells: boolean
  readonly quantity: number
  /** Whole dollars per share, so that the cost of every share is exact. */
  readonly price: number
  readonly sameOrder: boolean
}

interface Share {
  readonly lot: string
  readonly order: string
  readonly bought: string
  readonly boughtAt: number
  cost: number
  start: string
  replaces: boolean
  soldAt: number | undefined
  disallowed: number
}

const trades: fc.Arbitrary<Trade[]> = fc.array(
  fc.record({
    daysLater: fc.constantFrom(0, 0, 1, 5, 14, 30, 31),
    sells: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 8 }),
    price: fc.integer({ min: 5, max: 15 }),
    sameOrder: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

/** Trades in which no sale exceeds the position, as lines. */
function write(history: readonly Trade[]): ActivityLine[] {
  const feed = exampleFeed(exampleSecurity('XYZ'))
  const lines: ActivityLine[] = []
  let date = '2023-01-02'
  let held = 0
  let order = ''
  for (const { daysLater, sells, quantity, price, sameOrder } of history) {
    date = addDays(date, daysLater)
    const size = sells ? Math.min(quantity, held) : quantity
    if (size === 0) continue
    held += sells ? -size : size
    if (!sells && (order === '' || !sameOrder)) order = `order ${lines.length}`
    lines.push(
      sells ? feed.sell({ date, quantity: size, price }) : feed.buy({ date, quantity: size, price, order }),
    )
  }
  return lines
}

/** First in first out, share by share. */
function model(lines: readonly ActivityLine[]): Share[] {
  const shares = lines.flatMap((line, boughtAt): Share[] => {
    if (line.quantity < 0n) return []
    const of = { lot: line.externalId, order: line.order, bought: line.tradeDate, boughtAt }
    const cost = Math.round(-Number(line.netAmount) / Number(line.quantity))
    return Array.from({ length: Number(line.quantity / wholeDecimal(1)) }, () => ({
      ...of,
      cost,
      start: line.tradeDate,
      replaces: false,
      soldAt: undefined,
      disallowed: 0,
    }))
  })
  lines.forEach((line, soldAt) => {
    if (line.quantity > 0n) return
    const count = Number(-line.quantity / wholeDecimal(1))
    const price = Math.round(Number(line.netAmount) / Number(-line.quantity))
    const sold = shares
      .filter((share) => share.soldAt === undefined && share.boughtAt < soldAt)
      .slice(0, count)
    for (const share of sold) share.soldAt = soldAt
    for (const share of sold) {
      const loss = share.cost - price
      if (loss <= 0) continue
      const replacement = shares.find(
        (other) =>
          !other.replaces &&
          other.order !== share.order &&
          (other.soldAt === undefined || other.boughtAt > soldAt) &&
          Math.abs(daysBetween(line.tradeDate, other.bought)) <= 30,
      )
      if (replacement === undefined) continue
      replacement.replaces = true
      replacement.cost += loss
      replacement.start = addDays(replacement.start, -daysBetween(share.start, line.tradeDate))
      share.disallowed = loss
    }
  })
  return shares
}

function dollars(amount: Decimal) {
  return renderDecimal(multiplyDivide(amount, wholeDecimal(1), wholeDecimal(1), 2))
}

describe('wash sales that are computed line by line', () => {
  test('equal those of a model that examines the whole history share by share', () => {
    fc.assert(
      fc.property(trades, (history) => {
        const lines = write(history)
        const fold = foldAccount(lines)
        const shares = model(lines)

        const closings = joinWashes(fold.closings, fold.washes)
        lines.forEach((line, index) => {
          const ours = closings.filter((closing) => closing.lineId === line.externalId)
          const theirs = shares.filter((share) => share.soldAt === index)
          const cost = theirs.reduce((total, share) => total + share.cost, 0)
          const disallowed = theirs.reduce((total, share) => total + share.disallowed, 0)
          assert.equal(
            dollars(sum(ours.map((closing) => closing.cost))),
            String(cost),
            `cost of ${line.externalId}`,
          )
          assert.equal(dollars(sum(ours.map((closing) => closing.washDisallowed))), String(disallowed))
        })

        const parts = new Map<string, [quantity: number, cost: number]>()
        for (const share of shares.filter((candidate) => candidate.soldAt === undefined)) {
          const name = `${share.lot} since ${share.start}${share.replaces ? ' replaced' : ''}`
          const [quantity, cost] = parts.get(name) ?? [0, 0]
          parts.set(name, [quantity + 1, cost + share.cost])
        }
        const ours = new Map<string, [Decimal, Decimal]>()
        for (const lot of fold.holdings.get('XYZ')?.lots.flat() ?? []) {
          const name = `${lot.openedBy} since ${lot.holdingStart}${lot.canReplace ? '' : ' replaced'}`
          const [quantity, cost] = ours.get(name) ?? [ZERO, ZERO]
          ours.set(name, [quantity + lot.quantity, cost + lot.cost])
        }
        const render = ([quantity, cost]: [Decimal, Decimal]) => [
          renderDecimal(quantity),
          renderDecimal(cost),
        ]
        assert.deepEqual(
          new Map([...ours].sort().map(([name, amounts]) => [name, render(amounts)])),
          new Map([...parts].sort().map(([name, amounts]) => [name, amounts.map(String)])),
        )
      }),
      { numRuns: 600 },
    )
  })
})
