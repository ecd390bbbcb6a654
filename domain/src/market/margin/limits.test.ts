/** Figures of the margin account at the limits of its rules: one cent, one share or one day less, equal, and more. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, multiply, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { isPatternDayTrader, patternDayTradesFrom } from './day-trades.ts'
import { dayTradingBuyingPower, intradayMarginDeficit } from './day-trading.ts'
import { debtMarginOn, debtRequirement } from './debt-margin.ts'
import { equityMarginOn, lawPercent } from './equity-margin.ts'
import { type MarginInput, marginFigures } from './figures.ts'
import { optionMarginOn, uncoveredCharge } from './option-margin.ts'
import { debtOf, equityOf, hasLoanValue, isShort, type MarginPosition } from './position.ts'
import { openCalls } from './standing.ts'
import { tradeRequirement } from './stock-requirement.ts'

function held(symbol: string, quantity: string, price: string, more: Partial<MarginPosition> = {}) {
  const unitQuantity = decimal(quantity)
  const position: MarginPosition = {
    secNo: symbol,
    symbol,
    description: '',
    kind: 'Equity',
    quantity: unitQuantity,
    unitQuantity,
    price: decimal(price),
    marketValue: multiply(unitQuantity, decimal(price), 2),
    multiplier: ONE,
    marginable: true,
    ...more,
  }
  return position
}
function figuresOf(positions: readonly MarginPosition[], cash = '0', more: Partial<MarginInput> = {}) {
  return marginFigures({ marginCash: decimal(cash), positions, ...more })
}
/** The percentage and the requirement of the house and of Regulation T for one position. */
function lineOf(position: MarginPosition, more: Partial<MarginInput> = {}): string[] {
  const line = figuresOf([position], '0', more).requirements[0] ?? assert.fail()
  return [line.housePercent, line.houseRequirement, line.regTPercent, line.regTRequirement].map((amount) =>
    renderDecimal(amount, 2),
  )
}

describe('the figures of an account', () => {
  test('contain equity as a percentage of both sides, 15,000, with 10,000 long and 5,000 short', () => {
    const positions = [held('ABC', '200', '50'), held('XYZ', '-100', '50')]
    const of = (cash: string) => {
      const figures = figuresOf(positions, cash)
      const { longMarketValue, shortMarketValue, equityPercentage, regTExcess, restrictedBy } = figures
      return [longMarketValue, shortMarketValue, equityPercentage, regTExcess, restrictedBy].map((amount) =>
        renderDecimal(amount, 2),
      )
    }
    // Regulation T requires 5,000 of the long side and 2,500 of the short side.
    assert.deepEqual(of('-1000'), ['10000.00', '-5000.00', '26.67', '-3500.00', '3500.00'])
    assert.deepEqual(of('2499.99'), ['10000.00', '-5000.00', '50.00', '-0.01', '0.01'])
    assert.deepEqual(of('2500'), ['10000.00', '-5000.00', '50.00', '0.00', '0.00'])
    assert.deepEqual(of('2500.01'), ['10000.00', '-5000.00', '50.00', '0.01', '0.00'])
  })

  test('have the percentages of the class of a line, not those of the rounded cents', () => {
    assert.deepEqual(lineOf(held('ABC', '1', '10.03')), ['25.00', '2.51', '50.00', '5.02'])
    assert.deepEqual(lineOf(held('ABC', '0', '80')), ['25.00', '0.00', '50.00', '0.00'])
  })

  test('have a third of a recently bought fund rounded to cents before the rest counts', () => {
    // 33.33 in full, and half of 66.67.
    const fund = held('ABC', '3', '33.3333333333', { kind: 'Fund', recentUnits: ONE })
    assert.equal(fund.marketValue, decimal('100'))
    assert.equal(lineOf(fund)[3], '66.67')
  })

  test('have an add-on only for positions with value, and the largest add-on counts for a purchase', () => {
    const tier = { sharePercent: decimal('50'), addOnPercent: decimal('10') }
    const rates = {
      longPercent: decimal('25'),
      shortPercent: decimal('30'),
      concentration: [tier],
    }
    assert.equal(lineOf(held('ABC', '0', '80'), { rates })[0], '25.00')
    assert.equal(lineOf(held('ABC', '1', '80'), { rates })[0], '35.00')
    assert.equal(lineOf(held('ABC', '-1', '80'), { rates })[0], '30.00')
    assert.equal(lineOf(held('ABC', '1', '80', { marginable: false }), { rates })[0], '100.00')
    assert.equal(renderDecimal(figuresOf([], '0', { rates }).longPercent), '35')
  })

  test('have a house rate for shorts from a price of 5.00 on', () => {
    const rates = { longPercent: decimal('25'), shortPercent: decimal('120') }
    assert.equal(lineOf(held('ABC', '-100', '4.99'), { rates })[1], '499.00')
    assert.equal(lineOf(held('ABC', '-100', '5'), { rates })[1], '600.00')
    assert.equal(lineOf(held('ABC', '-100', '5.01'), { rates })[1], '601.20')
  })

  test('count a position of zero shares as long', () => {
    assert.deepEqual(
      ['-1', '0', '1'].map((quantity) => isShort(held('ABC', quantity, '80'))),
      [...[true, false, false]],
    )
  })

  test('require half of the cost of a purchase, whatever the sign of the cost', () => {
    const trade = { side: 'Purchase', unitQuantity: decimal('100'), price: decimal('80'), marginable: true }
    for (const amount of ['8000', '-8000']) {
      const required = tradeRequirement({ ...trade, side: 'Purchase', amount: decimal(amount) })
      assert.equal(renderDecimal(required), '4000')
    }
  })
})

describe('debt', () => {
  const maturityDate = '2036-11-20'
  const facts = {
    kind: 'Bond',
    secTypeName: 'Municipal',
    maturityDate,
    priceDivisor: decimal('100'),
  } as const

  test('has requirements in whole cents', () => {
    const row = debtMarginOn('OtherDebt', undefined, '2026-11-20')
    // 20 percent of 3,500.12 are 700.024.
    assert.equal(renderDecimal(debtRequirement(row, decimal('3500.12'), ZERO)), '700.02')
    assert.equal(renderDecimal(debtRequirement(row, ZERO, decimal('10000.12'))), '700.01')
    const debt = debtOf(facts, decimal('1.23456'), ONE, '2026-11-20') ?? assert.fail()
    assert.equal(renderDecimal(debt.principal), '123.46')
  })

  test('that is sold short requires the margin of debt even if it has no loan value', () => {
    const debt = debtOf(facts, decimal('-1000'), ONE, '2026-11-20')
    for (const marginable of [true, false]) {
      const short = held('BOND', '-1000', '98', { kind: 'Bond', marginable, debt })
      assert.deepEqual(lineOf(short), ['7.00', '6860.00', '7.00', '6860.00'])
    }
  })
})

describe('the row of stocks and funds', () => {
  const security = {
    secTypeName: 'Common Stock',
    marginable: true,
    moneyMarket: false,
    kind: 'Equity',
  } as const
  const leveraged = { ...security, secTypeName: '2X Leveraged ETF', kind: 'Fund' } as const
  const rowOf = (of: Parameters<typeof equityOf>[0], units: string) => {
    const position = { unitQuantity: decimal(units), price: decimal('12') }
    const { equity } = equityOf(of, position, '2026-11-20')
    return equity === undefined ? undefined : `${equity.class} ${equity.side}`
  }
  test('depends on loan value, multiple and side', () => {
    assert.equal(rowOf(security, '1'), 'MarginSecurity Long')
    assert.equal(rowOf(security, '0'), 'MarginSecurity Long')
    assert.equal(rowOf(security, '-1'), 'MarginSecurity Short')
    assert.equal(rowOf({ ...security, marginable: false }, '1'), 'NonMargin Long')
    assert.equal(rowOf(leveraged, '1'), 'LeveragedFund Long')
    assert.equal(rowOf({ ...leveraged, marginable: false }, '1'), 'NonMargin Long')
    assert.equal(rowOf({ ...leveraged, marginable: false }, '-1'), 'LeveragedFund Short')
    assert.equal(rowOf({ ...security, kind: 'Option' }, '1'), undefined)
  })

  test('of an option or a money-market fund has no loan value', () => {
    assert.equal(hasLoanValue(security), true)
    assert.equal(hasLoanValue({ ...security, kind: 'Option' }), false)
    assert.equal(hasLoanValue({ ...security, moneyMarket: true }), false)
  })

  test('of a short depends on the price before the first day too, and is that of the lowest price below 0', () => {
    const from = (price: string, on: string) =>
      renderDecimal(equityMarginOn('MarginSecurity', 'Short', decimal(price), on).priceFrom)
    for (const on of ['1974-01-02', '1974-01-03', '1974-01-04']) {
      assert.deepEqual(
        ['-1', '0', '4.99', '5', '5.01'].map((price) => from(price, on)),
        [...['0', '0', '0', '5', '5']],
      )
    }
  })

  test('has percentages with four places', () => {
    const row = equityMarginOn('LeveragedFund', 'Long', ZERO)
    // 25 × 1.000011 = 25.000275.
    assert.equal(renderDecimal(lawPercent(row, decimal('1.000011'))), '25.0003')
  })

  test('of an option on a leveraged fund is at most the whole value of the fund', () => {
    const contract = { putCall: 'Call', strike: decimal('100') } as const
    const charge = (leverage: string) =>
      renderDecimal(
        uncoveredCharge(
          contract,
          { price: decimal('100'), leverage: decimal(leverage) },
          decimal('100'),
          optionMarginOn('StockOrNarrowIndex'),
        ),
      )
    // 20 percent × 4.95, 5 and 5.025.
    assert.deepEqual(['4.95', '5', '5.025'].map(charge), ['9900', '10000', '10000'])
  })
})

describe('open calls', () => {
  const hundred = decimal('100')
  const fed = (openedOn: string, dueOn: string) => {
    return { openedOn, dueOn, amount: hundred, outstanding: hundred }
  }
  const calls = [fed('2026-11-09', '2026-11-13'), fed('2026-11-11', '2026-11-17')]
  const of = (openedOn: string, today = '2026-11-12', maintenance = '0.01') => {
    const maintenanceCall = decimal(maintenance)
    const ledger = { sma: ZERO, calls, maintenanceCall: { openedOn, amount: hundred } }
    return openCalls({ maintenanceCall }, ledger, today)
  }
  const kinds = (opened: string) => of(opened).map(({ kind }) => kind)
  test('are listed by the day on which they were opened, Regulation T first on the same day', () => {
    assert.deepEqual(kinds('2026-11-06'), ['Maintenance', 'Fed', 'Fed'])
    assert.deepEqual(kinds('2026-11-09'), ['Fed', 'Maintenance', 'Fed'])
    assert.deepEqual(kinds('2026-11-10'), ['Fed', 'Maintenance', 'Fed'])
    assert.deepEqual(kinds('2026-11-11'), ['Fed', 'Fed', 'Maintenance'])
    assert.deepEqual(kinds('2026-11-12'), ['Fed', 'Fed', 'Maintenance'])
  })

  test('of maintenance exist from one cent on', () => {
    assert.equal(of('2026-11-10', '2026-11-12', '0').length, 2)
    assert.equal(of('2026-11-10', '2026-11-12', '0.01').length, 3)
  })

  test('are overdue from the day after their due date', () => {
    const due = of('2026-11-10')[1]?.dueOn ?? assert.fail()
    assert.equal(due, '2026-12-02', 'fifteen business days without November 26')
    const overdue = (today: string) => of('2026-11-10', today).map((call) => call.overdue)
    assert.deepEqual(overdue('2026-11-13'), [false, false, false])
    assert.deepEqual(overdue('2026-11-14'), [true, false, false])
    assert.deepEqual(overdue('2026-12-02'), [true, false, true])
    assert.deepEqual(overdue('2026-12-03'), [true, true, true])
  })
})

describe('trades within a day', () => {
  const round = (secNo: string) =>
    [true, false].map((opens) => ({
      date: '2025-03-05',
      secNo,
      opens,
      side: 'long' as const,
      quantity: ONE,
      amount: decimal('10'),
    }))
  test('make no pattern day trader if they are six percent of all trades', () => {
    const rounds = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap(round)
    const all = (count: number) => [
      ...rounds,
      ...Array.from({ length: count - rounds.length }, (_, at) => round(`S${at}`).slice(0, 1)).flat(),
    ]
    assert.deepEqual(
      [99, 100, 101].map((count) => isPatternDayTrader(all(count), '2025-03-05')),
      [...[true, false, false]],
    )
  })

  test('count from 104 days before on', () => {
    assert.equal(patternDayTradesFrom('2025-06-05'), '2025-02-21')
  })

  test('of a pattern day trader require 25,000.00 of equity before 2026-06-04', () => {
    const power = (date: string, equity: string, maintenancePercent = '30') =>
      renderDecimal(
        dayTradingBuyingPower({
          date,
          equity: decimal(equity),
          maintenanceExcess: decimal('1000'),
          maintenancePercent: decimal(maintenancePercent),
          patternDayTrader: true,
          ownFunds: ZERO,
        }),
      )
    assert.equal(power('2026-06-03', '24999.99'), '0')
    assert.equal(power('2026-06-03', '25000'), '4000')
    assert.equal(power('2026-06-03', '25000.01'), '4000')
    assert.equal(power('2026-06-04', '24999.99'), '3333.33')
  })

  test('of an empty day leave no deficit', () => {
    const deficit = (amount: string) =>
      renderDecimal(
        intradayMarginDeficit(decimal('-700'), [{ amount: decimal(amount), isTransaction: true }]),
        2,
      )
    assert.deepEqual(['-0.01', '0', '0.01'].map(deficit), ['700.01', '0.00', '0.00'])
  })
})
