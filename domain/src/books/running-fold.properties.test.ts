import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { foldAccount } from './fold.ts'
import { anyLotMethod, randomHistory } from './random-history.ts'
import { type HeldBalance, RunningFold } from './running-fold.ts'

function cancelOf(line: ActivityLine, sequence: number): ActivityLine {
  return {
    ...line,
    externalId: `cancel of ${line.externalId}`,
    sequence,
    cancels: true,
    tagNo: line.externalId,
  }
}

/** Lines in an order of arrival, some cancelled before or after their arrival, divided into days. */
const days = randomHistory().chain((lines) =>
  fc
    .record({
      arrived: fc.oneof(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
      cancelled: fc.subarray(lines, { maxLength: Math.min(2, lines.length) }),
      places: fc.array(fc.nat({ max: lines.length }), { minLength: 2, maxLength: 2 }),
      size: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ arrived, cancelled, places, size }) => {
      const all = [...arrived]
      cancelled.forEach((line, index) => {
        all.splice(places[index] ?? 0, 0, cancelOf(line, lines.length + index + 1))
      })
      return Array.from({ length: Math.ceil(all.length / size) }, (_, day) =>
        all.slice(day * size, (day + 1) * size),
      )
    }),
)

function nonZero(balances: Iterable<HeldBalance>): string[] {
  return [...balances]
    .filter(({ quantity, cost }) => quantity !== ZERO || cost !== ZERO)
    .map(({ asset, acctType, quantity, cost }) => `${asset} ${acctType} ${quantity} ${cost}`)
    .sort()
}

function wholeFold(lines: readonly ActivityLine[], lotMethod: 'FIFO' | 'LIFO' | 'HIFO' | 'Average') {
  const { holdings, cash } = foldAccount(lines, { lotMethod })
  const held: HeldBalance[] = cash.map(({ currency, acctType, amount }) => ({
    asset: currency,
    acctType,
    quantity: amount,
    cost: ZERO,
  }))
  for (const [asset, { lots }] of holdings) {
    for (const lot of lots.flat()) {
      const at = held.findIndex((one) => one.asset === asset && one.acctType === lot.acctType)
      const was = held[at] ?? { asset, acctType: lot.acctType, quantity: ZERO, cost: ZERO }
      const is = { ...was, quantity: was.quantity + lot.quantity, cost: was.cost + lot.cost }
      if (at < 0) held.push(is)
      else held[at] = is
    }
  }
  return nonZero(held)
}

test('the balances of each day are those of all lines so far, in whatever order they arrive', () => {
  fc.assert(
    fc.property(days, anyLotMethod, (cut, lotMethod) => {
      const running = new RunningFold({ lotMethod })
      const held = new Map<string, HeldBalance>()
      const lines: ActivityLine[] = []
      for (const day of cut) {
        lines.push(...day)
        for (const balance of running.add(day)) held.set(`${balance.acctType} ${balance.asset}`, balance)
        assert.deepEqual(nonZero(held.values()), wholeFold(lines, lotMethod))
      }
    }),
    { numRuns: 300 },
  )
})
