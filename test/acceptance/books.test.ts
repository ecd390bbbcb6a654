/** Positions and activity through the sdk: what the books answer after trades, corrections, late lines and mistakes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { applicationFor, applicationOf } from './applications.ts'
import { open, openAndFollow, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        ...['AAA', 'BBB'].map((symbol) => ({
          symbol,
          secTypeName: 'Common Stock',
          industryGroupName: 'Ports',
        })),
        { symbol: 'EUR1', currency: 'EUR', secTypeName: 'Common Stock', industryGroupName: 'Mills' },
        { symbol: 'MMF', secTypeName: 'Money Market Fund', moneyMarket: true },
        { symbol: 'NOPRICE', secTypeName: 'Common Stock' },
      ],
    },
  })
  assert.equal(data.accepted, 5)
  await service.operations.operations.loadPrices({
    lines: {
      ndjson: [
        ['AAA', '12.00'],
        ['BBB', '30.50'],
        ['EUR1', '100.00'],
        ['MMF', '1.00'],
      ].map(([symbol, price]) => ({
        symbol,
        price,
        priceType: 'LastClose',
        priceDate: '2026-01-02T21:00:00Z',
      })),
    },
  })
  await service.operations.operations.loadFxRates({
    lines: {
      ndjson: [
        { currency: 'EUR', rate: '1.1', date: '2025-01-02' },
        { currency: 'EUR', rate: '1.2', date: '2026-01-02' },
      ],
    },
  })
})
after(() => service?.stop())

const newAccount = () => openAndFollow(service.alpha, applicationFor('Individual'))

let ids = 0
type Line = Record<string, unknown>
const line = (acctNo: string, fields: Line): Line => {
  ids += 1
  return { externalId: `B${ids}`, acctNo, tradeDate: '2025-03-03', ...fields }
}
const buy = (acctNo: string, symbol: string, quantity: number, price: string, more: Line = {}) =>
  line(acctNo, { transType: 'Trade', buySell: 'BUY', symbol, quantity: String(quantity), price, ...more })
const sell = (acctNo: string, symbol: string, quantity: number, price: string, more: Line = {}) =>
  buy(acctNo, symbol, quantity, price, { buySell: 'SEL', secFee: '0', tradeDate: '2025-04-03', ...more })

const load = async (...lines: Line[]) => {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
  return data
}
const summaryOf = async (accountNumber: string) => service.alpha.positionSummary({ accountNumber })
const held = async (accountNumber: string) => {
  const { data } = await summaryOf(accountNumber)
  return data.portfolios.map(({ symbol, quantity, unrealizedGainLoss }) => [
    symbol,
    Number(quantity),
    Number(unrealizedGainLoss.cost),
  ])
}
const activityOf = async (accountNumber: string) => {
  const { data } = await service.alpha.tradeActivity({
    accountNumber,
    dateFrom: '2025-01-01',
    dateTo: '2026-12-31',
  })
  return data.activity
}
const proves = async (accountNumber: string) => {
  const { data } = await service.operations.operations.verifyBooks({ accountNumber })
  assert.deepEqual(data.breaks, [])
  assert.equal(data.verified, true)
}

const kindsOf = async (accountNumber: string) =>
  (await service.operations.operations.listBreaks({ accountNumber })).data.breaks.map(
    ({ kind, reason }) => `${kind}: ${reason}`,
  )

describe('activity of an account that is restricted or closed', () => {
  const today = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })

  test('is booked as the fact that it is, with a break where it used what was suspended that day', async () => {
    const account = await newAccount()
    await load(line(account, { transType: 'Deposit', netAmount: '5000' }), buy(account, 'AAA', 10, '10'))
    await service.operations.operations.placeRestriction({
      accountNumber: account,
      restrictionCode: 'LiquidationOnly',
      reason: 'Asked.',
    })
    await service.operations.operations.placeRestriction({
      accountNumber: account,
      restrictionCode: 'NoWithdrawals',
      reason: 'Asked.',
    })
    const tradeDate = today()
    const bought = buy(account, 'AAA', 5, '10', { tradeDate })
    const paid = line(account, { transType: 'Withdrawal', netAmount: '-100', tradeDate })
    // A purchase of an earlier day, a sale and a dividend are nobody's concern.
    await load(
      bought,
      paid,
      buy(account, 'AAA', 1, '10', { tradeDate: '2025-06-02' }),
      sell(account, 'AAA', 2, '12', { tradeDate }),
      line(account, { transType: 'Dividend', symbol: 'AAA', netAmount: '3', tradeDate }),
    )
    assert.deepEqual((await kindsOf(account)).sort(), [
      'Suspended: Trade BUY while LiquidationOnly suspended Buying.',
      'Suspended: Withdrawal while NoWithdrawals suspended Withdrawals.',
    ])
    assert.deepEqual(await held(account), [['AAA', 14, 140]])
    await load(line(account, { cancelType: 'C', tagNo: bought.externalId }))
    assert.deepEqual(await kindsOf(account), [
      'Suspended: Withdrawal while NoWithdrawals suspended Withdrawals.',
    ])
    await proves(account)
  })

  test('is refused once the account is closed, but for what was loaded before', async () => {
    const account = await newAccount()
    const lines = [
      line(account, { transType: 'Deposit', netAmount: '50' }),
      line(account, { transType: 'Withdrawal', netAmount: '-50', tradeDate: '2025-03-04' }),
    ]
    await load(...lines)
    await service.operations.operations.closeAccount({ accountNumber: account, reason: 'Asked.' })
    const late = line(account, { transType: 'Deposit', netAmount: '7' })
    const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: [...lines, late] } })
    assert.deepEqual([data.accepted, data.duplicates, data.rejected], [0, 2, 1])
    const [refused] = data.rejects
    assert.deepEqual(
      [refused?.line, refused?.code, refused?.reason],
      [3, 'ERR.2011', 'The account is Closed.'],
    )
    await proves(account)
  })
})

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
      // 200 and 1,200 − 900 × 1.1; the line without a price counts 0 and has no gain, its cost of 21 is no loss.
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

  test('of a day in the past answers what was held then, at the prices of then', async () => {
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

  test('of another firm’s account, and of none, is one answer', async () => {
    const account = await newAccount()
    for (const accountNumber of [account, '99999998'])
      assert.deepEqual(await rejectionsOf(service.beta.positionSummary({ accountNumber })), [
        'ERR.2003 accountNumber',
      ])
  })

  test('of an account that nothing happened in is empty, and of one that is reserved there is none', async () => {
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

describe('what another custodian keeps', () => {
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

  test('is assetsHeldAway and an item of its own, in no other total, until a later report', async () => {
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

  test('is refused line by line where it can not be', async () => {
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

describe('the terms of an account', () => {
  const setTerms = async (...ndjson: Line[]) =>
    (await service.operations.operations.loadAccountTerms({ lines: { ndjson } })).data
  const purchases = (account: string) => [
    buy(account, 'AAA', 100, '10'),
    buy(account, 'AAA', 100, '14', { tradeDate: '2025-03-10' }),
    buy(account, 'AAA', 100, '12', { tradeDate: '2025-03-17' }),
    sell(account, 'AAA', 150, '20'),
  ]

  test('say in which order lots are relieved, until there is activity', async () => {
    const lots: Record<string, number[]> = {}
    for (const lotMethod of ['FIFO', 'LIFO', 'HIFO', 'Average']) {
      const account = await newAccount()
      const set = await setTerms({ acctNo: account, lotMethod })
      assert.deepEqual([set.accepted, set.duplicates], lotMethod === 'FIFO' ? [0, 1] : [1, 0])
      await load(...purchases(account))
      const { data } = await service.alpha.positionDetail({ accountNumber: account })
      lots[lotMethod] = data.portfolios.map(({ unrealizedGainLoss }) => Number(unrealizedGainLoss.cost))
      await proves(account)
      const other = lotMethod === 'LIFO' ? 'HIFO' : 'LIFO'
      const { rejects, accepted } = await setTerms(
        { acctNo: account, lotMethod: other },
        { acctNo: account, houseLongPercent: '40' },
      )
      assert.deepEqual(
        rejects.map(({ line: number, code, field }) => [number, code, field]),
        [[1, 'ERR.1021', 'lotMethod']],
      )
      assert.equal(accepted, 1)
    }
    assert.deepEqual(lots, {
      // 50 at 14 and 100 at 12; 100 at 10 and 50 at 14; 100 at 10 and 50 at 12; 300 cost 3,600.
      FIFO: [700, 1200],
      LIFO: [1000, 700],
      HIFO: [1000, 600],
      Average: [600, 1200],
    })
  })

  test('and of a security raise what the house asks for, never below FINRA’s own', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '10000', acctType: '2' }),
      buy(account, 'AAA', 1000, '12', { acctType: '2' }),
    )
    const required = async () => {
      const { data } = await service.alpha.balanceSummary({ accountNumber: account })
      const [aaa] = data.marginRequirements
      const { houseExcess, nyseExcess } = data.marginBalance
      return [aaa?.housePercent, aaa?.houseRequirement, houseExcess, nyseExcess].map(Number)
    }
    // Worth 12,000 with a debit of 2,000.
    assert.deepEqual(await required(), [25, 3_000, 7_000, 7_000])
    await setTerms({ acctNo: account, houseLongPercent: '20' })
    assert.deepEqual(await required(), [25, 3_000, 7_000, 7_000])
    await setTerms({ acctNo: account, houseLongPercent: '32.5' })
    assert.deepEqual(await required(), [32.5, 3_900, 6_100, 7_000])
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'AAA', houseLongPercent: '60' }] },
    })
    assert.deepEqual(await required(), [60, 7_200, 2_800, 7_000])
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'AAA', houseLongPercent: '25' }] },
    })
    assert.deepEqual(await required(), [32.5, 3_900, 6_100, 7_000])
  })

  test('that can not be are refused', async () => {
    const account = await newAccount()
    const { rejects } = await setTerms(
      { acctNo: '99999999', lotMethod: 'LIFO' },
      { acctNo: account },
      { acctNo: account, lotMethod: 'Random' },
      { acctNo: account, houseLongPercent: '0', houseShortPercent: '-1' },
      { acctNo: account, houseLongPercent: '100.01', houseShortPercent: '0' },
    )
    assert.deepEqual(
      rejects.map(({ line: number, code, field }) => [number, code, field]),
      [
        [1, 'ERR.2003', 'acctNo'],
        [2, 'ERR.1000', 'lotMethod'],
        [3, 'ERR.1015', 'lotMethod'],
        [4, 'ERR.1015', 'houseShortPercent'],
        [5, 'ERR.1015', 'houseLongPercent'],
        [5, 'ERR.1015', 'houseShortPercent'],
      ],
    )
  })
})

describe('worked by hand, to the cent', () => {
  before(async () => {
    const option = { secTypeName: 'Option', underlying: 'UND', expiration: '2025-03-21' }
    await service.operations.operations.loadSecurities({
      lines: {
        ndjson: [
          { symbol: 'UND', secTypeName: 'Common Stock' },
          { symbol: 'UND C50', ...option, putCall: 'Call', strike: '50' },
          { symbol: 'UND P40', ...option, putCall: 'Put', strike: '40' },
          { symbol: 'MUTF', secTypeName: 'Mutual Fund' },
        ],
      },
    })
  })

  type Trade = [buySell: string, symbol: string, quantity: string, price: string, more?: Line]
  const trade = ([buySell, symbol, quantity, price, more = {}]: Trade): Line => ({
    transType: 'Trade',
    buySell,
    symbol,
    quantity,
    price,
    ...(buySell === 'SEL' || buySell === 'SSL' ? { secFee: '0' } : {}),
    ...more,
  })
  const on = (day: string) => ({ tradeDate: `2025-${day}` })

  const table: [
    what: string,
    acctType: string,
    lines: (Line | Trade)[],
    lots: [symbol: string, quantity: number, cost: number][],
    cash: number,
  ][] = [
    [
      '3:2 on 101 and 6 shares, the half share sold for 4.10: of the first lot, whose 1,010.00 are now 151.5',
      '1',
      [
        ['BUY', 'AAA', '101', '10'],
        ['BUY', 'AAA', '6', '11', on('03-04')],
        { transType: 'Split', symbol: 'AAA', ratio: '3:2', cashInLieu: '4.10', ...on('04-01') },
      ],
      [
        ['AAA', 151, 1006.67],
        ['AAA', 9, 66],
      ],
      -1071.9,
    ],
    [
      'a short through 2:1, 150 of 200 covered, with the fees of its sale in its proceeds',
      '3',
      [
        ['SSL', 'AAA', '100', '20', { secFee: '0.08' }],
        { transType: 'Split', symbol: 'AAA', ratio: '2:1', ...on('03-10') },
        ['BCV', 'AAA', '150', '9', on('03-12')],
      ],
      [['AAA', -50, -499.98]],
      649.92,
    ],
    [
      '1:3 with 1.50 a share and the third of a share for 6.66: 1,000.00 less 150.00, a hundredth of it sold',
      '1',
      [
        ['BUY', 'AAA', '100', '10'],
        {
          transType: 'Merger',
          symbol: 'AAA',
          ratio: '1:3',
          toSymbol: 'BBB',
          cashPerShare: '1.50',
          cashInLieu: '6.66',
          ...on('04-01'),
        },
      ],
      [['BBB', 33, 841.5]],
      -843.34,
    ],
    [
      'a spin-off 1:5 of an eighth of the cost, 0.6 of a share for 9.00',
      '1',
      [
        ['BUY', 'AAA', '103', '10'],
        {
          transType: 'Spinoff',
          symbol: 'AAA',
          toSymbol: 'BBB',
          ratio: '1:5',
          costShare: '0.125',
          cashInLieu: '9',
          ...on('04-01'),
        },
      ],
      [
        ['AAA', 103, 901.25],
        ['BBB', 20, 125],
      ],
      -1021,
    ],
    [
      '2.00 a share of capital on lots that cost 1.00 and 10.00: the first ends at zero',
      '1',
      [
        ['BUY', 'AAA', '100', '1'],
        ['BUY', 'AAA', '100', '10', on('03-04')],
        {
          transType: 'ReturnOfCapital',
          symbol: 'AAA',
          cashPerShare: '2',
          asOfDate: '2025-03-20',
          ...on('04-01'),
        },
      ],
      [
        ['AAA', 100, 0],
        ['AAA', 100, 800],
      ],
      -700,
    ],
    [
      'through zero and back: 100 long, 100 short, 150 long',
      '2',
      [
        ['BUY', 'AAA', '100', '50', { commission: '1' }],
        ['SSL', 'AAA', '200', '60', { commission: '2', ...on('03-10') }],
        ['BUY', 'AAA', '250', '55', on('03-12')],
      ],
      [['AAA', 150, 8250]],
      -6753,
    ],
    [
      'a loss of 6.00 a share, 30 bought 11 days before and 50 on the 30th day after, 50 on the 31st',
      '1',
      [
        ['BUY', 'AAA', '100', '20', on('01-02')],
        ['BUY', 'AAA', '30', '15', on('02-20')],
        ['SEL', 'AAA', '100', '14'],
        ['BUY', 'AAA', '50', '13', on('04-02')],
        ['BUY', 'AAA', '50', '13', on('04-03')],
      ],
      [
        ['AAA', 30, 630],
        ['AAA', 50, 950],
        ['AAA', 50, 650],
      ],
      -2350,
    ],
    [
      'a short closed at a loss of 3.00 and 60 of 100 sold short again: 180.00 come off their proceeds',
      '3',
      [
        ['SSL', 'AAA', '100', '10'],
        ['BCV', 'AAA', '100', '13', on('03-05')],
        ['SSL', 'AAA', '60', '12', on('03-20')],
      ],
      [['AAA', -60, -540]],
      420,
    ],
    [
      'two calls at 3.10 exercised at 50: the premium, its commission and that of the exercise are in the cost',
      '1',
      [
        ['BUY', 'UND C50', '2', '3.10', { commission: '1.30' }],
        {
          transType: 'Exercise',
          symbol: 'UND C50',
          quantity: '2',
          toSymbol: 'UND',
          commission: '5',
          ...on('03-21'),
        },
      ],
      [['UND', 200, 10626.3]],
      -10626.3,
    ],
    [
      'a put written at 1.50 and assigned at 40',
      '2',
      [
        ['SSL', 'UND P40', '1', '1.50'],
        { transType: 'Assignment', symbol: 'UND P40', quantity: '1', toSymbol: 'UND', ...on('03-21') },
      ],
      [['UND', 100, 3850]],
      -3850,
    ],
    [
      'a covered call assigned',
      '2',
      [
        ['BUY', 'UND', '100', '45'],
        ['SSL', 'UND C50', '1', '2'],
        { transType: 'Assignment', symbol: 'UND C50', quantity: '1', toSymbol: 'UND', ...on('03-21') },
      ],
      [],
      700,
    ],
    [
      'a fund at average: 75.123 of 153.333 shares that cost 1,690.00 take 827.99',
      '1',
      [
        ['BUY', 'MUTF', '100', '10'],
        {
          transType: 'Reinvest',
          symbol: 'MUTF',
          quantity: '3.333',
          netAmount: '-40',
          price: '12',
          ...on('03-10'),
        },
        ['BUY', 'MUTF', '50', '13', on('03-11')],
        ['SEL', 'MUTF', '75.123', '14', on('04-10')],
      ],
      [
        ['MUTF', 24.877, 274.19],
        ['MUTF', 3.333, 36.73],
        ['MUTF', 50, 551.09],
      ],
      -638.28,
    ],
    [
      'lots that come with their cost and day, and 30 of them that leave',
      '1',
      [
        { transType: 'TransferIn', symbol: 'AAA', quantity: '100', openDate: '2020-02-03', cost: '512.34' },
        { transType: 'TransferOut', symbol: 'AAA', quantity: '30', ...on('03-10') },
      ],
      [['AAA', 70, 358.64]],
      0,
    ],
  ]
  for (const [what, acctType, lines, lots, cash] of table) {
    test(what, async () => {
      const account = await newAccount()
      await load(
        ...lines.map((one) => line(account, { acctType, ...(Array.isArray(one) ? trade(one) : one) })),
      )
      const { data } = await service.alpha.positionDetail({ accountNumber: account })
      assert.deepEqual(
        data.portfolios.map(({ symbol, quantity, unrealizedGainLoss }) => [
          symbol,
          Number(quantity),
          Number(unrealizedGainLoss.cost),
        ]),
        lots,
      )
      assert.equal(Number((await summaryOf(account)).data.totalCash), cash)
      await proves(account)
    })
  }
})

describe('a pool', () => {
  test('is worth what its factor says, and its books do not depend on what the factor becomes', async () => {
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
    const told = async () => {
      const [item] = (await summaryOf(account)).data.portfolios
      return [item?.currentFactor, item?.marketValue, item?.unrealizedGainLoss.cost].map(Number)
    }
    await load(
      buy(account, 'POOL', 100_000, '99'),
      pool({ transType: 'Redemption', quantity: '20000', tradeDate: '2025-03-10' }),
    )
    // 80,000 of 100,000 original face are left of the factor 0.8: 64,000 at 99.
    assert.deepEqual(await told(), [0.8, 63_360, 63_360])
    const change = pool({ transType: 'FactorChange', ratio: '0.78:0.8', tradeDate: '2025-04-25' })
    await load(change)
    // 1,600 of principal came back against a fortieth of the cost; the feed of securities tells the factor.
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'POOL', currentFactor: '0.78' }] },
    })
    assert.deepEqual(await told(), [0.78, 61_776, 61_776])
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
      'what the books found out is told',
    )
    const { data } = await summaryOf(account)
    // 79,200 paid, 20,000 × 0.8 redeemed at par, 1,600 of principal.
    assert.equal(Number(data.totalCash), -79_200 + 16_000 + 1_600)
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'POOL', currentFactor: '0.5' }] },
    })
    assert.equal((await told())[0], 0.5)
    await proves(account)
  })
})

describe('a Regulation T call', () => {
  test('of an account below 2,000 of equity is what pays the purchase in full, whatever its day', async () => {
    const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
    for (const tradeDate of ['2026-01-05', today]) {
      const account = await newAccount()
      const margin = { acctType: '2', tradeDate }
      await load(
        line(account, { transType: 'Deposit', netAmount: '500', ...margin }),
        buy(account, 'AAA', 100, '12', margin),
      )
      const { data } = await summaryOf(account)
      // 1,200 less the 500 that are there, not half of it.
      assert.equal(Number(data.fedCallAmount), 700, tradeDate)
    }
  })

  test('is none of what the market took since the purchase', async () => {
    const account = await newAccount()
    const margin = { acctType: '2', tradeDate: '2026-01-05' }
    await load(
      line(account, { transType: 'Deposit', netAmount: '10000', ...margin }),
      // Bought at 20, worth 12.
      buy(account, 'AAA', 1000, '20', margin),
    )
    const { data } = await summaryOf(account)
    assert.deepEqual(
      [data.fedCallAmount, data.accumFedAmount, data.maintCallAmount].map(Number),
      [0, 0, 1_000],
    )
  })
})

describe('buying power', () => {
  const margin = { acctType: '2', tradeDate: '2026-01-05' }
  const powerOf = async (accountNumber: string) => {
    const { data } = await summaryOf(accountNumber)
    const { data: balances } = await service.alpha.balanceSummary({ accountNumber })
    assert.equal(balances.marginBalance.marginBuyingPower, data.buyingPower)
    return [data.maintCallAmount, data.buyingPower].map(Number)
  }

  test('is nothing in a maintenance call, whatever the SMA, and comes back when the call is met', async () => {
    const account = await newAccount()
    // 20,000 of deposit less half of 30,000 leave an SMA of 5,000. Bought at 30, worth 12: 2,000 of equity, 3,000 asked for.
    await load(
      line(account, { transType: 'Deposit', netAmount: '20000', ...margin }),
      buy(account, 'AAA', 1000, '30', margin),
    )
    assert.deepEqual(await powerOf(account), [1_000, 0])
    await load(
      line(account, { transType: 'Deposit', netAmount: '1000.01', ...margin, tradeDate: '2026-01-06' }),
    )
    // A cent of excess carries four.
    assert.deepEqual(await powerOf(account), [0, 0.04])
    await load(
      line(account, { transType: 'Deposit', netAmount: '90000', ...margin, tradeDate: '2026-01-07' }),
    )
    // 5,000 + 91,000.01 of SMA; four times the excess of 90,000.01 is more.
    assert.deepEqual(await powerOf(account), [0, 192_000.02])
  })

  test('is four times the maintenance excess where that is less than twice the SMA, or what the house’s rate makes of it', async () => {
    const [usual, strict] = [await newAccount(), await newAccount()]
    await service.operations.operations.loadAccountTerms({
      lines: { ndjson: [{ acctNo: strict, houseLongPercent: '40' }] },
    })
    for (const account of [usual, strict]) {
      // SMA 10,000; bought at 20, worth 12: 12,000 of equity and of value.
      await load(
        line(account, { transType: 'Deposit', netAmount: '20000', ...margin }),
        buy(account, 'AAA', 1000, '20', margin),
      )
      await load(line(account, { transType: 'Withdrawal', netAmount: '-7000', ...margin }))
    }
    // SMA 3,000; 5,000 of equity less a quarter of 12,000 leave 2,000, less 40 percent of it 200.
    assert.deepEqual(await powerOf(usual), [0, 6_000])
    assert.deepEqual(await powerOf(strict), [0, 500])
  })

  test('of a cash account counts sales that have not settled, and no other money to come', async () => {
    const account = await newAccount()
    const tradeDate = new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
    await load(line(account, { transType: 'Deposit', netAmount: '1000' }), buy(account, 'AAA', 50, '12'))
    await load(
      sell(account, 'AAA', 20, '13', { tradeDate, settleDate: '2099-01-02' }),
      line(account, {
        transType: 'Dividend',
        symbol: 'AAA',
        netAmount: '70',
        tradeDate,
        settleDate: '2099-01-02',
      }),
    )
    const { data } = await summaryOf(account)
    // 400 are there; 260 of the sale are to come, and 70 of the dividend.
    assert.deepEqual([data.freeCash, data.fundsAvailable, data.buyingPower].map(Number), [400, 400, 660])
    assert.equal(Number(data.totalCash), 730)
  })
})

describe('trading within the day', () => {
  test('four day trades in five business days make a pattern day trader, who needs 25,000 of equity', async () => {
    const [trader, holder] = [await newAccount(), await newAccount()]
    const margin = { acctType: '2' }
    const day = (account: string, tradeDate: string) => [
      buy(account, 'AAA', 10, '10', { ...margin, tradeDate }),
      sell(account, 'AAA', 10, '11', { ...margin, tradeDate }),
    ]
    const days = ['2025-03-04', '2025-03-05', '2025-03-06', '2025-03-07']
    for (const account of [trader, holder])
      await load(line(account, { transType: 'Deposit', netAmount: '10000', ...margin }))
    await load(...days.flatMap((date) => day(trader, date)))
    // What was held overnight and is sold before it is bought again is no day trade.
    await load(
      buy(holder, 'AAA', 10, '10', { ...margin, tradeDate: '2025-03-03' }),
      ...days.flatMap((date) => day(holder, date).reverse()),
    )
    const powers = async (accountNumber: string, asOf: string) => {
      const { data } = await service.alpha.balanceSummary({ accountNumber, asOf })
      return [Number(data.marginBalance.dtbp), Number(data.marginBalance.dayTradeBuyingPower)]
    }
    // Four times the excess of 10,030, less what the day's trade of 100 takes.
    assert.deepEqual(await powers(trader, '2025-03-06'), [40_120, 40_020])
    assert.deepEqual(await powers(trader, '2025-03-07'), [0, 0])
    assert.deepEqual(await powers(trader, '2025-05-30'), [0, 0])
    assert.deepEqual(await powers(trader, '2025-06-30'), [40_160, 40_160])
    const [power, left] = await powers(holder, '2025-03-07')
    assert.ok(power && power > 0)
    assert.equal(left, power)
  })
})

describe('corrections', () => {
  test('a cancel and its rebill leave lots as if the original had never been, and all three readable', async () => {
    const account = await newAccount()
    const wrong = buy(account, 'AAA', 1_000, '10')
    await load(wrong, sell(account, 'AAA', 50, '12'))
    const cancel = line(account, { cancelType: 'C', tagNo: wrong.externalId })
    const right = buy(account, 'AAA', 100, '10', { rebill: 'Y', tagNo: wrong.externalId })
    await load(cancel, right)
    assert.deepEqual(await held(account), [['AAA', 50, 500]])
    const told = (await activityOf(account)).map(
      ({ quantity, cancel: cancels, rebill, tranId, cancelStatus }) => [
        quantity,
        cancels,
        rebill,
        tranId,
        cancelStatus,
      ],
    )
    assert.deepEqual(told.sort(), [
      ['-1000', 'Y', 'N', 'C', ''],
      ['100', 'N', 'Y', 'R', ''],
      ['1000', 'N', 'N', 'T', 'Cancelled'],
      ['50', 'N', 'N', 'T', ''],
    ])
    await proves(account)
  })

  test('a late line gives the books that its coming in order would have given', async () => {
    const [inOrder, late] = [await newAccount(), await newAccount()]
    const lines = (account: string) => [
      buy(account, 'AAA', 100, '10', { tradeDate: '2025-02-03' }),
      buy(account, 'AAA', 100, '11', { tradeDate: '2025-03-03' }),
      line(account, { transType: 'Split', symbol: 'AAA', ratio: '2:1', tradeDate: '2025-03-10' }),
      sell(account, 'AAA', 250, '7', { tradeDate: '2025-04-03' }),
    ]
    await load(...lines(inOrder))
    const [first, ...rest] = lines(late)
    for (const each of [...rest.reverse(), first as Line]) await load(each)
    assert.deepEqual(await held(late), await held(inOrder))
    assert.deepEqual(await held(late), [['AAA', 150, 825]])
    await proves(late)
    const { data } = await service.operations.operations.listBreaks({ accountNumber: late })
    assert.deepEqual(data.breaks, [])
  })
})

describe('what operations should look at', () => {
  test('a sale of more than is held goes short and is a break until the missing line comes', async () => {
    const account = await newAccount()
    await load(buy(account, 'BBB', 10, '20'), sell(account, 'BBB', 25, '30'))
    assert.deepEqual(await held(account), [['BBB', -15, -450]])
    const { data } = await service.operations.operations.listBreaks({ accountNumber: account })
    assert.deepEqual(
      data.breaks.map(({ kind, accountNumber }) => [kind, accountNumber]),
      [['Oversold', account]],
    )
    assert.equal((await summaryOf(account)).data.portfolios[0]?.unrealizedGainLoss.recon, 'Y')
    await load(buy(account, 'BBB', 15, '21', { tradeDate: '2025-03-20' }))
    assert.deepEqual(await held(account), [])
    assert.deepEqual(
      (await service.operations.operations.listBreaks({ accountNumber: account })).data.breaks,
      [],
    )
    await proves(account)
  })

  test('verify-books goes on after an account, and proves the seals with the last part', async () => {
    const prove = async (request: object) => (await service.operations.operations.verifyBooks(request)).data
    const first = await newAccount()
    await load(line(first, { transType: 'Deposit', netAmount: '5' }))
    const all = await prove({})
    assert.ok(all.accounts > 1 && all.next === '')
    const { rows } = await service.query('select account_number from clearing.account_books order by 1')
    const rest = await prove({ after: rows[0].account_number })
    assert.deepEqual([rest.accounts, rest.next], [all.accounts - 1, ''])
    assert.equal((await prove({ after: 'ZZZZZZZZ' })).accounts, 0)
  })

  test('verify-books tells each thing that somebody changed in the tables', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '5000' }),
      buy(account, 'AAA', 100, '10'),
      sell(account, 'AAA', 60, '9'),
    )
    await proves(account)
    for (const [kind, change] of [
      ['Lots', `update clearing.holding set lots = jsonb_set(lots::jsonb, '{0,cost}', '"400.01"')`],
      ['Position', 'update clearing.holding set quantity_cash = quantity_cash + 1'],
      ['Cash', 'update clearing.cash_balance set amount = amount - 0.01'],
      [
        'Entry',
        'update clearing.activity set amount = array[amount[1] + 1, amount[2] - 1] where cardinality(amount) = 2',
      ],
      ['Lines', 'delete from clearing.activity where sequence = 1'],
      ['Closing', 'update clearing.closing set gain = gain + 1'],
    ] as const) {
      const where = change.includes(' where ') ? ' and' : ' where'
      const found = await tampered(`${change}${where} account_number = '${account}'`, account)
      assert.ok(found.includes(kind), `${kind}: ${found.join()}`)
    }
    await proves(account)
  })
})

/** The kinds of break found while a superuser's change holds; it is taken back by putting the rows of before in their places. */
const tampered = async (change: string, account: string): Promise<string[]> => {
  const table = /clearing\.(\w+)/.exec(change)?.[1] ?? ''
  await service.query(
    `create table was as select * from clearing.${table} where account_number = '${account}'`,
  )
  await service.query(change)
  const { data } = await service.operations.operations.verifyBooks({ accountNumber: account })
  await service.query(`delete from clearing.${table} where account_number = '${account}'`)
  await service.query(`insert into clearing.${table} select * from was`)
  await service.query('drop table was')
  assert.equal(data.verified, false)
  return data.breaks.map(({ kind }) => kind)
}

describe('trade-activity', () => {
  test('asks for a range of at most ten years that does not end before it begins', async () => {
    const accountNumber = await newAccount()
    const ask = (dateFrom: string, dateTo: string) =>
      rejectionsOf(service.alpha.tradeActivity({ accountNumber, dateFrom, dateTo }))
    assert.deepEqual(await ask('2026-01-02', '2026-01-01'), ['ERR.1025 dateFrom'])
    assert.deepEqual(await ask('2015-01-01', '2025-01-02'), ['ERR.1025 dateTo'])
    await service.alpha.tradeActivity({ accountNumber, dateFrom: '9999-12-31', dateTo: '9999-12-31' })
    const { data } = await service.alpha.tradeActivity({
      accountNumber,
      dateFrom: '01/01/2015',
      dateTo: '20250101',
    })
    assert.deepEqual(data.activity, [])
  })

  test('has Trade lines alone, the others are in non-trade-activity, both by their processDate', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '10' }),
      buy(account, 'AAA', 1, '10', { processDate: '2025-03-05', note: 'Kept As Given' }),
    )
    const ask = { accountNumber: account, dateFrom: '2025-03-04', dateTo: '2025-03-31' }
    const { data: trades } = await service.alpha.tradeActivity(ask)
    assert.deepEqual(
      trades.activity.map(({ processDate, tradeDate, note, settleDate }) => [
        processDate,
        tradeDate,
        note,
        settleDate,
      ]),
      [['20250305', '2025-03-03', 'Kept As Given', '2025-03-04']],
    )
    assert.deepEqual((await service.alpha.nonTradeActivity(ask)).data.activity, [])
    const { data: others } = await service.alpha.nonTradeActivity({ ...ask, dateFrom: '2025-03-03' })
    assert.deepEqual(
      others.activity.map(({ transType, netAmount, tranId }) => [transType, netAmount, tranId]),
      [['Deposit', '10', 'N']],
    )
  })
})

describe('an account that is pending', () => {
  test('has books from its first line on', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ lastName: 'Slow30' }))
    await load(line(accountNumber, { transType: 'Deposit', netAmount: '7' }))
    assert.equal(Number((await summaryOf(accountNumber)).data.totalCash), 7)
  })
})
