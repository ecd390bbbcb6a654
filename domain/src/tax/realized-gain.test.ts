import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { exampleFeed, exampleSecurity } from '../books/example-lines.ts'
import { type ActivityLine, foldAccount, joinWashes, type LotMethod } from '../books/index.ts'
import { anyLotMethod, randomHistory } from '../books/random-history.ts'
import { decimal, ONE, renderDecimal, sum, ZERO } from '../decimal.ts'
import { GainTotals } from './gain-totals.ts'
import { type RealizedGain, realizedGain } from './realized-gain.ts'

const noRates = { open: ZERO, close: ZERO }

function gainsOf(lines: readonly ActivityLine[], lotMethod: LotMethod = 'FIFO'): RealizedGain[] {
  const { closings, washes } = foldAccount(lines, { lotMethod })
  return joinWashes(closings, washes).map((closing) => realizedGain(closing, 'USD', noRates))
}

describe('a gain in another currency', () => {
  const feed = exampleFeed(exampleSecurity('XYZ', { currency: 'EUR' }))
  const lines = [
    feed.buy({ date: '2024-01-03', quantity: 3, netAmount: 300 }),
    feed.sell({ date: '2024-03-04', quantity: 3, netAmount: 270 }),
    feed.buy({ date: '2024-03-05', quantity: 1, netAmount: 90 }),
  ]
  const { closings, washes } = foldAccount(lines)
  const [closing] = joinWashes(closings, washes)
  assert.ok(closing)
  const inUsd = (open: string, close: string) => {
    const gain = realizedGain(closing, 'EUR', { open: decimal(open), close: decimal(close) })
    const { proceeds, cost, gainLoss, washDisallowedAmt, gainLossAllowed } = gain
    return [proceeds, cost, gainLoss, washDisallowedAmt, gainLossAllowed].map((amount) =>
      renderDecimal(amount),
    )
  }

  test('has each side at its own rate, and of its loss the part that is disallowed in the currency', () => {
    assert.deepEqual(inUsd('1.1', '1.2'), ['324', '330', '-6', '2', '-4'])
    assert.deepEqual(inUsd('1', '1'), ['270', '300', '-30', '10', '-20'])
  })
  test('that the rates turn into a gain has nothing to disallow', () => {
    assert.deepEqual(inUsd('1', '1.2'), ['324', '300', '24', '0', '24'])
  })
  test('without a rate is left out', () => {
    assert.deepEqual(inUsd('0', '1.2'), ['324', '0', '0', '0', '0'])
    assert.equal(realizedGain(closing, 'EUR', { open: ZERO, close: ONE }).noCost, true)
  })
})

test('an account that was emptied realized what it received less what it paid: proceeds less cost plus what was disallowed', () => {
  const emptied = fc.tuple(randomHistory({ kinds: ['trade', 'trade', 'split'], stepsMax: 60 }), anyLotMethod)
  fc.assert(
    fc.property(emptied, ([lines, lotMethod]) => {
      const [template] = lines
      assert.ok(template)
      const { positions, holdings } = foldAccount(lines, { lotMethod })
      const out = positions.map((position, index): ActivityLine => {
        const sells = position.quantity > 0n
        return {
          ...template,
          ...{ transType: 'Trade', buySell: sells ? 'SEL' : 'BCV', acctType: position.acctType },
          security: holdings.get(position.securityKey)?.security,
          ...{ externalId: `out ${index}`, order: `out ${index}`, sequence: 5000 + index },
          ...{ tradeDate: '2035-01-02', settleDate: '2035-01-03', quantity: -position.quantity },
          ...{ netAmount: decimal(sells ? '1234' : '-1234'), interest: ZERO, lotId: undefined },
        }
      })
      const all = [...lines, ...out]
      const gains = gainsOf(all, lotMethod)
      const { cash, breaks } = foldAccount(all, { lotMethod })
      // Cash of an action on nothing held is for nothing, and no gain.
      fc.pre(breaks.every(({ kind }) => kind !== 'NothingHeld'))
      const interest = sum(all.map((line) => (line.quantity > 0n ? -line.interest : line.interest)))
      const allowed = sum(gains.map(({ gainLossAllowed }) => gainLossAllowed))
      assert.equal(allowed, sum(cash.map(({ amount }) => amount)) - interest)
      const of = (member: 'proceeds' | 'cost' | 'washDisallowedAmt') => sum(gains.map((gain) => gain[member]))
      assert.equal(allowed, of('proceeds') - of('cost') + of('washDisallowedAmt'))
      const totals = new GainTotals()
      for (const gain of gains) totals.add(gain)
      const { shortTerm, longTerm, years } = totals.totals()
      assert.equal(shortTerm.gainLossAllowed + longTerm.gainLossAllowed, allowed)
      for (const term of ['shortTerm', 'longTerm'] as const)
        assert.equal(sum(years.map((year) => year[term].proceeds)), totals.totals()[term].proceeds)
    }),
    { numRuns: 300 },
  )
})
