import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import type { ValuedLine } from './positions.ts'
import type { SummaryGroup } from './record.ts'
import { aLot, aPrice, aSecurity, SAMPLE_NOW, valueSample } from './sample-positions.ts'
import { type AccountInput, type CashBalance, summarizeAccount } from './summarize.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

describe('the summary of an account', () => {
  const balance = (more: Partial<CashBalance>): CashBalance => ({
    acctTypeCode: 1,
    currency: 'USD',
    tradeDate: ZERO,
    settled: ZERO,
    pendingDebits: ZERO,
    pendingSales: ZERO,
    pendingShortSales: ZERO,
    ...more,
  })
  const account = (lines: ValuedLine[], more: Partial<AccountInput> = {}) =>
    summarizeAccount({
      acctNo: '30100001',
      now: SAMPLE_NOW,
      lines,
      cash: [],
      fxRates: new Map([['EUR', decimal('1.1')]]),
      margin: null,
      marginInterestAccrued: ZERO,
      ...more,
    })
  const securities = [
    aSecurity({ secNo: '1', symbol: 'ABC', industryGroupName: 'Technology' }),
    aSecurity({ secNo: '2', symbol: 'DEF', industryGroupName: 'Energy' }),
    aSecurity({ secNo: '3', symbol: 'MMF', moneyMarket: true, kind: 'Fund', secTypeName: 'Money Market' }),
    aSecurity({ secNo: '4', symbol: 'EURO', currency: 'EUR', industryGroupName: 'Energy' }),
  ]
  const prices = { '1': aPrice('10'), '2': aPrice('20'), '3': aPrice('1'), '4': aPrice('50') }
  const fxRates = new Map([['EUR', decimal('1.1')]])
  const lines = valueSample(
    [
      aLot('1', '100', '800'),
      aLot('2', '-10', '-250', { acctTypeCode: 3 }),
      aLot('3', '500', '500'),
      aLot('4', '10', '400', { fxRate: decimal('1.2') }),
      aLot('1', '7', '50', { heldAway: true }),
    ],
    securities,
    prices,
    { fxRates },
  )

  test('has separate totals of long, short, money market and held away', () => {
    const { summary, message } = account(lines, {
      cash: [
        balance({ tradeDate: decimal('1000'), settled: decimal('1000') }),
        balance({ currency: 'EUR', tradeDate: decimal('100'), settled: decimal('100') }),
      ],
    })
    const texts = Object.fromEntries(
      Object.entries(summary).flatMap(([name, amount]) =>
        typeof amount === 'bigint' ? [[name, renderDecimal(amount)]] : [],
      ),
    )
    assert.deepEqual(texts, {
      totalShortMarket: '-200',
      totalLongMarket: '1550',
      totalCash: '1110',
      totalMoneyMarket: '500',
      netMarket: '1350',
      netCustodied: '2960',
      assetsHeldAway: '70',
      totalAccountValue: '3030',
      // The short position holds back its value of 200.
      freeCash: '910',
      gainLoss: '320',
      gainLossPercentage: '15.76',
      fundsAvailable: '1410',
      fedCallAmount: '0',
      maintCallAmount: '0',
      marginCashAvailable: '0',
      buyingPower: '1410',
      accumFedAmount: '0',
      accruedInterest: '0',
      totalCashUsdOnly: '1000',
    })
    assert.equal(message, '')
  })

  test('has groups by industry, kind, account type and currency, sorted by name', () => {
    const { summary } = account(lines)
    const texts = (groups: readonly SummaryGroup[]) =>
      groups.map((group) => [
        group.name,
        renderDecimal(group.longMarketValue),
        renderDecimal(group.shortMarketValue),
        renderDecimal(group.totalMarketValue),
        renderDecimal(group.quantity),
      ])
    assert.deepEqual(texts(summary.industrySummary), [
      ['Energy', '550', '-200', '350', '0'],
      ['Technology', '1000', '0', '1000', '100'],
    ])
    assert.deepEqual(texts(summary.assetSummary), [['Common Stock', '1550', '-200', '1350', '100']])
    assert.deepEqual(texts(summary.accountTypeSummary), [
      ['Cash', '1550', '0', '1550', '110'],
      ['Short', '0', '-200', '-200', '-10'],
    ])
    assert.deepEqual(texts(summary.currencyTypeSummary), [
      ['EUR', '550', '0', '550', '10'],
      ['USD', '1000', '-200', '800', '90'],
    ])
  })

  test('with margin has its margin amounts, and funds are the larger of free cash and margin cash', () => {
    const margin = {
      marginCashAvailable: decimal('1500'),
      buyingPower: decimal('4000'),
      fedCallAmount: decimal('1'),
      accumFedAmount: decimal('2'),
      maintCallAmount: decimal('3'),
    }
    const cash = [balance({ acctTypeCode: 2, tradeDate: decimal('700'), settled: decimal('700') })]
    const { summary } = account(lines, { margin, cash, marginInterestAccrued: decimal('4.20') })
    // The short in account type 3 withholds its value of 200.
    assert.equal(money(summary.freeCash), '500.00')
    assert.equal(money(summary.fundsAvailable), '2000.00')
    assert.equal(money(summary.buyingPower), '4000.00')
    assert.equal(money(summary.fedCallAmount), '1.00')
    assert.equal(money(summary.accumFedAmount), '2.00')
    assert.equal(money(summary.maintCallAmount), '3.00')
    assert.equal(money(summary.accruedInterest), '-4.20')
  })

  test('has the accrued interest of its bonds less the interest of its debit, without bonds held away', () => {
    const bond = aSecurity({
      secNo: '6',
      kind: 'Bond',
      priceDivisor: decimal('100'),
      bond: {
        couponRate: decimal('3.6'),
        couponFrequency: 2,
        dayCount: '30/360',
        maturityDate: '2030-11-13',
      },
    })
    const bonds = valueSample(
      [aLot('6', '10000', '9900'), aLot('6', '500', '495', { heldAway: true })],
      [bond],
      {
        '6': aPrice('99'),
      },
    )
    assert.equal(money(account(bonds).summary.accruedInterest), '10.00')
    const { summary } = account(bonds, { marginInterestAccrued: decimal('12.5') })
    assert.equal(money(summary.accruedInterest), '-2.50')
  })

  test('names the securities without a price and the currencies without a rate', () => {
    const unpriced = valueSample(
      [aLot('1', '1', '1'), aLot('4', '1', '1')],
      securities,
      {},
      { fxRates: new Map() },
    )
    const { message } = account(unpriced, {
      cash: [balance({ currency: 'CHF', tradeDate: ONE })],
      fxRates: new Map(),
    })
    assert.equal(
      message,
      'No price for ABC, EURO: valued at 0, left out of gains. No exchange rate for CHF, EUR: counted as 0.',
    )
  })

  test('has no gain, and no cost for the percentage of the gain, for a line without a price or a rate', () => {
    const held = [
      aLot('1', '100', '800'),
      aLot('2', '10', '250'),
      aLot('4', '10', '400', { fxRate: decimal('1.2') }),
    ]
    const { summary } = account(
      valueSample(held, securities, { '1': aPrice('10'), '4': aPrice('50') }, { fxRates: new Map() }),
    )
    assert.equal(money(summary.gainLoss), '200.00')
    assert.equal(money(summary.gainLossPercentage), '25.00')
    assert.deepEqual(
      summary.portfolios.map(({ unrealizedGainLoss: { cost, gainLoss, gainLossPercent, glNoWash } }) =>
        [cost, gainLoss, gainLossPercent, glNoWash].map(money),
      ),
      [
        ['800.00', '200.00', '25.00', '200.00'],
        ['250.00', '0.00', '0.00', '0.00'],
        ['480.00', '0.00', '0.00', '0.00'],
      ],
    )
  })

  test('names a group without a name Unclassified, in its position among the others', () => {
    const plain = [
      aSecurity({ secNo: '1', symbol: 'ABC', industryGroupName: 'Water', secTypeName: '' }),
      aSecurity({ secNo: '2', symbol: 'DEF', industryGroupName: '', secTypeName: '' }),
      aSecurity({ secNo: '3', symbol: 'GHI', industryGroupName: 'Energy', secTypeName: 'Bond' }),
    ]
    const { summary } = account(
      valueSample([aLot('1', '1', '1'), aLot('2', '1', '1'), aLot('3', '1', '1')], plain, {
        '1': aPrice('1'),
        '2': aPrice('2'),
        '3': aPrice('4'),
      }),
    )
    const named = (groups: readonly SummaryGroup[]) =>
      groups.map(({ name, totalMarketValue }) => [name, money(totalMarketValue)])
    assert.deepEqual(named(summary.industrySummary), [
      ['Energy', '4.00'],
      ['Unclassified', '2.00'],
      ['Water', '1.00'],
    ])
    assert.deepEqual(named(summary.assetSummary), [
      ['Bond', '4.00'],
      ['Unclassified', '3.00'],
    ])
  })

  const spendable: [string, Partial<CashBalance>[], string][] = [
    ['settled credit', [{ settled: decimal('100') }], '100.00'],
    [
      'sales that have not settled count',
      [{ settled: decimal('100'), pendingSales: decimal('40.55') }],
      '140.55',
    ],
    [
      'payments due are deducted',
      [{ settled: decimal('100'), pendingDebits: decimal('-70'), pendingSales: decimal('10') }],
      '40.00',
    ],
    ['a debit leaves zero', [{ settled: decimal('-100'), pendingSales: decimal('60') }], '0.00'],
    [
      'sales in another currency count',
      [{ currency: 'EUR', settled: ZERO, pendingSales: decimal('100') }],
      '110.00',
    ],
  ]
  for (const [why, cash, expected] of spendable) {
    test(`buying power of a cash account: ${why}`, () => {
      assert.equal(money(account([], { cash: cash.map(balance) }).summary.buyingPower), expected)
    })
  }

  test('a frozen cash account spends settled cash only', () => {
    const cash = [
      balance({ settled: decimal('100'), pendingDebits: decimal('-30'), pendingSales: decimal('40') }),
    ]
    const spendableOf = (settledCashOnly: boolean) =>
      money(account([], { cash, settledCashOnly }).summary.buyingPower)
    assert.equal(spendableOf(false), '110.00')
    assert.equal(spendableOf(true), '70.00')
  })

  test('names at most twenty securities without a price', () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      aSecurity({ secNo: `${index}`, symbol: `S${index}` }),
    )
    const { message } = account(
      valueSample(
        many.map(({ secNo }) => aLot(secNo, '1', '1')),
        many,
        {},
      ),
    )
    assert.match(message, /^No price for S0, .* and 5 more: valued at 0, left out of gains\.$/)
  })

  test('of an empty account has only zeros and empty lists', () => {
    const { summary } = account([])
    assert.equal(summary.totalAccountValue, ZERO)
    assert.equal(summary.gainLossPercentage, ZERO)
    assert.deepEqual(summary.portfolios, [])
    assert.deepEqual(summary.industrySummary, [])
  })

  const free: [string, Partial<CashBalance>[], string][] = [
    ['settled credit', [{ settled: decimal('100'), tradeDate: decimal('100') }], '100.00'],
    [
      'unsettled proceeds are not yet free',
      [{ settled: decimal('100'), tradeDate: decimal('900') }],
      '100.00',
    ],
    [
      'unpaid purchases are deducted',
      [{ settled: decimal('100'), tradeDate: decimal('30'), pendingDebits: decimal('-70') }],
      '30.00',
    ],
    ['a debit leaves zero', [{ settled: decimal('-100'), tradeDate: decimal('-100') }], '0.00'],
    [
      'a debit in another currency is deducted',
      [{ settled: decimal('100') }, { currency: 'EUR', settled: decimal('-10') }],
      '89.00',
    ],
    [
      'margin credit is limited by the cash that margin releases',
      [{ acctTypeCode: 2, settled: decimal('900') }],
      '250.00',
    ],
    [
      'the credit of shorts that are closed is limited in the same way',
      [{ acctTypeCode: 3, settled: decimal('900') }],
      '250.00',
    ],
    [
      'cash and margin add up',
      [{ settled: decimal('40') }, { acctTypeCode: 2, settled: decimal('60') }],
      '100.00',
    ],
    [
      'a margin debit does not reduce the cash account',
      [{ settled: decimal('40') }, { acctTypeCode: 2, settled: decimal('-60') }],
      '40.00',
    ],
  ]
  for (const [why, cash, expected] of free) {
    test(`free cash: ${why}`, () => {
      const margin = {
        marginCashAvailable: decimal('250'),
        buyingPower: ZERO,
        fedCallAmount: ZERO,
        accumFedAmount: ZERO,
        maintCallAmount: ZERO,
      }
      const { summary } = account([], { cash: cash.map(balance), margin })
      assert.equal(money(summary.freeCash), expected)
    })
  }

  test('free cash: a written put in the cash account withholds its exercise price, and a covered call withholds nothing', () => {
    const option = (secNo: string, putCall: 'Put' | 'Call') =>
      aSecurity({
        secNo,
        kind: 'Option',
        multiplier: decimal('100'),
        option: { putCall, strike: decimal('20'), expiration: '2026-12-18', underlying: 'ABC' },
      })
    const written = (secNo: string) =>
      valueSample([aLot(secNo, '-1', '-150')], [option('8', 'Put'), option('9', 'Call')], {
        [secNo]: aPrice('1'),
      })
    const cash = [balance({ settled: decimal('3000') })]
    assert.equal(money(account(written('8'), { cash }).summary.freeCash), '1000.00')
    assert.equal(money(account(written('9'), { cash }).summary.freeCash), '3000.00')
  })
})
