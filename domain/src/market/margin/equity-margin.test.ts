/**
 * Stocks, funds and options: each row of the tables with the day before, the day and the day after, and the
 * neighboring cents of each limit.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, multiply, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { fundTerms } from '../fund-class.ts'
import { aLot, aPrice, aSecurity, valueSample } from '../valuation/sample-positions.ts'
import {
  EQUITY_MARGIN,
  equityMarginOn,
  equityPercents,
  equityRequirement,
  isRecent,
  lawPercent,
} from './equity-margin.ts'
import { marginFigures } from './figures.ts'
import { OPTION_MARGIN, optionClass, optionMarginOn, uncoveredCharge } from './option-margin.ts'
import { marginPositions } from './position.ts'
import { tradeRequirement } from './stock-requirement.ts'

const today = '2026-11-20'

/** The requirements of one holding: Regulation T, FINRA, the house, at a house rate of 30 and 35 percent. */
function required(
  secTypeName: string,
  holding: { quantity: string; price: string; on?: string; house?: string },
) {
  const { quantity, price, on = today, house = '30' } = holding
  const security = aSecurity({ secNo: '1', symbol: 'ABC', secTypeName })
  const acctTypeCode = quantity.startsWith('-') ? 3 : 2
  const lines = valueSample([aLot('1', quantity, '1', { acctTypeCode })], [security], { '1': aPrice(price) })
  const { regTRequirement, finraRequirement, maintenanceRequirement } = marginFigures({
    marginCash: ZERO,
    positions: marginPositions(lines, { today: on, underlyings: new Map() }),
    rates: { longPercent: decimal(house), shortPercent: decimal('35') },
  })
  return [regTRequirement, finraRequirement, maintenanceRequirement].map((amount) => renderDecimal(amount))
}

describe('stocks and funds', () => {
  const long = { quantity: '100', price: '100' }
  const short = { quantity: '-100', price: '100' }

  test('have the requirement of their class when long', () => {
    assert.deepEqual(required('Common Stock', long), ['5000', '2500', '3000'])
    assert.deepEqual(required('Broad-Based ETF', long), ['5000', '2500', '3000'])
    assert.deepEqual(required('Leveraged ETF 2x', long), ['5000', '5000', '5000'])
    assert.deepEqual(required('Leveraged ETF 3x', long), ['7500', '7500', '7500'])
    assert.deepEqual(required('Leveraged ETF 4x', long), ['10000', '10000', '10000'])
    assert.deepEqual(required('Leveraged ETF 5x', long), ['10000', '10000', '10000'])
    assert.deepEqual(required('Leveraged ETF 1.5x', { ...long, house: '40' }), ['5000', '3750', '4000'])
  })

  test('have a requirement by price when short', () => {
    assert.deepEqual(required('Common Stock', short), ['5000', '3000', '3500'])
    assert.deepEqual(required('Leveraged ETF 3x', short), ['9000', '9000', '9000'])
    assert.deepEqual(required('Leveraged ETF 4x', short), ['10000', '10000', '10000'])
    assert.deepEqual(required('Common Stock', { ...short, price: '5' }), ['500', '500', '500'])
    assert.deepEqual(required('Common Stock', { ...short, price: '4.99' }), ['499', '499', '499'])
    assert.deepEqual(required('Common Stock', { ...short, price: '2.50' }), ['250', '250', '250'])
    assert.deepEqual(required('Common Stock', { ...short, price: '2.49' }), ['250', '250', '250'])
    assert.deepEqual(required('Leveraged ETF 3x', { ...short, price: '4.99' }), ['499', '499', '499'])
  })

  test('have the multiple of a leveraged fund from 2009-12-01 on', () => {
    const at = (on: string) => [
      required('ETF 2x', { ...long, on })[1],
      required('ETF 2x', { ...short, on })[1],
    ]
    assert.deepEqual(at('2009-11-30'), ['2500', '3000'])
    assert.deepEqual(at('2009-12-01'), ['5000', '6000'])
    assert.deepEqual(at('2009-12-02'), ['5000', '6000'])
  })

  test('have the first row before its day, and the last row without a day', () => {
    assert.equal(equityMarginOn('LeveragedFund', 'Long', ONE, '1960-01-01').isMultiplied, false)
    assert.equal(equityMarginOn('LeveragedFund', 'Long', ONE).isMultiplied, true)
    assert.equal(
      equityMarginOn('NonMargin', 'Short', decimal('5')),
      equityMarginOn('MarginSecurity', 'Short', decimal('5')),
    )
    assert.equal(equityMarginOn('LeveragedFund', 'Short', decimal('4.99')).perUnit, decimal('2.5'))
    assert.equal(equityMarginOn('LeveragedFund', 'Short', decimal('5')).perUnit, decimal('5'))
    assert.equal(equityMarginOn('MarginSecurity', 'Short', -ONE).perUnit, decimal('2.5'))
  })

  test('have a source and a day in each row', () => {
    for (const { source, from } of EQUITY_MARGIN) {
      assert.match(source, /FINRA Rule 4210\(|12 CFR 220\.12|15 U\.S\.C\. 78k/)
      assert.match(from, /^(1974-01-03|2009-12-01)$/)
    }
    assert.equal(EQUITY_MARGIN.filter(({ source }) => source.includes('09-53')).length, 3)
    for (const row of OPTION_MARGIN)
      assert.match(row.source, /(\(f\)\(2\)\(E\)\(i\)|SR-CBOE-2014-039.*), 12 CFR 220\.12\(f\)$/)
  })

  test('have exactly the rows listed in this test', () => {
    const equity = EQUITY_MARGIN.map((row) => {
      const amounts = [row.priceFrom, row.initialPercent, row.percent, row.perUnit].map((one) =>
        renderDecimal(one),
      )
      return [
        row.class,
        row.side,
        row.from,
        ...amounts,
        row.isMultiplied ? 'times' : 'plain',
        row.source,
      ].join(' ')
    })
    const long = 'FINRA Rule 4210(c)(1), 12 CFR 220.12(a)'
    const [low, high] = ['(c)(2)', '(c)(3)'].map((part) => `FINRA Rule 4210${part}, 12 CFR 220.12(c)(1)`)
    assert.deepEqual(equity, [
      `MarginSecurity Long 1974-01-03 0 50 25 0 plain ${long}`,
      `LeveragedFund Long 1974-01-03 0 50 25 0 plain ${long}`,
      'LeveragedFund Long 2009-12-01 0 50 25 0 times Regulatory Notice 09-53, FINRA Rule 4210(f)(8)(A)',
      'RecentFund Long 1974-01-03 0 100 100 0 plain 15 U.S.C. 78k(d)(1), 17 CFR 240.11d1-2',
      'NonMargin Long 1974-01-03 0 100 100 0 plain 12 CFR 220.12(e), Regulatory Notice 12-44',
      `MarginSecurity Short 1974-01-03 0 50 100 2.5 plain ${low}`,
      `MarginSecurity Short 1974-01-03 5 50 30 5 plain ${high}`,
      `LeveragedFund Short 1974-01-03 0 50 100 2.5 plain ${low}`,
      `LeveragedFund Short 1974-01-03 5 50 30 5 plain ${high}`,
      `LeveragedFund Short 2009-12-01 0 50 100 2.5 times Regulatory Notice 09-53, ${low}`,
      `LeveragedFund Short 2009-12-01 5 50 30 5 times Regulatory Notice 09-53, ${high}`,
    ])
    const options = OPTION_MARGIN.map((row) => {
      const amounts = [row.percent, row.leastPercent].map((one) => renderDecimal(one))
      return [row.class, row.from, ...amounts, row.isMultiplied ? 'times' : 'plain', row.source].join(' ')
    })
    const rule = '(f)(2)(E)(i), 12 CFR 220.12(f)'
    const of = (name: string, percent: string) => [
      `${name} 1974-01-03 ${percent} 10 plain NASD Rule 2520${rule}`,
      `${name} 2010-04-30 ${percent} 10 times Regulatory Notices 09-53 and 09-65, NASD Rule 2520${rule}`,
      `${name} 2010-12-02 ${percent} 10 times Regulatory Notices 09-53 and 10-45, FINRA Rule 4210${rule}`,
    ]
    const volatility =
      'VolatilityIndex 1974-01-03 20 10 plain Cboe, VIX options specifications; SR-CBOE-2014-039 (79 FR 37369), 12 CFR 220.12(f)'
    const expected = [
      ...of('StockOrNarrowIndex', '20'),
      ...of('BroadIndex', '15'),
      volatility,
      ...of('BroadFund', '15'),
    ]
    assert.deepEqual(options, expected)
  })

  test('have a row for every class', () => {
    assert.throws(() => equityMarginOn('Warrant' as never, 'Long', ONE), /no margin for the class Warrant/)
    assert.throws(() => optionMarginOn('Warrant' as never), /no margin for options of class Warrant/)
  })

  test('have the requirement of the rule for a multiple below one', () => {
    const row = equityMarginOn('LeveragedFund', 'Long', ONE)
    assert.equal(lawPercent(row, decimal('0.5')), decimal('25'))
    assert.equal(lawPercent(row), decimal('25'))
    const percents = equityPercents(row, ONE, decimal('100.01'))
    assert.equal(percents.house, decimal('100'))
    const short = equityMarginOn('MarginSecurity', 'Short', decimal('5'))
    assert.equal(equityPercents(short, ONE, decimal('100.01')).house, decimal('100.01'))
    assert.equal(equityRequirement(short, decimal('30'), -ONE, decimal('-16.67')), decimal('5'))
    assert.equal(equityRequirement(short, decimal('30'), -ONE, decimal('-16.70')), decimal('5.01'))
  })
})

describe('a mutual fund', () => {
  const fund = aSecurity({ secNo: '1', symbol: 'GROW', kind: 'Fund', secTypeName: 'Mutual Fund' })
  const lines = valueSample([aLot('1', '100', '1', { acctTypeCode: 2 })], [fund], { '1': aPrice('100') })
  const withRecent = (recent: string | undefined) => {
    const recentFunds = new Map(recent === undefined ? [] : [['2 1', decimal(recent)]])
    const positions = marginPositions(lines, { today, underlyings: new Map(), recentFunds })
    const { regTRequirement, finraRequirement, requirements } = marginFigures({ marginCash: ZERO, positions })
    return [regTRequirement, finraRequirement, requirements[0]?.housePercent ?? ZERO].map((one) =>
      renderDecimal(one),
    )
  }

  test('must be paid in full for 30 days after the purchase', () => {
    assert.equal(isRecent('2026-10-20', today), false)
    assert.equal(isRecent('2026-10-21', today), true)
    assert.equal(isRecent(today, today), true)
    assert.deepEqual(withRecent(undefined), ['5000', '2500', '25'])
    assert.deepEqual(withRecent('0'), ['5000', '2500', '25'])
    assert.deepEqual(withRecent('40'), ['7000', '5500', '55'])
    assert.deepEqual(withRecent('100'), ['10000', '10000', '100'])
    assert.deepEqual(withRecent('101'), ['10000', '10000', '100'])
  })

  test('without loan value requires its whole value, whatever its age', () => {
    const positions = marginPositions(
      valueSample([aLot('1', '100', '1', { acctTypeCode: 2 })], [{ ...fund, marginable: false }], {
        '1': aPrice('100'),
      }),
      { today, underlyings: new Map(), recentFunds: new Map([['2 1', decimal('40')]]) },
    )
    assert.equal(marginFigures({ marginCash: ZERO, positions }).finraRequirement, decimal('10000'))
  })
})

describe('an uncovered option', () => {
  const call = { putCall: 'Call', strike: decimal('105') } as const
  const put = { putCall: 'Put', strike: decimal('95') } as const
  const charge = (name: Parameters<typeof optionMarginOn>[0], leverage = '1', on = today) =>
    [call, put].map((contract) => {
      const underlying = { price: decimal('100'), leverage: decimal(leverage) }
      return renderDecimal(uncoveredCharge(contract, underlying, decimal('100'), optionMarginOn(name, on)))
    })

  test('requires the amount of its class less the amount out of the money', () => {
    assert.deepEqual(charge('StockOrNarrowIndex'), ['1500', '1500'])
    assert.deepEqual(charge('BroadIndex'), ['1000', '1000'])
    assert.deepEqual(charge('VolatilityIndex'), ['1500', '1500'])
    assert.deepEqual(charge('BroadFund'), ['1000', '1000'])
    const far = { putCall: 'Call', strike: decimal('120') } as const
    const row = optionMarginOn('BroadIndex')
    assert.equal(uncoveredCharge(far, { price: decimal('100') }, ONE, row), decimal('10'))
    const farPut = { putCall: 'Put', strike: decimal('80') } as const
    assert.equal(uncoveredCharge(farPut, { price: decimal('100') }, ONE, row), decimal('8'))
  })

  test('on a leveraged fund requires the multiple since 2010-04-30, up to the whole value', () => {
    assert.deepEqual(charge('BroadFund', '2', '2010-04-29'), ['1000', '1000'])
    assert.deepEqual(charge('BroadFund', '2', '2010-04-30'), ['2500', '2500'])
    assert.deepEqual(charge('BroadFund', '2', '2010-05-01'), ['2500', '2500'])
    assert.deepEqual(charge('StockOrNarrowIndex', '3'), ['5500', '5500'])
    // 5 × 20 and 6 × 20 percent are at least the whole value.
    assert.deepEqual(charge('StockOrNarrowIndex', '5'), ['9500', '9500'])
    assert.deepEqual(charge('StockOrNarrowIndex', '6'), ['9500', '9500'])
  })

  test('has the first row before its day, and the last row without a day', () => {
    assert.match(optionMarginOn('BroadFund', '1960-01-01').source, /^NASD/)
    assert.match(optionMarginOn('BroadFund', '2010-12-01').source, /^Regulatory Notices 09-53 and 09-65/)
    assert.match(optionMarginOn('BroadFund', '2010-12-02').source, /FINRA/)
    assert.match(optionMarginOn('BroadFund').source, /FINRA/)
  })

  test('is on a broad-based index, a volatility index, a broad-based fund, or a stock', () => {
    assert.equal(optionClass('IndexOption', 'SPX', undefined), 'BroadIndex')
    for (const root of ['VIX', 'VIXW', '$VIX', '^VIXW'])
      assert.equal(optionClass('IndexOption', root, undefined), 'VolatilityIndex')
    assert.equal(optionClass('Option', 'VIXY', undefined), 'StockOrNarrowIndex')
    assert.equal(optionClass('Option', 'FUND', fundTerms('ETF')), 'StockOrNarrowIndex')
    assert.equal(optionClass('Option', 'FUND', fundTerms('Broad-Based ETF')), 'BroadFund')
  })

  test('takes the terms of its underlying from the securities of the account', () => {
    const option = {
      putCall: 'Call',
      strike: decimal('105'),
      expiration: '2026-12-18',
      underlying: 'FUND',
    } as const
    const security = aSecurity({
      secNo: '1',
      symbol: 'FUND C105',
      kind: 'Option',
      multiplier: decimal('100'),
      option,
    })
    const lines = valueSample([aLot('1', '-1', '-300', { acctTypeCode: 2 })], [security], {
      '1': aPrice('3'),
    })
    const required = (name: string | undefined) => {
      const terms =
        name === undefined ? [] : [['FUND', { price: decimal('100'), ...fundTerms(name) }] as const]
      const positions = marginPositions(lines, { today, underlyings: new Map(terms) })
      return renderDecimal(
        marginFigures({ marginCash: ZERO, positions }).requirements[0]?.houseRequirement ?? ZERO,
      )
    }
    assert.equal(required('Common Stock'), '1800')
    assert.equal(required('Broad-Based ETF'), '1300')
    assert.equal(required('Broad-Based ETF 2x'), '2800')
    // Without a price of the underlying, the exercise price and the premium are used: 300 + 20 % of 108 × 100.
    assert.equal(required(undefined), '2460')
  })
})

test('a purchase of a leveraged fund requires its maintenance if that is more than half', () => {
  const trade = {
    amount: decimal('1000'),
    unitQuantity: decimal('10'),
    price: decimal('100'),
    marginable: true,
  }
  const of = (multiple: string) => {
    const equity = equityMarginOn('LeveragedFund', 'Long', ONE)
    return renderDecimal(
      tradeRequirement({ side: 'Purchase', ...trade, equity, leverage: decimal(multiple) }),
    )
  }
  assert.deepEqual(['1', '2', '3', '5'].map(of), ['500', '500', '750', '1000'])
  const short = {
    ...trade,
    equity: equityMarginOn('LeveragedFund', 'Short', trade.price),
    leverage: decimal('3'),
  }
  assert.equal(
    tradeRequirement({ side: 'ShortSale', ...short }),
    multiply(decimal('1000'), decimal('0.9'), 2),
  )
})

describe('a concentrated position', () => {
  const tiers = [
    { sharePercent: decimal('60'), addOnPercent: decimal('10') },
    { sharePercent: decimal('100'), addOnPercent: decimal('25') },
  ]
  const at = (value: string, cash: string, more: { marginable?: boolean; house?: string } = {}) => {
    const security = aSecurity({ secNo: '1', symbol: 'ABC', marginable: more.marginable ?? true })
    const lines = valueSample([aLot('1', '1', '1', { acctTypeCode: 2 })], [security], { '1': aPrice(value) })
    const houseLongPercents = new Map(more.house === undefined ? [] : [['1', decimal(more.house)]])
    const figures = marginFigures({
      marginCash: decimal(cash),
      positions: marginPositions(lines, { today, underlyings: new Map(), houseLongPercents }),
      rates: { longPercent: decimal('30'), shortPercent: decimal('30'), concentration: tiers },
    })
    const [line] = figures.requirements
    return [line?.housePercent ?? ZERO, figures.finraRequirement, figures.longPercent].map((one) =>
      renderDecimal(one),
    )
  }

  test('has the add-on of the house from its share of equity on, and an unchanged FINRA rate', () => {
    assert.deepEqual(at('5999', '4001'), ['30', '1499.75', '55'])
    assert.deepEqual(at('6000', '4000'), ['40', '1500', '55'])
    assert.deepEqual(at('6001', '3999'), ['40', '1500.25', '55'])
    assert.deepEqual(at('9999', '1'), ['40', '2499.75', '55'])
    assert.deepEqual(at('10000', '0'), ['55', '2500', '55'])
    assert.deepEqual(at('10000', '-10000'), ['55', '2500', '55'])
  })

  test('adds to the rate of the security up to its whole value, but not if it has no loan value', () => {
    assert.deepEqual(at('6000', '4000', { house: '50' })[0], '60')
    assert.deepEqual(at('6000', '4000', { house: '95' })[0], '100')
    assert.deepEqual(at('6000', '4000', { marginable: false })[0], '100')
  })
})
