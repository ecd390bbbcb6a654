/** Positions through the sdk: positions here, at another custodian and in a pool, with their values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  activityOf,
  buy,
  held,
  kindsOf,
  type Line,
  line,
  load,
  newAccount,
  proves,
  sell,
  service,
  startBeforeTests,
  summaryOf,
} from './booked-lines.ts'
import { rejectionsOf } from './calling.ts'

startBeforeTests()

describe('position-summary', () => {
  test('adds up over currencies, money-market funds and positions without a price', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '50000' }),
      buy(account, 'AAA', 100, '10'),
      buy(account, 'MMF', 500, '1'),
      buy(account, 'NOPRICE', 7, '3'),
      line(account, { transType: 'Deposit', netAmount: '2000', currency: 'EUR' }),
      buy(account, 'EUR1', 10, '90', { tradeDate: '2025-03-04' }),
    )
    const { data, message } = await summaryOf(account)
    assert.match(message, /price/)
    const amounts = Object.fromEntries(
      Object.entries(data).filter(([, value]) => typeof value === 'number' || typeof value === 'string'),
    )
    // 100 × 12 and 10 × 100 EUR at 1.2; 50,000 − 1,000 − 500 − 21 in dollars, 2,000 − 900 in euros.
    for (const [name, due] of [
      ['totalLongMarket', 2_400],
      ['totalShortMarket', 0],
      ['netMarket', 2_400],
      ['totalMoneyMarket', 500],
      ['totalCashUsdOnly', 48_479],
      ['totalCash', 49_799],
      ['netCustodied', 52_699],
      ['totalAccountValue', 52_699],
      // 200 and 1,200 − 900 × 1.1. The line without a price counts 0 and has no gain: its cost of 21 is no loss.
      ['gainLoss', 410],
      // Of the cost of 1,000, 500 and 990.
      ['gainLossPercentage', 16.47],
      ['buyingPower', 50_299],
      ['marginCashAvailable', 0],
    ] as const)
      assert.equal(Number(amounts[name]), due, name)
    for (const summary of [
      data.industrySummary,
      data.assetSummary,
      data.accountTypeSummary,
      data.currencyTypeSummary,
    ]) {
      assert.equal(
        summary.reduce((sum, group) => sum + Number(group.totalMarketValue), 0),
        2_400,
      )
      assert.deepEqual(
        summary.map(({ name }) => name).sort(),
        summary.map(({ name }) => name),
      )
    }
    const missing = data.portfolios.find(({ symbol }) => symbol === 'NOPRICE')
    assert.deepEqual([Number(missing?.marketValue), missing?.priceType], [0, ''])
    const { cost, gainLoss, gainLossPercent } = missing?.unrealizedGainLoss ?? assert.fail()
    assert.deepEqual([cost, gainLoss, gainLossPercent].map(Number), [21, 0, 0])
    assert.match(message, /No price for NOPRICE: valued at 0, left out of gains\./)
    assert.deepEqual(
      data.industrySummary.map(({ name }) => name),
      ['Mills', 'Ports', 'Unclassified'],
    )
    await proves(account)
  })

  test('has costs and gains in US dollars of a line in US dollars, whatever fxRate the feed states', async () => {
    const account = await newAccount()
    await load(
      buy(account, 'AAA', 100, '10', { fxRate: '1.25' }),
      sell(account, 'AAA', 40, '12', { fxRate: '1.25' }),
    )
    const { data } = await summaryOf(account)
    assert.deepEqual(await held(account), [['AAA', 60, 600]])
    assert.equal(Number(data.gainLoss), 120)
    const range = { accountNumber: account, dateFrom: '2025-01-01', dateTo: '2025-12-31' }
    const { closings } = (await service.alpha.realizedGains(range)).data
    assert.deepEqual(
      closings.map(({ cost, gainLoss }) => [cost, gainLoss].map(Number)),
      [[400, 80]],
    )
    assert.deepEqual(
      (await activityOf(account)).map(({ fxRate }) => fxRate),
      ['1.25', '1.25'],
    )
    await proves(account)
  })

  test('of a past day returns the positions of that day at the prices of that day', async () => {
    const account = await newAccount()
    await load(buy(account, 'AAA', 100, '10'), sell(account, 'AAA', 40, '11'))
    const asOf = async (day: string) => {
      const { data } = await service.alpha.positionSummary({ accountNumber: account, asOf: day })
      return data.portfolios.map(({ quantity, priceType }) => [Number(quantity), priceType])
    }
    assert.deepEqual(await asOf('2025-03-02'), [])
    assert.deepEqual(await asOf('2025-03-03'), [[100, '']])
    assert.deepEqual(await asOf('2025-04-02'), [[100, '']])
    assert.deepEqual(await asOf('2026-01-05'), [[60, 'LastClose']])
  })

  test('gives the same error for another firm’s account and for no account', async () => {
    const account = await newAccount()
    for (const accountNumber of [account, '99999998'])
      assert.deepEqual(await rejectionsOf(service.beta.positionSummary({ accountNumber })), [
        'ERR.2003 accountNumber',
      ])
  })

  test('is empty for an account without activity, and does not exist for a reserved number', async () => {
    const { data } = await summaryOf(await newAccount())
    assert.deepEqual([Number(data.totalAccountValue), data.portfolios], [0, []])
    const { data: reserved } = await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'Individual',
    })
    assert.deepEqual(await rejectionsOf(summaryOf(reserved.accountNumber)), ['ERR.2003 accountNumber'])
  })
})

describe('a position at another custodian', () => {
  const report = (acctNo: string, fields: Line): Line => ({
    acctNo,
    custodian: 'Elsewhere Trust',
    symbol: 'AAA',
    asOfDate: '2025-03-03',
    quantity: '100',
    ...fields,
  })
  const tell = async (...ndjson: Line[]) =>
    (await service.operations.operations.loadHeldAway({ lines: { ndjson } })).data

  test('is in assetsHeldAway and an item of its own, in no other total, until a later report', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '5000', acctType: '2' }),
      buy(account, 'AAA', 10, '10', { acctType: '2' }),
    )
    const before = (await summaryOf(account)).data
    const first = await tell(
      report(account, { cost: '900.005', openDate: '2020-01-02', acctType: 'Margin' }),
      report(account, { symbol: 'EUR1', quantity: '2', custodian: 'Bank of Elsewhere' }),
      report(account, { asOfDate: '2025-06-02', quantity: '50', cost: '450', acctType: 'Margin' }),
    )
    assert.deepEqual([first.accepted, first.duplicates, first.rejects], [3, 0, []])
    const { data } = await summaryOf(account)
    // 50 × 12.00, and 2 × 100 EUR at 1.2.
    assert.equal(Number(data.assetsHeldAway), 840)
    assert.equal(Number(data.totalAccountValue), Number(before.totalAccountValue) + 840)
    for (const name of [
      'netCustodied',
      'totalLongMarket',
      'netMarket',
      'gainLoss',
      'buyingPower',
      'marginCashAvailable',
      'fundsAvailable',
      'accountTypeSummary',
      'industrySummary',
    ] as const)
      assert.deepEqual(data[name], before[name], name)
    assert.deepEqual(
      data.portfolios.map(
        ({ symbol, acctType, quantity, unrealizedGainLoss: { safekeepFirmQuantity, noCost } }) => [
          symbol,
          acctType,
          Number(quantity),
          Number(safekeepFirmQuantity),
          noCost,
        ],
      ),
      [
        ['AAA', 'Margin', 10, 10, 'N'],
        ['AAA', 'Margin', 50, 0, 'N'],
        ['EUR1', 'Cash', 2, 0, 'Y'],
      ],
    )
    const past = await service.alpha.positionSummary({ accountNumber: account, asOf: '2025-05-30' })
    assert.deepEqual(
      past.data.portfolios
        .filter(({ unrealizedGainLoss }) => Number(unrealizedGainLoss.safekeepFirmQuantity) === 0)
        .map(({ symbol, quantity, unrealizedGainLoss }) => [
          symbol,
          Number(quantity),
          Number(unrealizedGainLoss.cost),
        ]),
      [
        ['AAA', 100, 900.01],
        ['EUR1', 2, 0],
      ],
    )
    await proves(account)
    const again = await tell(
      report(account, { asOfDate: '2025-06-02', quantity: '50', cost: '450', acctType: 'Margin' }),
      report(account, { asOfDate: '2025-07-01', quantity: '0', acctType: 'Margin' }),
      report(account, {
        asOfDate: '2025-07-01',
        quantity: '0',
        symbol: 'EUR1',
        custodian: 'Bank of Elsewhere',
      }),
    )
    assert.deepEqual([again.accepted, again.duplicates], [2, 1])
    assert.equal(Number((await summaryOf(account)).data.assetsHeldAway), 0)
  })

  test('is rejected line by line when it is impossible', async () => {
    const account = await newAccount()
    const { rejects } = await tell(
      report('99999999', {}),
      report(account, { symbol: 'NONE' }),
      report(account, { quantity: '-1' }),
      report(account, { quantity: undefined, asOfDate: undefined }),
      report(account, { openDate: '2025-03-04' }),
      report(account, { price: '1' }),
    )
    assert.deepEqual(
      rejects.map(({ line: number, code, field }) => [number, code, field]),
      [
        [1, 'ERR.2003', 'acctNo'],
        [2, 'ERR.1015', 'symbol'],
        [3, 'ERR.1015', 'quantity'],
        [4, 'ERR.1000', 'quantity'],
        [4, 'ERR.1000', 'asOfDate'],
        [5, 'ERR.1024', 'openDate'],
        [6, 'ERR.2001', 'price'],
      ],
    )
  })
})

describe('a pool', () => {
  test('is valued by its current factor, and its books do not depend on later factors', async () => {
    await service.operations.operations.loadSecurities({
      lines: {
        ndjson: [
          {
            symbol: 'POOL',
            secTypeName: 'Mortgage Pool',
            couponRate: '0',
            priceDivisor: '100',
            currentFactor: '0.8',
          },
        ],
      },
    })
    await service.operations.operations.loadPrices({
      lines: {
        ndjson: [{ symbol: 'POOL', price: '99', priceType: 'LastClose', priceDate: '2026-01-02T21:00:00Z' }],
      },
    })
    const account = await newAccount()
    const pool = (fields: Line) => line(account, { symbol: 'POOL', ...fields })
    const valueNow = async () => {
      const [item] = (await summaryOf(account)).data.portfolios
      return [item?.currentFactor, item?.marketValue, item?.unrealizedGainLoss.cost].map(Number)
    }
    await load(
      buy(account, 'POOL', 100_000, '99'),
      pool({ transType: 'Redemption', quantity: '20000', tradeDate: '2025-03-10' }),
    )
    // 80,000 of 100,000 original face are left of the factor 0.8: 64,000 at 99.
    assert.deepEqual(await valueNow(), [0.8, 63_360, 63_360])
    const change = pool({ transType: 'FactorChange', ratio: '0.78:0.8', tradeDate: '2025-04-25' })
    await load(change)
    // 1,600 of principal was repaid against a fortieth of the cost. The feed of securities gives the factor.
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'POOL', currentFactor: '0.78' }] },
    })
    assert.deepEqual(await valueNow(), [0.78, 61_776, 61_776])
    await proves(account)
    const { data: others } = await service.alpha.nonTradeActivity({
      accountNumber: account,
      dateFrom: '2025-01-01',
      dateTo: '2025-12-31',
    })
    assert.deepEqual(
      others.activity.map(({ transType, netAmount }) => [transType, netAmount]),
      [
        ['Redemption', '16000'],
        ['FactorChange', '1600'],
      ],
      'the finding of the books is reported',
    )
    const { data } = await summaryOf(account)
    // 79,200 paid, 20,000 × 0.8 redeemed at par, 1,600 of principal.
    assert.equal(Number(data.totalCash), -79_200 + 16_000 + 1_600)
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'POOL', currentFactor: '0.5' }] },
    })
    assert.equal((await valueNow())[0], 0.5)
    await proves(account)
  })
})

test('a split of a short position counts its quantity with the sign of the ratio', async () => {
  const account = await newAccount()
  const short = { acctType: '3', symbol: 'AAA', quantity: '100' }
  await load(
    line(account, { transType: 'Trade', buySell: 'SSL', price: '12', secFee: '0', ...short }),
    line(account, { transType: 'Split', ratio: '2:1', tradeDate: '2025-03-04', ...short }),
  )
  assert.deepEqual(await held(account), [['AAA', -200, -1_200]])
  const breaks = await kindsOf(account)
  assert.deepEqual(
    breaks.filter((reason) => reason.startsWith('RatioDisagrees')),
    [],
  )
  await proves(account)
})
