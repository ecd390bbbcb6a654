/** Terms of an account, calls, buying power and day trades through the sdk. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import {
  buy,
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

startBeforeTests()

describe('the terms of an account', () => {
  const setTerms = async (...ndjson: Line[]) =>
    (await service.operations.operations.loadAccountTerms({ lines: { ndjson } })).data
  const purchases = (account: string) => [
    buy(account, 'AAA', 100, '10'),
    buy(account, 'AAA', 100, '14', { tradeDate: '2025-03-10' }),
    buy(account, 'AAA', 100, '12', { tradeDate: '2025-03-17' }),
    sell(account, 'AAA', 150, '20'),
  ]

  test('set the order in which lots are relieved, until there is activity', async () => {
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

  test('and those of a security raise the requirement of the house, which is never below FINRA’s', async () => {
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

  test('do not apply to bonds, whose requirement and buying power follow the rule of their class', async () => {
    const account = await newAccount()
    const bonds = [
      // Nine, and 29 years.
      { symbol: 'UST1', secTypeName: 'US Treasury', maturityDate: '2035-06-30' },
      { symbol: 'MUN1', secTypeName: 'Municipal Bond', maturityDate: '2055-06-30' },
      { symbol: 'IGR1', secTypeName: 'Investment Grade Corporate Bond', maturityDate: '2055-06-30' },
      { symbol: 'COR1', secTypeName: 'Corporate Bond', maturityDate: '2055-06-30' },
      { symbol: 'CNV1', secTypeName: 'Convertible Bond', maturityDate: '2055-06-30' },
    ].map((facts) => ({ ...facts, couponRate: '0', priceDivisor: '100' }))
    const { data: securities } = await service.operations.operations.loadSecurities({
      lines: { ndjson: bonds },
    })
    assert.deepEqual(securities.rejects, [])
    await service.operations.operations.loadPrices({
      lines: {
        ndjson: bonds.map(({ symbol }) => {
          return { symbol, price: '50', priceType: 'LastClose', priceDate: '2026-01-02T21:00:00Z' }
        }),
      },
    })
    await setTerms({ acctNo: account, houseLongPercent: '40' })
    const margin = { acctType: '2', tradeDate: '2026-01-05' }
    await load(
      line(account, { transType: 'Deposit', netAmount: '13550', ...margin }),
      ...bonds.map(({ symbol }) => buy(account, symbol, 20_000, '50', margin)),
    )
    const { data } = await service.alpha.balanceSummary({ accountNumber: account })
    assert.deepEqual(
      data.marginRequirements.map((row) => [row.symbol, ...[row.regTPercent, row.housePercent].map(Number)]),
      [
        ['CNV1', 50, 40],
        ['COR1', 20, 20],
        ['IGR1', 10, 10],
        ['MUN1', 7, 7],
        // Without coupons: 3 percent of the principal of 20,000, which is 6 percent of its value.
        ['UST1', 6, 6],
      ],
    )
    // 50,000 of bonds need 9,300 of equity, and the deposit is 13,550. There is no call, and SMA is the remainder.
    assert.deepEqual([data.openCall.federalCall, data.openCall.maintenanceCall].map(Number), [0, 0])
    assert.equal(Number(data.marginBalance.houseExcess), 13_550 - 8_300)
    assert.equal(Number(data.availableWithdrawal.marginCashAvailability), 13_550 - 9_300)
    const { houseRequirement, regTRequirement, sma } = data.marginBalance
    assert.deepEqual([houseRequirement, regTRequirement, sma].map(Number), [8_300, 9_300, 13_550 - 9_300])
  })

  test('of a security name the stock into which it converts: held against that stock sold short it needs 10 percent', async () => {
    const account = await newAccount()
    const { loadSecurities, loadPrices } = service.operations.operations
    const priced = { priceType: 'LastClose', priceDate: '2026-01-02T21:00:00Z' }
    const bond = {
      symbol: 'CNV2',
      secTypeName: 'Corporate Bond',
      couponRate: '0',
      maturityDate: '2055-06-30',
    }
    const { data } = await loadSecurities({
      lines: {
        ndjson: [
          { symbol: 'CST2', secTypeName: 'Common Stock' },
          { ...bond, convertsTo: 'CST2', conversionRatio: '25' },
          { symbol: 'CNV3', convertsTo: 'CST2' },
          { symbol: 'CNV4', convertsTo: 'CST2', conversionRatio: '0' },
        ],
      },
    })
    assert.deepEqual(
      data.rejects.map(({ line: number, code, field }) => [number, code, field]),
      [
        [3, 'ERR.1000', 'conversionRatio'],
        [4, 'ERR.1015', 'conversionRatio'],
      ],
    )
    await loadPrices({
      lines: {
        ndjson: [
          { symbol: 'CST2', price: '40', ...priced },
          { symbol: 'CNV2', price: '100', ...priced },
        ],
      },
    })
    const margin = { acctType: '2', tradeDate: '2026-01-05' }
    await load(
      line(account, { transType: 'Deposit', netAmount: '9000', ...margin }),
      buy(account, 'CNV2', 4_000, '100', margin),
      sell(account, 'CST2', 150, '40', { ...margin, acctType: '3', buySell: 'SSL', secFee: '0' }),
    )
    const required = async () => {
      const { data } = await service.alpha.balanceSummary({ accountNumber: account })
      return data.marginRequirements.map((row) => [row.houseRequirement, row.regTRequirement].map(Number))
    }
    // Four bonds of 1,000 convert into 100 shares. The other 50 shares at 40 need 30 percent, which is more than 5.00 a
    // share.
    assert.deepEqual(await required(), [
      [400, 2_000],
      [600, 1_000],
    ])
    await loadSecurities({ lines: { ndjson: [{ symbol: 'CNV2', conversionRatio: '37.5' }] } })
    assert.deepEqual(await required(), [
      [400, 2_000],
      [0, 0],
    ])
    await proves(account)
  })

  test('that are impossible are refused', async () => {
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

describe('a Regulation T call', () => {
  test('of an account below 2,000 of equity is the amount that pays the purchase in full, on any day', async () => {
    const today = easternDay(new Date())
    for (const tradeDate of ['2026-01-05', today]) {
      const account = await newAccount()
      const margin = { acctType: '2', tradeDate }
      await load(
        line(account, { transType: 'Deposit', netAmount: '500', ...margin }),
        buy(account, 'AAA', 100, '12', margin),
      )
      const { data } = await summaryOf(account)
      // 1,200 less the 500 of existing equity, not half of it.
      assert.equal(Number(data.fedCallAmount), 700, tradeDate)
    }
  })

  test('does not include the market’s loss since the purchase', async () => {
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

  test('is zero in a maintenance call, whatever the SMA, and returns when the call is met', async () => {
    const account = await newAccount()
    // 20,000 of deposit less half of 30,000 leave an SMA of 5,000. Bought at 30, worth 12: 2,000 of equity, and 3,000
    // required.
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
    // The SMA is 5,000 + 91,000.01. Four times the excess of 90,000.01 is more.
    assert.deepEqual(await powerOf(account), [0, 192_000.02])
  })

  test('is four times the maintenance excess when that is less than twice the SMA, or the multiple that the house’s rate gives', async () => {
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
    // SMA 3,000. 5,000 of equity less a quarter of 12,000 leave 2,000, less 40 percent of it 200.
    assert.deepEqual(await powerOf(usual), [0, 6_000])
    assert.deepEqual(await powerOf(strict), [0, 500])
  })

  test('of a cash account includes unsettled sales, and no other expected cash', async () => {
    const account = await newAccount()
    const tradeDate = easternDay(new Date())
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
    // 400 are settled. 260 of the sale and 70 of the dividend are expected.
    assert.deepEqual([data.freeCash, data.fundsAvailable, data.buyingPower].map(Number), [400, 400, 660])
    assert.equal(Number(data.totalCash), 730)
  })

  test('proceeds of a short sale cover the short position before they settle, also on an earlier day', async () => {
    const account = await newAccount()
    const unsettled = {
      transType: 'Trade',
      symbol: 'AAA',
      quantity: '100',
      secFee: '0',
      settleDate: '2099-01-02',
    }
    await load(
      line(account, { transType: 'Deposit', netAmount: '10000', acctType: '2' }),
      line(account, { ...unsettled, buySell: 'SSL', price: '12', acctType: '3' }),
      // A sale of what is not held is a short sale in account type 3.
      line(account, { ...unsettled, buySell: 'SEL', price: '11', acctType: '3' }),
      line(account, { ...unsettled, buySell: 'SSL', price: '12', acctType: '2' }),
    )
    const { data: now } = await summaryOf(account)
    const { data: then } = await service.alpha.positionSummary({ accountNumber: account, asOf: '2026-01-03' })
    // 300 shares at 12.00 are worth 3,600.00, and their sales bring 3,500.00: 9,900.00, of which 2,000.00 stay.
    for (const data of [now, then])
      assert.deepEqual([data.freeCash, data.marginCashAvailable].map(Number), [7_900, 7_900])
  })
})

describe('day trading', () => {
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
    // A position that was held overnight and is sold before it is bought again is no day trade.
    await load(
      buy(holder, 'AAA', 10, '10', { ...margin, tradeDate: '2025-03-03' }),
      ...days.flatMap((date) => day(holder, date).reverse()),
    )
    const powers = async (accountNumber: string, asOf: string) => {
      const { data } = await service.alpha.balanceSummary({ accountNumber, asOf })
      return [Number(data.marginBalance.dtbp), Number(data.marginBalance.dayTradeBuyingPower)]
    }
    // Four times the excess of 10,030, less the buying power used by the day's trade of 100.
    assert.deepEqual(await powers(trader, '2025-03-06'), [40_120, 40_020])
    assert.deepEqual(await powers(trader, '2025-03-07'), [0, 0])
    assert.deepEqual(await powers(trader, '2025-05-30'), [0, 0])
    assert.deepEqual(await powers(trader, '2025-06-30'), [40_160, 40_160])
    const [power, left] = await powers(holder, '2025-03-07')
    assert.ok(power && power > 0)
    assert.equal(left, power)
  })

  test('has a deficit by the maintenance of each security: of penny shorts 2.50 a share, of a fund of three times 75 %', async () => {
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'LEV3', secTypeName: 'Leveraged ETF 3x' }] },
    })
    const tradeDate = '2026-06-08'
    const [short, long] = [
      { acctType: '3', tradeDate, secFee: '0' },
      { acctType: '2', tradeDate },
    ]
    const deficitOf = async (...trades: ((account: string) => Line)[]) => {
      const account = await newAccount()
      await load(
        line(account, {
          transType: 'Deposit',
          netAmount: '4000',
          acctType: '2',
          tradeDate: '2026-06-05',
        }),
        ...trades.map((trade) => trade(account)),
      )
      const { data } = await service.alpha.balanceSummary({ accountNumber: account, asOf: tradeDate })
      return Number(data.openCall.dayTradeCall)
    }
    // Each position is closed within the day. The excess before is 4,000.
    const penny = await deficitOf(
      (account) => sell(account, 'AAA', 2000, '2', { ...short, buySell: 'SSL' }),
      (account) => buy(account, 'AAA', 2000, '2', { ...short, buySell: 'BCV' }),
    )
    const leveraged = await deficitOf(
      (account) => buy(account, 'LEV3', 100, '100', long),
      (account) => sell(account, 'LEV3', 100, '100', long),
    )
    const usual = await deficitOf(
      (account) => buy(account, 'AAA', 2000, '10', long),
      (account) => sell(account, 'AAA', 2000, '10', long),
    )
    // What a sale loses lowers the level, and what it gains raises it.
    const lost = await deficitOf(
      (account) => buy(account, 'AAA', 400, '40', long),
      (account) => sell(account, 'AAA', 400, '35', long),
      (account) => buy(account, 'AAA', 750, '12', long),
    )
    const gained = await deficitOf(
      (account) => buy(account, 'AAA', 400, '40', long),
      (account) => sell(account, 'AAA', 400, '45', long),
      (account) => buy(account, 'AAA', 2000, '12', long),
    )
    assert.deepEqual([penny, leveraged, usual, lost, gained], [1_000, 3_500, 1_000, 250, 0])
  })
})

describe('a gain of the day', () => {
  test('raises the buying power of a margin account at the close; before it, all of the power causes no call', async () => {
    const account = await newAccount()
    const priceAt = async (price: string) => {
      const { now } = (await service.alpha.sandbox.getClock({})).data
      const quote = { symbol: 'GAIN', price, priceType: 'LastClose', priceDate: now }
      await service.operations.operations.loadPrices({ lines: { ndjson: [quote] } })
    }
    const bookNow = async (...lines: ((more: Line) => Line)[]) => {
      const tradeDate = (await service.alpha.sandbox.getClock({})).data.businessDate
      await load(...lines.map((make) => make({ acctType: '2', tradeDate })))
    }
    const close = () => service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'A test.' } })
    const powerAndCall = async (of = account) => {
      const { buyingPower, fedCallAmount } = (await summaryOf(of)).data
      return [Number(buyingPower), Number(fedCallAmount)]
    }
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'GAIN', secTypeName: 'Common Stock' }] },
    })
    await priceAt('20')
    await bookNow(
      (more) => line(account, { transType: 'Deposit', netAmount: '10000', ...more }),
      (more) => buy(account, 'GAIN', 900, '20', more),
    )
    await close()
    await priceAt('30')
    assert.deepEqual(await powerAndCall(), [2_000, 0])
    const unseen = await newAccount()
    await bookNow(
      (more) => line(unseen, { transType: 'Deposit', netAmount: '10000', ...more }),
      (more) => buy(unseen, 'GAIN', 900, '20', more),
    )
    // 27,000 less the debit of 8,000; half of the value is required.
    assert.deepEqual(await powerAndCall(unseen), [11_000, 0], 'no close has seen this account')
    await bookNow((more) => buy(account, 'AAA', 100, '20', more))
    assert.deepEqual(await powerAndCall(), [0, 0])
    await bookNow((more) => buy(account, 'AAA', 1, '0.02', more))
    assert.deepEqual(await powerAndCall(), [0, 0.01])
    await close()
    // 27,000 and 1,212 (101 at 12) less the debit of 10,000.02; half of the value is required.
    assert.deepEqual(await powerAndCall(), [8_211.96, 0.01])
  })
})

describe('the intraday margin deficit', () => {
  test('begins with the excess before the lines of the day, also of a new account and of a closed day', async () => {
    const book = async (account: string, ...fields: Line[]) => {
      const tradeDate = (await service.alpha.sandbox.getClock({})).data.businessDate
      await load(...fields.map((more) => line(account, { acctType: '2', tradeDate, ...more })))
      return tradeDate
    }
    const close = () => service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'A test.' } })
    const startAndDeficit = async (accountNumber: string, asOf?: string) => {
      const { data } = await service.alpha.balanceSummary({ accountNumber, ...(asOf && { asOf }) })
      return [data.marginBalance.dtbp, data.openCall.dayTradeCall].map(Number)
    }
    const { now } = (await service.alpha.sandbox.getClock({})).data
    const quote = { symbol: 'AAA', price: '10', priceType: 'LastClose', priceDate: now }
    await service.operations.operations.loadPrices({ lines: { ndjson: [quote] } })
    const [account, late] = [await newAccount(), await newAccount()]
    await book(account, { transType: 'Deposit', netAmount: '10000' })
    await close()
    const day = await book(account, { transType: 'Withdrawal', netAmount: '-6000' })
    // The purchase requires 7,500 before the deposit comes.
    const bought = { transType: 'Trade', buySell: 'BUY', symbol: 'AAA', quantity: '3000', price: '10' }
    await book(late, bought, { transType: 'Deposit', netAmount: '15000' })
    const [, deficit] = await startAndDeficit(late)
    assert.equal(deficit, 7_500)
    assert.deepEqual(await startAndDeficit(account), [40_000, 0])
    await close()
    assert.deepEqual(await startAndDeficit(account, day), [40_000, 0])
    assert.deepEqual(await startAndDeficit(account), [16_000, 0])
    const [, closedDeficit] = await startAndDeficit(late, day)
    assert.equal(closedDeficit, 7_500)
  })
})
