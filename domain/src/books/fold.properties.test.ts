import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, multiply, sum, ZERO } from '../decimal.ts'
import { type ActivityLine, dependsOnHolding } from './activity.ts'
import { arrangeLines } from './arrange.ts'
import { noEffects } from './effects.ts'
import { type AccountFold, applyLine, foldAccount, joinWashes } from './fold.ts'
import type { HoldingState } from './holding.ts'
import { verifyLots, verifyWashes } from './invariants.ts'
import { postActivity } from './post-activity.ts'
import { anyLotMethod, randomHistory } from './random-history.ts'
import { costInBooks, costOfDepartures, verifyBooks } from './test-invariants.ts'

const RUNS = { numRuns: 300 }

/** The line that cancels another, in the form of a feed. */
function cancelOf(line: ActivityLine, sequence: number): ActivityLine {
  return {
    ...line,
    externalId: `cancel of ${line.externalId}`,
    sequence,
    cancels: true,
    tagNo: line.externalId,
  }
}

describe('the order of arrival', () => {
  test('does not change the books if all lines are folded', () => {
    const shuffled = randomHistory().chain((lines) =>
      fc.record({
        lines: fc.constant(lines),
        arrived: fc.shuffledSubarray(lines, { minLength: lines.length }),
        lotMethod: anyLotMethod,
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ lines, arrived, lotMethod }) => {
        assert.deepEqual(foldAccount(arrived, { lotMethod }), foldAccount(lines, { lotMethod }))
      }),
      RUNS,
    )
  })

  test('does not change the books if lines are applied one after the other', () => {
    fc.assert(
      fc.property(randomHistory(), anyLotMethod, (lines, lotMethod) => {
        const whole = foldAccount(lines, { lotMethod })
        const holdings = new Map<string, HoldingState>()
        const applied = arrangeLines(lines, noEffects()).map((line) => {
          const keys = [line.security?.key, line.toSecurity?.key]
          const touched = new Map([...holdings].filter(([key]) => keys.includes(key)))
          const before = structuredClone(touched)
          const result = applyLine(touched, line, { lotMethod })
          assert.deepEqual(touched, before, 'the given state is unchanged')
          for (const [key, holding] of result.holdings) holdings.set(key, holding)
          return result
        })
        assert.deepEqual(holdings, whole.holdings)
        for (const part of ['closings', 'washes', 'movements', 'departures', 'breaks'] as const) {
          assert.deepEqual(
            applied.flatMap((result) => result[part] as unknown[]),
            whole[part],
          )
        }
        const cashOf = (changes: AccountFold['cash']) => sum(changes.map((change) => change.amount))
        assert.equal(cashOf(applied.flatMap((result) => result.cash)), cashOf(whole.cash))
      }),
      RUNS,
    )
  })
})

describe('corrections', () => {
  const withChosen = randomHistory().chain((lines) =>
    fc.record({
      lines: fc.constant(lines),
      chosen: fc.subarray(lines),
      arrival: fc.infiniteStream(fc.nat()),
    }),
  )

  test('a cancelled line has no effect, in whatever order the line and its cancel arrive', () => {
    fc.assert(
      fc.property(withChosen, ({ lines, chosen, arrival }) => {
        const cancels = chosen.map((line, index) => cancelOf(line, 1000 + index))
        const arrived = shuffle([...lines, ...cancels], arrival)
        assert.deepEqual(foldAccount(arrived), foldAccount(lines.filter((line) => !chosen.includes(line))))
      }),
      RUNS,
    )
  })

  test('a line that is cancelled and rebilled with the same facts gives the same books, under the new name', () => {
    fc.assert(
      fc.property(withChosen, ({ lines, chosen, arrival }) => {
        const corrections = chosen.flatMap((line, index) => [
          cancelOf(line, 1000 + index),
          {
            ...line,
            externalId: `again ${line.externalId}`,
            sequence: 2000 + index,
            rebills: true,
            tagNo: line.externalId,
          },
        ])
        const corrected = foldAccount(shuffle([...lines, ...corrections], arrival))
        const plain = foldAccount(lines)
        assert.deepEqual(corrected.positions, plain.positions)
        assert.deepEqual(corrected.cash, plain.cash)
        assert.deepEqual(
          corrected.closings.map(({ gain, term, quantity }) => ({ gain, term, quantity })),
          plain.closings.map(({ gain, term, quantity }) => ({ gain, term, quantity })),
        )
        assert.equal(corrected.breaks.length, plain.breaks.length)
      }),
      RUNS,
    )
  })
})

describe('invariants of the fold', () => {
  test('entries balance, positions and cash are their fold, lots are in order, and wash sales do not exceed losses', () => {
    fc.assert(
      fc.property(randomHistory(), anyLotMethod, (lines, lotMethod) => {
        const fold = foldAccount(lines, { lotMethod })
        const entries = lines.map((line) => postActivity(line, fold.movements))
        assert.deepEqual(verifyBooks(fold, entries), [])
      }),
      RUNS,
    )
  })

  test('cost is preserved: money paid less money received plus gains plus disallowed losses', () => {
    fc.assert(
      fc.property(randomHistory(), anyLotMethod, (lines, lotMethod) => {
        const fold = foldAccount(lines, { lotMethod })
        fc.pre(everyCostKnown(fold))
        const broughtIn = sum(lines.map((line) => costBroughtIn(line, fold)))
        const gains = sum(fold.closings.map(({ proceeds, cost }) => proceeds - cost))
        const disallowed = sum(fold.washes.map((wash) => wash.disallowed))
        const expected =
          broughtIn - costOfDepartures(fold.departures) - cashForShares(lines, fold) + gains + disallowed
        assert.equal(costInBooks(fold), expected)
      }),
      RUNS,
    )
  })

  test('disallowed losses are in the cost of lots, whether open, closed or transferred', () => {
    const kinds = ['trade', 'trade', 'trade', 'transfer', 'split', 'option'] as const
    fc.assert(
      fc.property(randomHistory({ kinds, stepsMax: 60 }), anyLotMethod, (lines, lotMethod) => {
        const fold = foldAccount(lines, { lotMethod })
        const open = [...fold.holdings.values()].flatMap((holding) => holding.lots.flat())
        const added = [...open, ...fold.closings, ...fold.departures.map(({ lot }) => lot)].map(
          (lot) => lot.washAdded,
        )
        assert.equal(sum(added), sum(fold.washes.map((wash) => wash.disallowed)))
        assert.deepEqual(verifyWashes(fold), [])
      }),
      RUNS,
    )
  })

  test('wash sales never change gains, and never change a loss by more than itself', () => {
    fc.assert(
      fc.property(randomHistory({ kinds: ['trade'], stepsMax: 60 }), (lines) => {
        const { closings, washes } = foldAccount(lines)
        for (const { gain, washDisallowed } of joinWashes(closings, washes)) {
          assert.ok(gain >= 0n ? washDisallowed === ZERO : washDisallowed <= -gain)
        }
      }),
      RUNS,
    )
  })

  test('a history that ends with the sale of everything leaves no lot, no quantity and no cost', () => {
    fc.assert(
      fc.property(
        randomHistory({ kinds: ['trade', 'split', 'transfer'] }),
        anyLotMethod,
        (lines, lotMethod) => {
          const before = foldAccount(lines, { lotMethod })
          const template = lines[0]
          assert.ok(template)
          const closing = before.positions.map((position, index): ActivityLine => {
            const security = before.holdings.get(position.securityKey)?.security
            const sells = position.quantity > 0n
            return {
              ...{
                ...template,
                transType: 'Trade',
                buySell: sells ? 'SEL' : 'BCV',
                security,
                cost: undefined,
              },
              ...{
                externalId: `out ${index}`,
                order: `out ${index}`,
                sequence: 5000 + index,
                acctType: position.acctType,
              },
              tradeDate: '2030-01-02',
              settleDate: '2030-01-03',
              quantity: -position.quantity,
              ...{
                netAmount: sells ? 1234n * 10n ** 8n : -1234n * 10n ** 8n,
                interest: ZERO,
                lotId: undefined,
              },
            }
          })
          const after = foldAccount([...lines, ...closing], { lotMethod })
          assert.deepEqual(after.positions, [])
          assert.equal(costInBooks(after), ZERO)
          assert.deepEqual(verifyLots(after), [])
        },
      ),
      RUNS,
    )
  })
})

function shuffle<T>(list: readonly T[], stream: Iterator<number>): T[] {
  return list
    .map((element) => ({ element, place: stream.next().value as number }))
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element)
}

/** Whether the history has no lot of unknown cost: such a lot would be open, closed or departed. */
function everyCostKnown({ holdings, closings, departures }: AccountFold): boolean {
  const kept = [...holdings.values()].flatMap(({ lots, inTransit }) => [
    ...lots.flat(),
    ...inTransit.map(({ lot }) => lot),
  ])
  return [...kept, ...closings, ...departures.map(({ lot }) => lot)].every((lot) => lot.costKnown)
}

/** The cost of the lot that a transfer states, and the value of shares that a taxable spin-off brings. */
function costBroughtIn(line: ActivityLine, { movements, closings }: AccountFold): Decimal {
  if (line.transType === 'TransferIn') return line.cost ?? ZERO
  if (line.transType !== 'Spinoff' || line.taxable === undefined) return ZERO
  const sold = closings.filter(({ kind }) => kind === 'CashInLieu')
  const ofLine = [...movements, ...sold].filter(({ lineId }) => lineId === line.externalId)
  return multiply(line.price ?? ZERO, sum(ofLine.map(({ quantity }) => quantity)), 2)
}

/**
 * Cash paid or received for shares, without accrued interest. The cash of an action on an empty position has no cost
 * to offset.
 */
function cashForShares(lines: readonly ActivityLine[], fold: AccountFold): Decimal {
  const ofTrades = lines
    .filter((line) => line.transType === 'Trade' || line.transType === 'Reinvest')
    .map((line) => (line.netAmount ?? ZERO) + (line.quantity > 0n ? line.interest : -line.interest))
  const forNothing = new Set(
    fold.breaks.filter((found) => found.kind === 'NothingHeld').map((found) => found.lineId),
  )
  const counts = (line: ActivityLine) =>
    dependsOnHolding(line.transType) &&
    (!forNothing.has(line.externalId) ||
      line.transType === 'Maturity' ||
      line.transType === 'Redemption' ||
      line.transType === 'Exercise' ||
      line.transType === 'Assignment')
  const counted = new Set(lines.filter(counts).map((line) => line.externalId))
  const ofOthers = fold.movements
    .filter((movement) => counted.has(movement.lineId))
    .map((movement) => movement.cash)
  return sum([...ofTrades, ...ofOthers])
}
