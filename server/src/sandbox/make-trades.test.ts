import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decimal } from '@clearing/domain/decimal'
import { isMarketDay } from '@clearing/domain/market'
import fc from 'fast-check'
import { makeTrades } from './make-trades.ts'

const stocks = [
  { symbol: 'AAA', price: decimal('48.25') },
  { symbol: 'BBB', price: decimal('131.4') },
  { symbol: 'PENNY', price: decimal('0.2') },
]

it('trading is the same for a seed, never sells more than the account holds, and is covered by its deposit', () => {
  const plan = fc.record({
    seed: fc.string({ maxLength: 40 }),
    count: fc.integer({ min: 1, max: 200 }),
    day: fc.constantFrom('2026-01-02', '2026-03-31', '2026-11-27', '2027-01-04'),
  })
  fc.assert(
    fc.property(plan, ({ seed, count, day }) => {
      const lines = makeTrades({ accountNumber: '30100008', seed, count, day, stocks })
      assert.deepEqual(makeTrades({ accountNumber: '30100008', seed, count, day, stocks }), lines)
      assert.equal(lines.length, count + 1)
      const [deposit, ...trades] = lines
      const held = new Map<string, number>()
      let cents = Math.round(Number(deposit?.netAmount) * 100)
      let before = deposit?.tradeDate ?? ''
      for (const { symbol = '', buySell, quantity, price, tradeDate = '' } of trades) {
        assert.ok(tradeDate >= before && tradeDate <= day && isMarketDay(tradeDate))
        before = tradeDate
        const shares = Number(quantity)
        const owned = (held.get(symbol) ?? 0) + (buySell === 'BUY' ? shares : -shares)
        assert.ok(shares > 0 && owned >= 0)
        held.set(symbol, owned)
        assert.match(price ?? '', /^\d+\.\d\d$/)
        if (buySell === 'BUY') cents -= Math.round(shares * Number(price) * 100)
      }
      assert.equal(before, day)
      assert.ok(cents >= 0)
      assert.equal(new Set(lines.map(({ externalId }) => externalId)).size, lines.length)
    }),
    { numRuns: 60 },
  )
})

it('another seed or another day gives other trades', () => {
  const of = (seed: string, day: string) =>
    JSON.stringify(makeTrades({ accountNumber: '30100008', seed, count: 30, day, stocks }))
  assert.notEqual(of('a', '2026-03-31'), of('b', '2026-03-31'))
  assert.notEqual(of('a', '2026-03-31'), of('a', '2026-11-27'))
})
