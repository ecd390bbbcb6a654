import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { abs, decimal, multiply, roundTo, sum, ZERO } from '../../decimal.ts'
import { lineValue, percentOf, unitQuantityOf } from './line-value.ts'
import type { OpenLot } from './open-lots.ts'
import type { AcctTypeCode } from './record.ts'
import { aLot, aPrice, aSecurity, PLAIN_TERMS, SAMPLE_NOW, valueSample } from './sample-positions.ts'
import { summarizeAccount } from './summarize.ts'

function amount(min: number, max: number, places: number) {
  return fc.bigInt({ min: BigInt(min), max: BigInt(max) }).map((units) => units * 10n ** BigInt(10 - places))
}
const CURRENCIES = ['USD', 'EUR', 'JPY'] as const
const sampleSecurities = CURRENCIES.flatMap((currency, index) => [
  aSecurity({ secNo: `${index}a`, currency, industryGroupName: 'Energy' }),
  aSecurity({
    secNo: `${index}b`,
    currency,
    industryGroupName: '',
    secTypeName: 'Bond',
    priceDivisor: decimal('100'),
    currentFactor: decimal('0.37'),
  }),
  aSecurity({ secNo: `${index}c`, currency, secTypeName: 'Option', multiplier: decimal('100') }),
  aSecurity({ secNo: `${index}d`, currency, secTypeName: 'Fund', moneyMarket: true }),
])
const lots: fc.Arbitrary<OpenLot[]> = fc.array(
  fc
    .record({
      secNo: fc.constantFrom(...sampleSecurities.map(({ secNo }) => secNo)),
      acctTypeCode: fc.constantFrom<AcctTypeCode>(1, 2, 3),
      quantity: amount(-10_000_000, 10_000_000, 4),
      cost: fc.option(amount(-100_000_000, 100_000_000, 2)),
      fxRate: amount(1, 20_000, 4),
      washDisallowed: amount(0, 10_000, 2),
      heldAway: fc.boolean(),
    })
    .map((facts, index = 0) => ({
      ...facts,
      lotId: String(index),
      openDate: '2025-06-02',
      holdingStart: '2025-06-02',
    })),
  { maxLength: 25 },
)
const priceMaps = fc
  .array(fc.tuple(fc.constantFrom(...sampleSecurities.map(({ secNo }) => secNo)), amount(0, 10_000_000, 4)))
  .map((rows) => new Map(rows.map(([secNo, text]) => [secNo, { ...aPrice('0'), price: text }])))
const rateMaps = fc
  .tuple(fc.option(amount(1, 30_000, 4)), fc.option(amount(1, 300, 4)))
  .map(
    ([euro, yen]) =>
      new Map([
        ...(euro === null ? [] : ([['EUR', euro]] as const)),
        ...(yen === null ? [] : ([['JPY', yen]] as const)),
      ]),
  )
const cashes = fc.array(
  fc.record({
    acctTypeCode: fc.constantFrom<AcctTypeCode>(1, 2, 3),
    currency: fc.constantFrom(...CURRENCIES),
    tradeDate: amount(-1_000_000, 1_000_000, 2),
    settled: amount(-1_000_000, 1_000_000, 2),
    pendingDebits: amount(-1_000_000, 0, 2),
    pendingSales: amount(0, 1_000_000, 2),
    pendingShortSales: amount(0, 1_000_000, 2),
  }),
  { maxLength: 6 },
)

describe('amounts add up to the cent', () => {
  test('totals are the sums of lines, groups the sums of their lines, and lines the sums of their lots', () => {
    fc.assert(
      fc.property(lots, priceMaps, rateMaps, cashes, (openLots, prices, fxRates, cash) => {
        const lines = valueSample(openLots, sampleSecurities, {}, { prices, fxRates, withLots: true })
        const { summary } = summarizeAccount({
          acctNo: '30100001',
          now: SAMPLE_NOW,
          lines,
          cash,
          fxRates,
          margin: null,
          marginInterestAccrued: ZERO,
        })
        for (const { position, lots: rows } of lines) {
          assert.equal(sum(rows.map((row) => row.unrealizedGainLoss.value)), position.marketUsdeValue)
          assert.equal(sum(rows.map((row) => row.unrealizedGainLoss.gainLoss)), position.gainLoss)
          assert.equal(sum(rows.map((row) => row.unrealizedGainLoss.cost)), position.unrealizedGainLoss.cost)
          assert.equal(sum(rows.map((row) => row.unrealizedGainLoss.quantity)), position.quantity)
          const security = sampleSecurities.find(({ secNo }) => secNo === position.secNo) ?? assert.fail()
          const places = position.currency === 'JPY' ? 0 : 2
          assert.equal(position.marketValue, lineValue(position.quantity, position.price, security, places))
          assert.equal(position.marketUsdeValue, multiply(position.marketValue, position.fxRate, 2))
        }
        const groupsOf = [
          summary.industrySummary,
          summary.assetSummary,
          summary.accountTypeSummary,
          summary.currencyTypeSummary,
        ]
        for (const groups of groupsOf) {
          assert.equal(sum(groups.map((group) => group.longMarketValue)), summary.totalLongMarket)
          assert.equal(sum(groups.map((group) => group.shortMarketValue)), summary.totalShortMarket)
          assert.equal(sum(groups.map((group) => group.totalMarketValue)), summary.netMarket)
          const names = groups.map((group) => group.name)
          assert.deepEqual(names, [...new Set(names)].sort())
        }
        const away = lines.filter(({ heldAway }) => heldAway)
        const kept = lines.filter(({ heldAway }) => !heldAway)
        assert.equal(sum(away.map(({ position }) => position.marketUsdeValue)), summary.assetsHeldAway)
        assert.equal(
          sum(kept.map(({ position }) => position.marketUsdeValue)),
          summary.netMarket + summary.totalMoneyMarket,
        )
        assert.equal(sum(kept.map(({ position }) => position.gainLoss)), summary.gainLoss)
        assert.equal(
          summary.totalAccountValue,
          summary.netMarket + summary.totalCash + summary.totalMoneyMarket + summary.assetsHeldAway,
        )
        assert.ok(summary.totalShortMarket <= ZERO && summary.totalLongMarket >= ZERO)
        assert.ok(summary.freeCash >= ZERO)
        assert.equal(
          summary.gainLossPercentage,
          percentOf(
            summary.gainLoss,
            sum(
              kept
                .filter(({ unpriced, unconverted }) => !unpriced && !unconverted)
                .map(({ position }) => abs(position.unrealizedGainLoss.cost)),
            ),
          ),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('the order of the lots of different lines does not matter', () => {
    fc.assert(
      fc.property(lots, priceMaps, (openLots, prices) => {
        const unique = new Map(openLots.map((one) => [`${one.secNo}${one.acctTypeCode}${one.heldAway}`, one]))
        const forward = [...unique.values()]
        assert.deepEqual(
          valueSample(forward, sampleSecurities, {}, { prices }),
          valueSample([...forward].reverse(), sampleSecurities, {}, { prices }),
        )
      }),
      { numRuns: 100 },
    )
  })

  test('the value of a lot is within a cent of its own quantity × price', () => {
    const same = fc.array(amount(1, 10_000_000, 4), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(same, amount(1, 10_000_000, 6), (quantities, one) => {
        const openLots = quantities.map((quantity, index) => ({
          ...aLot('1', '1', '1'),
          lotId: `${index}`,
          quantity,
        }))
        const prices = { '1': { ...aPrice('1'), price: one } }
        const { lots: rows } =
          valueSample(openLots, [aSecurity({})], prices, { withLots: true })[0] ?? assert.fail()
        rows.forEach((row, index) => {
          const exact = lineValue(quantities[index] ?? ZERO, one, PLAIN_TERMS, 2)
          assert.ok(abs(row.unrealizedGainLoss.value - exact) <= decimal('0.01'))
        })
      }),
    )
  })

  test('plain terms give the same result in the fast and the general computation', () => {
    fc.assert(
      fc.property(amount(-10_000_000, 10_000_000, 4), amount(0, 10_000_000, 4), (quantity, one) => {
        const general = { ...PLAIN_TERMS, multiplier: decimal('100'), priceDivisor: decimal('100') }
        assert.equal(lineValue(quantity, one, PLAIN_TERMS, 2), lineValue(quantity, one, general, 2))
        assert.equal(roundTo(unitQuantityOf(quantity, general), 8), unitQuantityOf(quantity, PLAIN_TERMS))
      }),
    )
  })
})
