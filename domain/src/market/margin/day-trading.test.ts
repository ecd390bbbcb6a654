import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CodeOf } from '@clearing/protocol'
import fc from 'fast-check'
import { type Decimal, decimal, multiply, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { type BalanceInput, summarizeBalances } from './balance-summary.ts'
import { dayTradingBuyingPower, dayTradingRule, intradayMarginDeficit } from './day-trading.ts'
import { marginFigures } from './figures.ts'
import { EMPTY_LEDGER, postMarginEvents } from './ledger.ts'
import type { MarginPosition } from './position.ts'
import { marginStanding } from './standing.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

describe('buying power within the day', () => {
  const table: [date: string, excess: string, boolean, equity: string, string, ownFunds?: string][] = [
    ['2001-09-27', '10000', true, '10000', '20000.00'],
    ['2001-09-28', '10000', true, '30000', '40000.00'],
    ['2001-09-28', '10000', true, '24999.99', '0.00'],
    ['2001-09-28', '10000', false, '24999.99', '40000.00'],
    ['2026-06-03', '10000', true, '24999.99', '0.00'],
    ['2026-06-04', '10000', true, '3000', '40000.00'],
    ['2026-06-04', '-10000', false, '3000', '0.00'],
    ['2026-06-04', '1999.99', false, '1999.99', '1999.99', '1999.99'],
    ['2026-06-04', '2000', false, '2000', '8000.00', '2000'],
    ['2026-06-04', '1500', false, '1999.99', '300.00', '300'],
    ['2026-06-04', '1500', false, '1999.99', '0.00', '-300'],
    ['2026-06-04', '100', false, '1999.99', '400.00', '1000'],
    ['2026-06-03', '1999.99', false, '1999.99', '1999.99', '1999.99'],
    ['2026-06-03', '2000', false, '2000', '8000.00', '2000'],
  ]
  for (const [date, excess, patternDayTrader, equity, power, ownFunds = '0'] of table) {
    test(`is ${power} on ${date} with an excess of ${excess} and equity of ${equity}${ownFunds === '0' ? '' : `, ${ownFunds} of it to pay with`}`, () => {
      const ours = dayTradingBuyingPower({
        date,
        maintenanceExcess: decimal(excess),
        equity: decimal(equity),
        maintenancePercent: decimal('25'),
        patternDayTrader,
        ownFunds: decimal(ownFunds),
      })
      assert.equal(money(ours), power)
    })
  }

  test('follows the rule that is in force on the date', () => {
    assert.equal(dayTradingRule('2001-09-27'), 'TwoTimes')
    assert.equal(dayTradingRule('2001-09-28'), 'FourTimes')
    assert.equal(dayTradingRule('2026-06-03'), 'FourTimes')
    assert.equal(dayTradingRule('2026-06-04'), 'IntradayMargin')
  })
})

describe('the intraday margin deficit', () => {
  const deficit = (opening: string, ...changes: string[]) =>
    money(
      intradayMarginDeficit(
        decimal(opening),
        changes.map((amount) => ({ amount: decimal(amount), isTransaction: true })),
      ),
    )

  test('is the lowest level after a change that reduced the level', () => {
    assert.equal(deficit('5000', '-2500', '-2500'), '0.00')
    assert.equal(deficit('5000', '-8000', '8000'), '3000.00', 'a closed day trade still counts')
    assert.equal(deficit('5000', '-8000', '8000', '-9000', '9000'), '4000.00')
    assert.equal(deficit('5000', '3000', '-8000'), '0.00', 'a deposit before the purchase counts')
    assert.equal(deficit('-700'), '0.00', 'a level that is low without a transaction is no intraday deficit')
    assert.equal(deficit('-700', '200'), '0.00', 'a change that raises the level causes no deficit')
    assert.equal(deficit('-700', '-1'), '701.00')
  })

  test('is caused by a transaction only', () => {
    const fee = { amount: decimal('-25'), isTransaction: false }
    const purchase = { amount: decimal('-1'), isTransaction: true }
    const deficitOf = (opening: string, ...changes: (typeof fee)[]) =>
      money(intradayMarginDeficit(decimal(opening), changes))
    assert.equal(deficitOf('-5000', fee), '0.00')
    assert.equal(deficitOf('10', fee), '0.00')
    assert.equal(deficitOf('-5000', fee, purchase), '5026.00', 'the fee has lowered the level')
    assert.equal(deficitOf('-5000', purchase, fee), '5001.00')
  })

  test('is never negative, and more margin at the opening never increases it', () => {
    const cents = fc.bigInt({ min: -(10n ** 7n), max: 10n ** 7n }).map((value) => value * 10n ** 8n)
    fc.assert(
      fc.property(cents, cents, fc.array(cents), (a, b, amounts) => {
        const changes = amounts.map((amount) => ({ amount, isTransaction: true }))
        const [low, high] = a < b ? [a, b] : [b, a]
        assert.ok(intradayMarginDeficit(high, changes) >= ZERO)
        assert.ok(intradayMarginDeficit(high, changes) <= intradayMarginDeficit(low, changes))
      }),
    )
  })
})

describe('the balance summary', () => {
  const position: MarginPosition = {
    secNo: '7',
    symbol: 'ABC',
    description: 'ABC CORP',
    kind: 'Equity',
    quantity: decimal('1000'),
    unitQuantity: decimal('1000'),
    price: decimal('20'),
    marketValue: multiply(decimal('1000'), decimal('20'), 2),
    multiplier: ONE,
    marginable: true,
  }
  const figures = marginFigures({
    marginCash: decimal('-12000'),
    positions: [position],
    rates: { longPercent: decimal('30'), shortPercent: decimal('30') },
  })
  const ledger = postMarginEvents(EMPTY_LEDGER, [
    { kind: 'Purchase', date: '2026-11-20', amount: decimal('4000'), requirement: decimal('2000') },
  ])
  const input: BalanceInput = {
    today: '2026-11-20',
    figures,
    standing: marginStanding(figures, ledger),
    marginAgreed: true,
    suspended: new Set(),
    freeCash: ZERO,
    moneyMarket: decimal('150'),
    pendingMoneyMarketInterest: decimal('0.42'),
    accruedMarginInterest: decimal('33.10'),
    marginRate: decimal('9'),
    previousClose: { maintenanceExcess: decimal('2500'), equity: decimal('9000') },
    maintenancePercent: decimal('25'),
    patternDayTrader: false,
    dayTradeCost: decimal('11000'),
    cashCall: decimal('1500'),
    intradayDeficit: decimal('120'),
  }

  test('contains balances, withdrawals, requirements and calls of an account of 20,000 with a debit of 12,000', () => {
    const summary = summarizeBalances(input)
    const texts = Object.fromEntries(
      Object.entries(summary.marginBalance).map(([name, value]) => [name, renderDecimal(value)]),
    )
    assert.deepEqual(texts, {
      marginBuyingPower: '0',
      nyseExcess: '3000',
      dtbp: '10000',
      marginDebitBalance: '12000',
      dailyMarginInterest: '3',
      accruedMarginInterest: '33.1',
      currentMarginRate: '9',
      dayTradeBuyingPower: '8000',
      equity: '8000',
      equityPercentage: '40',
      houseExcess: '2000',
      houseRequirement: '6000',
      regTRequirement: '10000',
      sma: '0',
    })
    assert.deepEqual(summary.availableWithdrawal, {
      freeCash: ZERO,
      moneyMarket: decimal('150'),
      marginCashAvailability: ZERO,
      pendingMoneyMarketInterest: decimal('0.42'),
    })
    assert.deepEqual(summary.marginRequirements, [
      {
        symbol: 'ABC',
        quantity: decimal('1000'),
        description: 'ABC CORP',
        price: decimal('20'),
        marketValue: decimal('20000'),
        housePercent: decimal('30'),
        houseRequirement: decimal('6000'),
        regTPercent: decimal('50'),
        regTRequirement: decimal('10000'),
      },
    ])
    assert.deepEqual(summary.openCall, {
      federalCall: decimal('2000'),
      maintenanceCall: ZERO,
      dayTradeCall: decimal('120'),
      cashCall: decimal('1500'),
      accumFedAmount: decimal('2000'),
    })
  })

  test('contains, before 2026-06-04, the power at the start of the day less the day trades', () => {
    const { marginBalance, openCall } = summarizeBalances({ ...input, today: '2026-06-03' })
    assert.equal(money(marginBalance.dtbp), '10000.00')
    assert.equal(money(marginBalance.dayTradeBuyingPower), '0.00')
    assert.equal(money(openCall.dayTradeCall), '1000.00')
  })

  test('offers no further credit to an account without margin, and has the same calls', () => {
    const credit = { ...input.standing, buyingPower: decimal('700'), marginCashAvailable: decimal('350') }
    const offered = summarizeBalances({ ...input, standing: credit })
    const { marginBalance, availableWithdrawal, buyingPowers, ...rest } = summarizeBalances({
      ...input,
      standing: credit,
      marginAgreed: false,
    })
    assert.deepEqual(rest, { marginRequirements: offered.marginRequirements, openCall: offered.openCall })
    assert.equal(offered.marginBalance.marginBuyingPower, decimal('700'))
    const none = { marginBuyingPower: ZERO, dtbp: ZERO, dayTradeBuyingPower: ZERO }
    assert.deepEqual(marginBalance, { ...offered.marginBalance, ...none })
    assert.equal(offered.availableWithdrawal.marginCashAvailability, decimal('350'))
    assert.deepEqual(availableWithdrawal, { ...offered.availableWithdrawal, marginCashAvailability: ZERO })
    assert.equal(buyingPowers.length, offered.buyingPowers.length)
    assert.ok(buyingPowers.every(({ amount }) => amount === ZERO))
  })

  test('offers nothing that restrictions suspend, and has the same calls', () => {
    const credit = { ...input.standing, sma: decimal('700'), marginCashAvailable: decimal('350') }
    const offeredBy = (...suspended: CodeOf<'entitlement'>[]) => {
      const restricted = { ...input, standing: credit, suspended: new Set(suspended) }
      const { marginBalance, availableWithdrawal, buyingPowers, ...rest } = summarizeBalances(restricted)
      const { marginBuyingPower, dtbp, dayTradeBuyingPower, ...owed } = marginBalance
      const powers = [marginBuyingPower, dtbp, dayTradeBuyingPower].filter((amount) => amount > ZERO)
      const { moneyMarket, marginCashAvailability, pendingMoneyMarketInterest } = availableWithdrawal
      assert.equal(money(pendingMoneyMarketInterest), '0.42')
      const classes = buyingPowers.filter(({ amount }) => amount > ZERO).map((one) => one.securityClass)
      const offered = [powers.length, classes.length, classes.includes('Option')]
      return [offered, [moneyMarket, marginCashAvailability].map(money), { owed, rest }] as const
    }
    const [offered, withdrawn, owed] = offeredBy()
    assert.deepEqual(
      [offered, withdrawn],
      [
        [2, 10, true],
        ['150.00', '350.00'],
      ],
    )
    const table: [CodeOf<'entitlement'>, typeof offered, typeof withdrawn][] = [
      ['Selling', offered, withdrawn],
      ['Margin', [0, 0, false], ['150.00', '0.00']],
      ['Buying', [0, 0, false], withdrawn],
      ['Options', [2, 9, false], withdrawn],
      ['Withdrawals', offered, ['0.00', '0.00']],
    ]
    for (const [right, ...rest] of table) assert.deepEqual(offeredBy(right), [...rest, owed], right)
  })
})
