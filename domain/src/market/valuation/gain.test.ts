/** The gain of a line in edge cases: the day of its opening, partly known cost, and a missing price. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { lineValue, unitCostOf, unitQuantityOf } from './line-value.ts'
import { lineKey, type OpenLot } from './open-lots.ts'
import { aLot, aPrice, aSecurity, PLAIN_TERMS, valueSample } from './sample-positions.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

function gainOf(lots: readonly OpenLot[], price: string | null = '12') {
  const prices = price === null ? {} : { '1': aPrice(price) }
  const [line] = valueSample(lots, [aSecurity({})], prices)
  return line?.position.unrealizedGainLoss ?? assert.fail('there is no line')
}

describe('the first day of a line', () => {
  const old = aLot('1', '1', '1', { openDate: '2026-02-02', holdingStart: '2026-02-02' })
  const young = aLot('1', '1', '1', { openDate: '2026-03-03', holdingStart: '2026-03-03' })
  // A wash sale added days to the holding period of this lot, but the lot was opened on its own day.
  const washed = aLot('1', '1', '1', { openDate: '2026-04-04', holdingStart: '2025-01-01' })
  const table: [string, OpenLot[]][] = [
    ['the older lot in first place', [old, young]],
    ['the older lot in last place', [young, old]],
    ['a lot whose holding period began earlier', [old, washed]],
  ]
  for (const [why, lots] of table) {
    test(`is the earliest opening with ${why}`, () => {
      assert.equal(gainOf(lots).openDate, '2026-02-02T00:00:00Z')
    })
  }
})

describe('the term', () => {
  const since = (holdingStart: string, quantity = '1') =>
    aLot('1', quantity, quantity, { openDate: holdingStart, holdingStart })
  const table: [string, OpenLot[], string, string[]][] = [
    ['held longer than a year', [since('2025-11-19')], 'Long', ['Long']],
    ['held for a year', [since('2025-11-20')], 'Short', ['Short']],
    ['sold short two years ago', [since('2024-11-19', '-1')], 'Short', ['Short']],
    ['one lot of each term', [since('2025-11-19'), since('2025-11-20')], 'Mixed', ['Long', 'Short']],
    ['both lots held longer', [since('2025-11-19'), since('2025-01-02')], 'Long', ['Long', 'Long']],
  ]
  // Worth 12 a share.
  const beside = (besideShort: string) => ({ ...since('2025-11-19', '2'), besideShort: decimal(besideShort) })
  const soldShort = (heldLong: string, cost: string) =>
    aLot('1', '-2', cost, { openDate: '2026-11-03', holdingStart: '2026-11-03', heldLong: decimal(heldLong) })
  table.push(
    ['beside a short sale of as many', [beside('2')], 'Short', ['Short']],
    ['beside a short sale of less', [beside('1')], 'Mixed', ['Mixed']],
    ['beside a short sale, in part', [beside('2'), since('2025-11-19')], 'Mixed', ['Short', 'Long']],
    ['sold short at a loss beside old shares', [soldShort('2', '-23')], 'Long', ['Long']],
    ['sold short at a loss beside less old shares', [soldShort('1', '-23')], 'Mixed', ['Mixed']],
    ['sold short at a gain beside old shares', [soldShort('2', '-25')], 'Short', ['Short']],
    ['sold short without gain or loss', [soldShort('2', '-24')], 'Short', ['Short']],
  )
  for (const [why, lots, term, ofLots] of table) {
    test(`of a line (${why}) is ${term}`, () => {
      assert.equal(gainOf(lots).term, term)
      const [line] = valueSample(lots, [aSecurity({})], { '1': aPrice('12') }, { withLots: true })
      assert.equal(line?.position.unrealizedGainLoss.term, term)
      assert.deepEqual(
        line?.lots.map((lot) => lot.unrealizedGainLoss.term),
        ofLots,
      )
    })
  }
})

describe('the side', () => {
  const table: [quantities: string[], side: string, transfer: string][] = [
    [['-1'], 'SHORT', 'FullTransfer'],
    [['10', '-10'], 'LONG', 'FullTransfer'],
    [['1'], 'LONG', 'FullTransfer'],
    [['0.5'], 'LONG', 'PartialTransfer'],
  ]
  for (const [quantities, side, transfer] of table) {
    test(`of lots of ${quantities.join(' and ')} is ${side}, with the transfer type ${transfer}`, () => {
      const gain = gainOf(quantities.map((quantity) => aLot('1', quantity, quantity)))
      assert.deepEqual([gain.longShortInd, gain.transferType], [side, transfer])
    })
  }
})

describe('the cost', () => {
  const table: [string, (string | null)[], noCost: string, noCostLot: string, trueZero: string][] = [
    ['known and not zero', ['1'], 'N', 'N', 'N'],
    ['known and zero', ['0'], 'N', 'N', 'Y'],
    ['zero for each of two lots', ['0', '0'], 'N', 'N', 'Y'],
    ['zero for one lot and unknown for the other', ['0', null], 'N', 'Y', 'N'],
    ['zero for one lot and a cent for the other', ['0', '0.01'], 'N', 'N', 'N'],
    ['unknown', [null], 'Y', 'Y', 'N'],
  ]
  for (const [why, costs, noCost, noCostLot, trueZero] of table) {
    test(`of lots (${why}) has noCost ${noCost}, noCostLot ${noCostLot} and trueZero ${trueZero}`, () => {
      const gain = gainOf(costs.map((cost) => aLot('1', '1', cost)))
      assert.deepEqual([gain.noCost, gain.noCostLot, gain.trueZero], [noCost, noCostLot, trueZero])
    })
  }
})

describe('a line without a price', () => {
  test('has no gain, with and without its wash sale', () => {
    const gain = gainOf([aLot('1', '100', '1050', { washDisallowed: decimal('250') })], null)
    assert.deepEqual([money(gain.gainLoss), money(gain.glNoWash)], ['0.00', '0.00'])
    assert.equal(money(gain.washDisallowedAmt), '250.00')
  })

  test('a lot of zero quantity is no line', () => {
    assert.deepEqual(valueSample([aLot('1', '0', '0')], [aSecurity({})], {}), [])
  })
})

test('rows of lots are returned only if requested', () => {
  const lots = [aLot('1', '1', '1')]
  const rows = (withLots?: boolean) =>
    valueSample(lots, [aSecurity({})], {}, withLots === undefined ? {} : { withLots })[0]?.lots.length
  assert.deepEqual([rows(), rows(false), rows(true)], [0, 0, 1])
})

test('an open break marks its own line: the security in that account type', () => {
  const lots = [
    aLot('1', '1', '1'),
    aLot('1', '1', '1', { acctTypeCode: 2 }),
    aLot('2', '1', '1', { acctTypeCode: 2 }),
  ]
  const lines = valueSample(
    lots,
    [aSecurity({ secNo: '1' }), aSecurity({ secNo: '2' })],
    {},
    { breaks: new Set([lineKey('1', 2)]) },
  )
  assert.deepEqual(
    lines.map(({ position }) => [position.secNo, position.acctTypeCode, position.unrealizedGainLoss.recon]),
    [
      ['1', 1, 'N'],
      ['1', 2, 'Y'],
      ['2', 2, 'N'],
    ],
  )
})

test('lines of one symbol are ordered by their security numbers', () => {
  const securities = ['3', '1', '2'].map((secNo) => aSecurity({ secNo, symbol: 'ABC' }))
  const lines = valueSample(
    ['3', '1', '2'].map((secNo) => aLot(secNo, '1', '1')),
    securities,
    {},
  )
  assert.deepEqual(
    lines.map(({ position }) => position.secNo),
    ['1', '2', '3'],
  )
})

test('a currency that is not in ISO 4217 has the number 0 and amounts in cents', () => {
  const [line] = valueSample(
    [aLot('1', '3', '3')],
    [aSecurity({ currency: 'XXX' })],
    { '1': aPrice('1.005') },
    { fxRates: new Map([['XXX', ONE]]) },
  )
  assert.equal(line?.position.currencyCode, 0)
  assert.equal(renderDecimal(line?.position.marketValue ?? ZERO), '3.02')
})

describe('a security that is long in one account type and short in another', () => {
  const valued = () =>
    valueSample(
      [
        aLot('1', '100', '1000', { washDisallowed: decimal('200') }),
        aLot('1', '-50', '-700', { acctTypeCode: 3, washDisallowed: decimal('-100') }),
      ],
      [aSecurity({})],
      { '1': aPrice('9') },
    )
  test('has percentages of the sum of the absolute costs', () => {
    for (const line of valued()) {
      const gain = line.position.unrealizedGainLoss
      // Gains of -100 and 250 on costs of 1,000 and 700; without the wash sales, 100 and 150 on 800 and 600.
      assert.equal(money(gain.totalUnrealizedAmount), '150.00')
      assert.equal(money(gain.totalUnrealizedPercent), '8.82')
      assert.equal(money(gain.totalGlNoWash), '250.00')
      assert.equal(money(gain.totalGlNoWashPercentage), '17.86')
      assert.equal(renderDecimal(gain.summaryLevelUnitCost), '11.33333333')
    }
  })

  test('is a part of the portfolio by the sum of the absolute values', () => {
    const percents = valued().map(({ position }) => money(position.unrealizedGainLoss.portfolioPercent))
    assert.deepEqual(percents, ['66.67', '-33.33'])
  })
})

describe('yield', () => {
  const bond = {
    couponRate: decimal('4.5'),
    couponFrequency: 2,
    dayCount: '30/360',
    maturityDate: '2030-05-15',
  } as const
  const table: [string, Parameters<typeof aSecurity>[0], string | undefined, string][] = [
    ['of a money-market fund is the reported yield with two places', { moneyMarket: true }, '4.567', '4.57'],
    ['of a money-market fund without a reported yield is zero', { moneyMarket: true }, undefined, '0'],
    ['of a stock is zero, even if its price has a yield', {}, '4.567', '0'],
    ['of a bond is its coupon divided by its price', { bond }, undefined, '5'],
  ]
  for (const [why, facts, reported, expected] of table) {
    test(why, () => {
      const price = aPrice('90', reported === undefined ? {} : { yield: decimal(reported) })
      const [line] = valueSample([aLot('1', '1', '1')], [aSecurity(facts)], { '1': price })
      assert.equal(renderDecimal(line?.position.unrealizedGainLoss.yield ?? ZERO), expected)
    })
  }
})

describe('terms of a price', () => {
  const table: [string, Partial<typeof PLAIN_TERMS>, value: string, units: string][] = [
    ['a stock', {}, '980', '10'],
    ['an option', { multiplier: decimal('100') }, '98000', '1000'],
    ['a bond in percent of face', { priceDivisor: decimal('100') }, '9.8', '0.1'],
    ['a pool half repaid, priced by unit', { currentFactor: decimal('0.5') }, '490', '5'],
  ]
  for (const [why, changes, value, units] of table) {
    test(`ten units of ${why} at 98 are worth ${value} and count as ${units} units`, () => {
      const terms = { ...PLAIN_TERMS, ...changes }
      assert.equal(renderDecimal(lineValue(decimal('10'), decimal('98'), terms, 2)), value)
      assert.equal(renderDecimal(unitQuantityOf(decimal('10'), terms)), units)
    })
  }

  test('a unit cost has eight places', () => {
    assert.equal(renderDecimal(unitCostOf(decimal('100'), decimal('3'))), '33.33333333')
  })
})
