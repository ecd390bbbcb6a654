import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { exampleFeed, exampleSecurity } from '../books/example-lines.ts'
import { type ActivityLine, foldAccount, joinWashes, type LotMethod } from '../books/index.ts'
import { anyLotMethod, randomHistory } from '../books/random-history.ts'
import { decimal, ONE, renderDecimal, sum, ZERO } from '../decimal.ts'
import { GainTotals } from './gain-totals.ts'
import { type RealizedGain, realizedGain } from './realized-gain.ts'
import { stock } from './test-form.ts'

const noRates = { open: ZERO, close: ZERO }

function gainsOf(lines: readonly ActivityLine[], lotMethod: LotMethod = 'FIFO'): RealizedGain[] {
  const { closings, washes } = foldAccount(lines, { lotMethod })
  return joinWashes(closings, washes).map((closing) => realizedGain(closing, 'USD', noRates))
}

function closedAndWashed(lines: readonly ActivityLine[]) {
  const { closings, washes } = foldAccount(lines)
  return [closings, washes] as const
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

  test('converts each side at its own rate, and the disallowed loss in proportion', () => {
    assert.deepEqual(inUsd('1.1', '1.2'), ['324', '330', '-6', '2', '-4'])
    assert.deepEqual(inUsd('1', '1'), ['270', '300', '-30', '10', '-20'])
  })
  test('that becomes a gain through the rates has no disallowed loss', () => {
    assert.deepEqual(inUsd('1', '1.2'), ['324', '300', '24', '0', '24'])
  })
  test('has 0 for a side without a rate, and is marked as a gain without cost', () => {
    assert.deepEqual(inUsd('0', '1.2'), ['324', '0', '0', '0', '0'])
    assert.equal(realizedGain(closing, 'EUR', { open: ZERO, close: ONE }).noCost, true)
    assert.deepEqual(inUsd('1.1', '0'), ['0', '0', '0', '0', '0'])
    assert.equal(realizedGain(closing, 'EUR', { open: ONE, close: ZERO }).noCost, true)
    assert.equal(realizedGain(closing, 'EUR', { open: ONE, close: ONE }).noCost, false)
  })
  test('is rounded to cents once for each side', () => {
    assert.deepEqual(inUsd('1.12345', '1.00005'), ['270.01', '337.04', '-67.03', '22.34', '-44.69'])
  })
  test('is a loss through the rates if proceeds and cost are equal in the currency', () => {
    const even = exampleFeed(exampleSecurity('XYZ', { currency: 'EUR' }))
    const [sold] = joinWashes(
      foldAccount([
        even.buy({ date: '2024-01-03', quantity: 3, netAmount: 300 }),
        even.sell({ date: '2024-03-04', quantity: 3, netAmount: 300 }),
      ]).closings,
      [],
    )
    assert.ok(sold)
    const { gainLoss, washDisallowedAmt } = realizedGain(sold, 'EUR', {
      open: decimal('1.1'),
      close: decimal('1'),
    })
    assert.deepEqual(
      [gainLoss, washDisallowedAmt].map((one) => renderDecimal(one)),
      ['-30', '0'],
    )
  })
  test('contains the part of its cost that a wash sale added, at the rate of the opening day', () => {
    const [, washed] = joinWashes(
      ...closedAndWashed([...lines, feed.sell({ date: '2024-03-06', quantity: 1, netAmount: 95 })]),
    )
    assert.ok(washed)
    const gainAt = (open: string, close = ONE) => realizedGain(washed, 'EUR', { open: decimal(open), close })
    assert.deepEqual(
      [gainAt('1.1').cost, gainAt('1.1').washAdded].map((one) => renderDecimal(one)),
      ['110', '11'],
    )
    assert.equal(gainAt('0').washAdded, ZERO)
    assert.equal(gainAt('1.1', ZERO).washAdded, ZERO)
  })
})

describe('totals of gains', () => {
  test('are given for each term, and for each term in each year, the earliest year first', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const gains = gainsOf([
      feed.buy({ date: '2020-05-04', quantity: 2, netAmount: 20 }),
      feed.buy({ date: '2023-05-04', quantity: 2, netAmount: 60 }),
      feed.sell({ date: '2023-08-07', quantity: 3, netAmount: 75 }),
      feed.buy({ date: '2023-08-08', quantity: 1, netAmount: 25 }),
      feed.sell({ date: '2024-02-05', quantity: 1, netAmount: 50 }),
    ])
    const totals = new GainTotals()
    for (const gain of gains.toReversed()) totals.add(gain, stock)
    const texts = ({
      shortTerm,
      longTerm,
    }: Pick<ReturnType<GainTotals['totals']>, 'shortTerm' | 'longTerm'>) =>
      [shortTerm, longTerm].map((sums) =>
        [sums.proceeds, sums.cost, sums.gainLoss, sums.washDisallowedAmt, sums.gainLossAllowed]
          .map((amount) => renderDecimal(amount))
          .join(' '),
      )
    const all = totals.totals()
    // 2 shares of the lot of 2020 and 1 share of the lot of 2023 are sold at 25 each. The purchase after the sale
    // washes the loss of 5.
    assert.deepEqual(texts(all), ['75 60 15 5 20', '50 20 30 0 30'])
    assert.deepEqual(
      all.years.map((year) => [year.year, ...texts(year)]),
      [
        [2023, '25 30 -5 5 0', '50 20 30 0 30'],
        [2024, '50 30 20 0 20', '0 0 0 0 0'],
      ],
    )
  })

  test('have a short sale as Form 1099-B has it: the cash of the sale, and the cost of the cover', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const longs = [
      feed.buy({ date: '2024-05-01', quantity: 10, netAmount: 500 }),
      feed.sell({ date: '2024-05-02', quantity: 10, netAmount: 600 }),
    ]
    const shorts = [
      feed.sellShort({ date: '2024-06-03', quantity: 20, netAmount: 800, acctType: 3 }),
      feed.cover({ date: '2024-06-04', quantity: 20, netAmount: 900, acctType: 3 }),
    ]
    const totalsOf = (lines: readonly ActivityLine[], kind: 'Equity' | 'Option') => {
      const totals = new GainTotals()
      for (const gain of gainsOf(lines)) totals.add(gain, { kind })
      const { proceeds, cost, gainLoss } = totals.totals().shortTerm
      for (const gain of gainsOf(lines)) totals.subtract(gain, { kind })
      assert.equal(totals.totals().shortTerm.proceeds, ZERO)
      return [proceeds, cost, gainLoss].map((amount) => renderDecimal(amount)).join(' ')
    }
    assert.equal(totalsOf(shorts, 'Equity'), '800 900 -100')
    assert.equal(totalsOf([...longs, ...shorts], 'Equity'), '1400 1400 0')
    assert.equal(totalsOf(shorts, 'Option'), '-100 0 -100')
  })
})

test('the gain of an emptied account is what it received less what it paid: proceeds less cost plus the disallowed losses', () => {
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
          transType: 'Trade',
          buySell: sells ? 'SEL' : 'BCV',
          acctType: position.acctType,
          security: holdings.get(position.securityKey)?.security,
          ...{ externalId: `out ${index}`, order: `out ${index}`, sequence: 5000 + index },
          tradeDate: '2035-01-02',
          settleDate: '2035-01-03',
          quantity: -position.quantity,
          netAmount: decimal(sells ? '1234' : '-1234'),
          interest: ZERO,
          lotId: undefined,
        }
      })
      const all = [...lines, ...out]
      const gains = gainsOf(all, lotMethod)
      const { cash, breaks } = foldAccount(all, { lotMethod })
      // Cash of an action on an empty position has no cost and is no gain.
      fc.pre(breaks.every(({ kind }) => kind !== 'NothingHeld'))
      const interest = sum(all.map((line) => (line.quantity > 0n ? -line.interest : line.interest)))
      const allowed = sum(gains.map(({ gainLossAllowed }) => gainLossAllowed))
      assert.equal(allowed, sum(cash.map(({ amount }) => amount)) - interest)
      const of = (member: 'proceeds' | 'cost' | 'washDisallowedAmt') => sum(gains.map((gain) => gain[member]))
      assert.equal(allowed, of('proceeds') - of('cost') + of('washDisallowedAmt'))
      const totals = new GainTotals()
      for (const gain of gains) totals.add(gain, stock)
      const { shortTerm, longTerm, years } = totals.totals()
      assert.equal(shortTerm.gainLossAllowed + longTerm.gainLossAllowed, allowed)
      for (const term of ['shortTerm', 'longTerm'] as const)
        assert.equal(sum(years.map((year) => year[term].proceeds)), totals.totals()[term].proceeds)
    }),
    { numRuns: 300 },
  )
})
