import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { addDays } from '../calendar/day.ts'
import { lineKey, type ValuedSecurity } from './open-lots.ts'
import type { ValuedLine } from './positions.ts'
import { aLot, aPrice, aSecurity, SAMPLE_NOW, SAMPLE_TODAY, valueSample } from './sample-positions.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

function only(lines: ValuedLine[]): ValuedLine {
  assert.equal(lines.length, 1)
  return lines[0] ?? assert.fail()
}

describe('a line', () => {
  test('has all members of the specification', () => {
    const security = aSecurity({
      secNo: '7',
      symbol: 'ABC',
      cusip: '037833100',
      isin: 'US0378331005',
      sedol: '2046251',
      industryGroupCode: 45,
      secTypeCode: 'S',
    })
    const line = only(
      valueSample(
        [
          aLot('7', '100', '900'),
          aLot('7', '50', '600', { openDate: '2025-03-03', holdingStart: '2025-03-03' }),
        ],
        [security],
        { '7': aPrice('12.345', { closePrice: decimal('12') }) },
      ),
    )
    const { unrealizedGainLoss: gain, ...position } = line.position
    assert.deepEqual(position, {
      date: SAMPLE_NOW,
      acctTypeCode: 1,
      acctType: 'Cash',
      acctNo: '30100001',
      accountName: 'JANE DOE',
      currencyCode: 840,
      currency: 'USD',
      marketValue: decimal('1851.75'),
      marketUsdeValue: decimal('1851.75'),
      quantity: decimal('150'),
      gainLoss: decimal('351.75'),
      fxRate: ONE,
      price: decimal('12.345'),
      priceType: 'LastClose',
      marketValueFactor: decimal('1851.75'),
      marketUsdeValueFactor: decimal('1851.75'),
      priceDate: '2026-11-19T21:00:00Z',
      symbolId: 'ABC',
      secNo: '7',
      isin: 'US0378331005',
      sedol: '2046251',
      cusip: '037833100',
      symbol: 'ABC',
      description: 'ABC CORP',
      secTypeCode: 'S',
      secTypeName: 'Common Stock',
      industryGroupName: 'Technology',
      industryGroupCode: 45,
      isOffShore: false,
      offshoreShareClass: '',
      currentFactor: ONE,
      unitQuantity: decimal('150'),
      newSecCode: '',
      typeClassCode: '',
    })
    assert.deepEqual(gain, {
      symbolId: 'ABC',
      description: 'ABC CORP',
      acctType: 1,
      openDate: '2025-03-03T00:00:00Z',
      term: 'Mixed',
      longShortInd: 'LONG',
      secNo: '7',
      recon: 'N',
      quantity: decimal('150'),
      unitQuantity: decimal('150'),
      displayQuantity: decimal('150'),
      cost: decimal('1500'),
      unitCost: decimal('10'),
      summaryLevelUnitCost: decimal('10'),
      value: decimal('1851.75'),
      noCost: 'N',
      noCostLot: 'N',
      trueZero: 'N',
      portfolioPercent: decimal('100'),
      gainLoss: decimal('351.75'),
      gainLossPercent: decimal('23.45'),
      closePrice: decimal('12'),
      currentPrice: decimal('12.345'),
      yield: ZERO,
      washDisallowedAmt: ZERO,
      wash: 'N',
      totalCost: decimal('1500'),
      totalValue: decimal('1851.75'),
      totalUnrealizedAmount: decimal('351.75'),
      totalUnrealizedPercent: decimal('23.45'),
      glNoWash: decimal('351.75'),
      unrealizedGainPercentage: decimal('23.45'),
      totalGlNoWash: decimal('351.75'),
      totalGlNoWashPercentage: decimal('23.45'),
      transactionQuantity: decimal('150'),
      safekeepFirmQuantity: decimal('150'),
      transferType: 'FullTransfer',
    })
  })

  test('in another currency has its value at the latest rate and its cost at the rate of the trade day', () => {
    const line = only(
      valueSample(
        [aLot('1', '10', '1000', { fxRate: decimal('1.10') })],
        [aSecurity({ currency: 'EUR' })],
        { '1': aPrice('120') },
        { fxRates: new Map([['EUR', decimal('1.05')]]) },
      ),
    )
    assert.equal(line.position.currencyCode, 978)
    assert.equal(money(line.position.marketValue), '1200.00')
    assert.equal(money(line.position.marketUsdeValue), '1260.00')
    assert.equal(money(line.position.unrealizedGainLoss.cost), '1100.00')
    assert.equal(money(line.position.gainLoss), '160.00')
    assert.equal(renderDecimal(line.position.fxRate), '1.05')
  })

  test('in yen has no cents', () => {
    const line = only(
      valueSample(
        [aLot('1', '3', '300')],
        [aSecurity({ currency: 'JPY' })],
        { '1': aPrice('123.45') },
        { fxRates: new Map([['JPY', decimal('0.0064')]]) },
      ),
    )
    assert.equal(renderDecimal(line.position.marketValue), '370')
    assert.equal(money(line.position.marketUsdeValue), '2.37')
  })

  test('of a pool has its value by the factor, and its units are the multiplier of the price', () => {
    const security = aSecurity({
      kind: 'Bond',
      priceDivisor: decimal('100'),
      currentFactor: decimal('0.5'),
    })
    const line = only(valueSample([aLot('1', '10000', '4900')], [security], { '1': aPrice('98') }))
    assert.equal(money(line.position.marketValue), '4900.00')
    assert.equal(renderDecimal(line.position.unitQuantity), '50')
    assert.equal(renderDecimal(line.position.unrealizedGainLoss.unitCost), '98')
  })

  test('of an option has a hundred units per contract, negative for a short', () => {
    const line = only(
      valueSample(
        [aLot('1', '-2', '-600', { acctTypeCode: 2 })],
        [aSecurity({ kind: 'Option', multiplier: decimal('100') })],
        { '1': aPrice('2.5') },
      ),
    )
    assert.equal(money(line.position.marketValue), '-500.00')
    assert.equal(money(line.position.gainLoss), '100.00')
    assert.equal(money(line.position.unrealizedGainLoss.gainLossPercent), '16.67')
    assert.equal(line.position.unrealizedGainLoss.longShortInd, 'SHORT')
    assert.equal(renderDecimal(line.position.unrealizedGainLoss.unitCost), '3')
    assert.equal(line.position.unrealizedGainLoss.term, 'Short')
  })

  test('without any price has the value 0 and no price type, and is marked as unpriced', () => {
    const line = only(valueSample([aLot('1', '10', '1000')], [aSecurity({})], {}))
    assert.equal(line.position.marketValue, ZERO)
    assert.equal(line.position.priceType, '')
    assert.equal(line.position.priceDate, '')
    assert.equal(line.unpriced, true)
    assert.equal(money(line.position.unrealizedGainLoss.cost), '1000.00')
    assert.equal(line.position.gainLoss, ZERO)
    assert.equal(line.position.unrealizedGainLoss.gainLossPercent, ZERO)
  })

  test('of an option after its expiration has the value 0 and no gain, and on the day itself has its price', () => {
    const option = { putCall: 'Call', strike: decimal('10'), underlying: 'ABC' } as const
    for (const [expiration, expired] of [
      [addDays(SAMPLE_TODAY, -1), true],
      [SAMPLE_TODAY, false],
    ] as const) {
      const security = aSecurity({
        kind: 'Option',
        multiplier: decimal('100'),
        option: { ...option, expiration },
      })
      const { position, ...line } = only(
        valueSample([aLot('1', '2', '600')], [security], { '1': aPrice('2.5') }),
      )
      assert.deepEqual([line.expired, line.unpriced], [expired, expired])
      assert.equal(money(position.marketValue), expired ? '0.00' : '500.00')
      assert.equal(position.priceType, expired ? '' : 'LastClose')
      assert.equal(money(position.gainLoss), expired ? '0.00' : '-100.00')
    }
  })

  test('without an exchange rate counts as 0 in dollars, and is marked as unconverted', () => {
    const line = only(
      valueSample([aLot('1', '10', '1000')], [aSecurity({ currency: 'EUR' })], { '1': aPrice('120') }),
    )
    assert.equal(money(line.position.marketValue), '1200.00')
    assert.equal(line.position.marketUsdeValue, ZERO)
    assert.equal(line.unconverted, true)
    assert.equal(line.position.gainLoss, ZERO)
  })

  test('has gains without its lots of unknown cost', () => {
    const lines = valueSample([aLot('1', '10', '100'), aLot('1', '30', null)], [aSecurity({})], {
      '1': aPrice('12'),
    })
    const { position } = only(lines)
    const gain = position.unrealizedGainLoss
    assert.equal(money(position.marketValue), '480.00')
    assert.equal(money(gain.value), '480.00')
    assert.equal(money(gain.cost), '100.00')
    assert.equal(money(gain.unitCost), '10.00')
    assert.equal(money(position.gainLoss), '20.00')
    assert.equal(gain.noCostLot, 'Y')
    assert.equal(gain.noCost, 'N')
  })

  test('of only unknown cost has no gain', () => {
    const gain = only(valueSample([aLot('1', '30', null)], [aSecurity({})], { '1': aPrice('12') })).position
      .unrealizedGainLoss
    assert.equal(gain.noCost, 'Y')
    assert.equal(gain.noCostLot, 'Y')
    assert.equal(gain.trueZero, 'N')
    assert.equal(gain.gainLoss, ZERO)
    assert.equal(gain.gainLossPercent, ZERO)
  })

  test('with a cost of zero has a true zero', () => {
    const gain = only(valueSample([aLot('1', '30', '0')], [aSecurity({})], { '1': aPrice('12') })).position
      .unrealizedGainLoss
    assert.equal(gain.trueZero, 'Y')
    assert.equal(gain.noCost, 'N')
    assert.equal(money(gain.gainLoss), '360.00')
    assert.equal(gain.gainLossPercent, ZERO)
  })

  test('has the gain as if there were no wash sale', () => {
    const gain = only(
      valueSample([aLot('1', '100', '1050', { washDisallowed: decimal('250') })], [aSecurity({})], {
        '1': aPrice('9'),
      }),
    ).position.unrealizedGainLoss
    assert.equal(gain.wash, 'Y')
    assert.equal(money(gain.washDisallowedAmt), '250.00')
    assert.equal(money(gain.gainLoss), '-150.00')
    assert.equal(money(gain.glNoWash), '100.00')
    assert.equal(money(gain.totalGlNoWashPercentage), '12.50')
  })

  test('has recon Y with an open break, transfers a fraction in part, and is not in safekeeping if held away', () => {
    const lines = valueSample(
      [aLot('1', '10.5', '100', { heldAway: true })],
      [aSecurity({})],
      {},
      {
        breaks: new Set([lineKey('1', 1)]),
      },
    )
    const gain = only(lines).position.unrealizedGainLoss
    assert.equal(gain.recon, 'Y')
    assert.equal(gain.transferType, 'PartialTransfer')
    assert.equal(gain.safekeepFirmQuantity, ZERO)
  })

  const terms: [string, string, 'Long' | 'Short'][] = [
    ['2025-11-19', '2025-11-19', 'Long'],
    ['2025-11-20', '2025-11-20', 'Short'],
    ['2026-01-05', '2025-10-01', 'Long'],
  ]
  for (const [openDate, holdingStart, term] of terms) {
    test(`opened ${openDate} and held since ${holdingStart} is ${term} on ${SAMPLE_TODAY}`, () => {
      const lots = [aLot('1', '1', '1', { openDate, holdingStart })]
      const gain = only(valueSample(lots, [aSecurity({})], {})).position.unrealizedGainLoss
      assert.equal(gain.term, term)
      assert.equal(gain.openDate, `${openDate}T00:00:00Z`)
    })
  }

  test('of a bond has interest accrued to the settlement date of today in dollars, negative for a short', () => {
    const security = (secNo: string, currency: string): ValuedSecurity =>
      aSecurity({
        secNo,
        kind: 'Bond',
        currency,
        priceDivisor: decimal('100'),
        bond: {
          couponRate: decimal('3.6'),
          couponFrequency: 2,
          dayCount: '30/360',
          maturityDate: '2030-11-13',
        },
      })
    const lines = valueSample(
      [
        aLot('1', '10000', '9900'),
        aLot('2', '-10000', '-9900', { acctTypeCode: 3 }),
        aLot('3', '10000', '9900'),
      ],
      [security('1', 'USD'), security('2', 'USD'), security('3', 'EUR')],
      { '1': aPrice('90') },
      { fxRates: new Map([['EUR', decimal('1.1')]]) },
    )
    // Friday November 20 settles on Monday 23: ten days since the coupon of November 13.
    assert.deepEqual(
      lines.map((line) => money(line.accruedInterest)),
      ['10.00', '-10.00', '11.00'],
    )
    assert.equal(money(lines[0]?.position.unrealizedGainLoss.yield ?? ZERO), '4.00')
  })

  test('is one per security, account type and custody, ordered by symbol', () => {
    const lines = valueSample(
      [
        aLot('2', '1', '1'),
        aLot('1', '1', '1', { acctTypeCode: 2 }),
        aLot('1', '1', '1', { heldAway: true }),
        aLot('1', '1', '1'),
        aLot('1', '-1', '-1', { acctTypeCode: 3 }),
        aLot('1', '0', '0'),
      ],
      [aSecurity({ secNo: '1', symbol: 'ZZZ' }), aSecurity({ secNo: '2', symbol: 'AAA' })],
      {},
    )
    assert.deepEqual(
      lines.map(({ position, heldAway }) => [position.symbol, position.acctType, heldAway]),
      [
        ['AAA', 'Cash', false],
        ['ZZZ', 'Cash', false],
        ['ZZZ', 'Cash', true],
        ['ZZZ', 'Margin', false],
        ['ZZZ', 'Short', false],
      ],
    )
  })

  test('contains cost, value and gain of the security over all account types', () => {
    const [cash, margin] = valueSample(
      [aLot('1', '100', '1000'), aLot('1', '300', '2000', { acctTypeCode: 2 })],
      [aSecurity({})],
      { '1': aPrice('9') },
    )
    for (const line of [cash, margin]) {
      const gain = line?.position.unrealizedGainLoss ?? assert.fail()
      assert.equal(money(gain.totalCost), '3000.00')
      assert.equal(money(gain.totalValue), '3600.00')
      assert.equal(money(gain.totalUnrealizedAmount), '600.00')
      assert.equal(money(gain.totalUnrealizedPercent), '20.00')
      assert.equal(money(gain.summaryLevelUnitCost), '7.50')
    }
    assert.equal(money(cash?.position.unrealizedGainLoss.portfolioPercent ?? ZERO), '25.00')
  })

  test('of a security that is missing is a fault', () => {
    assert.throws(() => valueSample([aLot('9', '1', '1')], [aSecurity({})], {}), /unknown security/)
  })
})

describe('position detail', () => {
  test('has one row per lot, whose values add up to the line', () => {
    const third = '33.333333'
    const line = only(
      valueSample(
        [aLot('1', third, '100', { lotId: 'a' }), aLot('1', third, '90'), aLot('1', third, null)],
        [aSecurity({})],
        { '1': aPrice('1.005') },
        { withLots: true },
      ),
    )
    assert.deepEqual(
      line.lots.map(({ unrealizedGainLoss: gain }) => money(gain.value)),
      ['33.50', '33.50', '33.50'],
    )
    assert.equal(money(line.position.marketValue), '100.50')
    assert.deepEqual(
      line.lots.map(({ unrealizedGainLoss: gain }) => [gain.noCost, money(gain.gainLoss)]),
      [
        ['N', '-66.50'],
        ['N', '-56.50'],
        ['Y', '0.00'],
      ],
    )
    assert.equal(line.lots[0]?.lotId, 'a')
    assert.equal(money(line.lots[0]?.unrealizedGainLoss.totalCost ?? ZERO), '190.00')
  })
})
