/** The value of a position after a split or a change of name, until a price of the new units is known. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import {
  announced,
  book,
  buy,
  closeDay,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
  workIsDone,
} from './announced-actions.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
/** A closing price at the instant, or at the beginning of the day. */
async function price(symbol: string, value: string, at: string, more: { correctionId?: string } = {}) {
  const priceDate = at.length > 10 ? at : startOfEasternDay(at).toISOString()
  const lines = { ndjson: [{ symbol, price: value, priceType: 'LastClose', priceDate, ...more }] }
  assert.deepEqual((await operations().loadPrices({ lines })).data.rejects, [])
}
async function summaryOf(accountNumber: string, view: { asOf?: string; knownAt?: string } = {}) {
  const { data, message } = await service.alpha.positionSummary({ accountNumber, ...view })
  return {
    value: Number(data.totalAccountValue),
    call: Number(data.maintCallAmount),
    positions: data.portfolios.map((one) => [one.symbol, one.quantity, one.price, one.marketValue].join(' ')),
    message,
  }
}
async function marginOf(accountNumber: string) {
  const { data } = await service.alpha.balanceSummary({ accountNumber })
  return { sma: Number(data.marginBalance.sma), calls: data.calls.map(({ kind }) => kind) }
}
async function stalePrices() {
  const { data } = await operations().closeChecklist({})
  const detail = (named: string) =>
    data.checklist.find(({ item }) => item === named)?.detail.split(', ') ?? []
  return { stale: detail('StalePrices'), none: detail('NoPrice') }
}
function since(symbol: string): string {
  return `No price for ${symbol} since a corporate action: the last price before it counts, converted by its ratio.`
}

/** An account with 100 shares that were bought at 100 and are priced on the day before the open business day. */
async function holder(acctType = '1', deposit = '10000') {
  const day = await today()
  const [account, symbol] = [await newAccount(), await newSecurity()]
  await price(symbol, '100', addDays(day, -1))
  await book(
    { acctNo: account, acctType, transType: 'Deposit', netAmount: deposit, tradeDate: day },
    buy(account, symbol, '100', day, { acctType, price: '100' }),
  )
  return {
    account,
    symbol,
    day,
    line: (fields: Line) => book({ acctNo: account, acctType, symbol, tradeDate: day, ...fields }),
  }
}

describe('the price after', () => {
  type Row = [
    what: string,
    line: (other: string) => Line,
    position: (symbol: string, other: string) => string,
  ]
  const table: Row[] = [
    ['a split', () => ({ transType: 'Split', ratio: '2:1' }), (is) => `${is} 200 50 10000`],
    [
      'a split of which only the quantity is known',
      () => ({ transType: 'Split', quantity: '300' }),
      (is) => `${is} 400 25 10000`,
    ],
    ['a reverse split', () => ({ transType: 'Split', ratio: '1:10' }), (is) => `${is} 10 1000 10000`],
    ['a stock dividend', () => ({ transType: 'StockDividend', ratio: '1:4' }), (is) => `${is} 125 80 10000`],
    [
      'a change of name',
      (toSymbol) => ({ transType: 'NameChange', toSymbol }),
      (_, is) => `${is} 100 100 10000`,
    ],
    [
      'a reverse split into a new security',
      (toSymbol) => ({ transType: 'Split', toSymbol, ratio: '1:10' }),
      (_, is) => `${is} 10 1000 10000`,
    ],
    [
      'a merger for shares of a security without a price',
      (toSymbol) => ({ transType: 'Merger', toSymbol, ratio: '1:2' }),
      (_, is) => `${is} 50 200 10000`,
    ],
  ]
  for (const [what, lineOf, position] of table)
    test(`${what} keeps the value of what was held`, async () => {
      const { account, symbol, line } = await holder()
      const other = await newSecurity()
      const action = lineOf(other)
      const before = await summaryOf(account)
      assert.deepEqual([before.value, before.message], [10_000, 'Request successful.'])
      await line(action)
      const after = await summaryOf(account)
      const held = action.toSymbol === undefined ? symbol : other
      assert.deepEqual(after, { ...before, positions: [position(symbol, other)], message: since(held) })
      const listed = await stalePrices()
      assert.ok(listed.stale.includes(held) && !listed.none.includes(held), JSON.stringify(listed))
      await price(held, '7', await today())
      const priced = await summaryOf(account)
      assert.deepEqual([priced.message, priced.value < 3_000], ['Request successful.', true])
      assert.ok(!(await stalePrices()).stale.includes(held))
    })

  test('a split is the old one until the day of the split, and the new one from its first moment', async () => {
    const { account, symbol, day, line } = await holder()
    await line({ transType: 'Split', ratio: '2:1' })
    await price(symbol, '90', new Date(startOfEasternDay(day).getTime() - 1).toISOString())
    assert.deepEqual((await summaryOf(account)).positions, [`${symbol} 200 45 9000`])
    await price(symbol, '47', startOfEasternDay(day).toISOString())
    assert.deepEqual((await summaryOf(account)).positions, [`${symbol} 200 47 9400`])
  })

  test('a split is the old one as it was corrected', async () => {
    const { account, symbol, day, line } = await holder()
    await line({ transType: 'Split', ratio: '2:1' })
    await price(symbol, '80', addDays(day, -1), { correctionId: `FIX-${symbol}` })
    assert.deepEqual((await summaryOf(account)).positions, [`${symbol} 200 40 8000`])
  })

  test('a change of name and a later split is the one of the old security in the last units', async () => {
    const { account, line } = await holder()
    const other = await newSecurity()
    await line({ transType: 'NameChange', toSymbol: other })
    await line({ transType: 'Split', symbol: other, ratio: '4:1' })
    assert.deepEqual((await summaryOf(account)).positions, [`${other} 400 25 10000`])
  })

  test('a split moves in the new units in the sandbox', async () => {
    const { account, symbol, line } = await holder()
    const other = await newSecurity()
    await line({ transType: 'Split', ratio: '2:1' })
    await service.alpha.sandbox.movePrices({ percent: 10, symbols: [symbol] })
    assert.deepEqual((await summaryOf(account)).positions, [`${symbol} 200 55 11000`])
    // The last price before the day of the change is 100, which the split makes 50.
    await line({ transType: 'NameChange', toSymbol: other })
    await service.alpha.sandbox.movePrices({ percent: 20, symbols: [other] })
    assert.deepEqual((await summaryOf(account)).positions, [`${other} 200 60 12000`])
  })

  test('a split of the stock under a written option requires the same margin', async () => {
    const { symbol, day, line } = await holder()
    const terms = {
      secTypeName: 'Option',
      multiplier: '100',
      underlying: symbol,
      putCall: 'Put',
      expiration: '2037-12-18',
    }
    const option = await newSecurity({ ...terms, strike: '90' })
    const adjusted = await newSecurity({ ...terms, strike: '45' })
    await price(option, '4', addDays(day, -1))
    const writer = await newAccount()
    await book(
      { acctNo: writer, acctType: '2', transType: 'Deposit', netAmount: '5000', tradeDate: day },
      { ...buy(writer, option, '1', day, { acctType: '2', price: '4', secFee: '0' }), buySell: 'SEL' },
    )
    const required = async () => {
      const { data } = await service.alpha.balanceSummary({ accountNumber: writer })
      const [put] = data.marginRequirements
      const { equity, houseExcess, sma } = data.marginBalance
      return [put?.houseRequirement, equity, houseExcess, sma].map(Number)
    }
    // The premium of 400, and 20 % of 10,000 less the 1,000 by which the option is out of the money.
    assert.deepEqual(await required(), [1_400, 5_000, 4_000, 4_000])
    await closeDay()
    const tradeDate = await today()
    await line({ transType: 'Split', ratio: '2:1', tradeDate })
    const moved = { transType: 'Split', symbol: option, toSymbol: adjusted, ratio: '2:1', tradeDate }
    await book({ acctNo: writer, acctType: '2', ...moved })
    assert.deepEqual(await required(), [1_400, 5_000, 4_000, 4_000])
    await closeDay()
    assert.deepEqual(await required(), [1_400, 5_000, 4_000, 4_000])
  })

  test('a split counts on its day for an option on the stock in an account without a line of the split', async () => {
    const { symbol, day, line } = await holder()
    const terms = { secTypeName: 'Option', multiplier: '100', underlying: symbol, putCall: 'Put' }
    const option = await newSecurity({ ...terms, expiration: '2037-12-18', strike: '45' })
    await line({ transType: 'Split', ratio: '2:1' })
    const writer = await newAccount()
    await book(
      { acctNo: writer, acctType: '2', transType: 'Deposit', netAmount: '5000', tradeDate: day },
      { ...buy(writer, option, '1', day, { acctType: '2', price: '2', secFee: '0' }), buySell: 'SEL' },
    )
    await price(option, '2', addDays(day, -1))
    // 20 % of 5,000 less the 500 by which the option is out of the money. At 100.00 a share, it would be 450.
    assert.equal((await marginOf(writer)).sma, 4_500)
  })

  test('a cancelled split is the price of the feed', async () => {
    const { account, symbol, line } = await holder()
    const [tagNo] = await line({ transType: 'Split', ratio: '2:1' })
    await line({ cancelType: 'C', tagNo })
    const { positions, message } = await summaryOf(account)
    assert.deepEqual([positions, message], [[`${symbol} 100 100 10000`], 'Request successful.'])
    assert.ok(!(await stalePrices()).stale.includes(symbol))
  })

  test('an announced split counts from its lines on, for all holders', async () => {
    const { account, symbol, day } = await holder()
    const second = await newAccount()
    await book(buy(second, symbol, '10', addDays(day, -3)))
    await announced({
      symbol,
      type: 'Split',
      exDate: day,
      payDate: day,
      recordDate: addDays(day, -1),
      ratio: '5:1',
    })
    assert.deepEqual((await summaryOf(account)).positions, [`${symbol} 100 20 2000`])
    assert.deepEqual((await summaryOf(second)).positions, [`${symbol} 50 20 1000`])
  })
})

describe('a close before a price of the new units', () => {
  test('raises no SMA after a split, and issues no call after a change of name', async () => {
    const split = await holder('2', '5000')
    const named = await holder('2', '7000')
    const shorted = await holder('2', '20000')
    const other = await newSecurity()
    await book({
      ...buy(shorted.account, shorted.symbol, '50', shorted.day, {
        acctType: '3',
        price: '100',
        secFee: '0',
      }),
      buySell: 'SSL',
    })
    await split.line({ transType: 'Split', ratio: '2:1' })
    await named.line({ transType: 'NameChange', toSymbol: other })
    await book({
      acctNo: shorted.account,
      acctType: '3',
      symbol: shorted.symbol,
      tradeDate: shorted.day,
      transType: 'Split',
      ratio: '2:1',
    })
    await shorted.line({ transType: 'Split', ratio: '2:1' })
    const before = [
      await summaryOf(split.account),
      await summaryOf(named.account),
      await summaryOf(shorted.account),
    ]
    assert.deepEqual(
      before.map(({ value, call }) => [value, call]),
      [
        [5_000, 0],
        [7_000, 0],
        [20_000, 0],
      ],
    )
    for (const _ of [1, 2]) {
      await closeDay()
      assert.deepEqual(await marginOf(split.account), { sma: 0, calls: [] })
      assert.deepEqual(await marginOf(named.account), { sma: 2_000, calls: [] })
      assert.deepEqual((await marginOf(shorted.account)).calls, [])
      const now = [
        await summaryOf(split.account),
        await summaryOf(named.account),
        await summaryOf(shorted.account),
      ]
      assert.deepEqual(now, before)
    }
    await price(split.symbol, '50', await today())
    await closeDay()
    assert.deepEqual(await marginOf(split.account), { sma: 0, calls: [] })
  })

  test('is read again as it was, whatever arrives later, and the day before in its own units', async () => {
    const { account, symbol, day: dayBefore, line } = await holder()
    await closeDay()
    const day = await today()
    const [tagNo] = await line({ transType: 'Split', ratio: '2:1', tradeDate: day })
    await closeDay()
    const known = await summaryOf(account, { asOf: day })
    assert.deepEqual(known.positions, [`${symbol} 200 50 10000`])
    assert.deepEqual((await summaryOf(account, { asOf: dayBefore })).positions, [`${symbol} 100 100 10000`])
    await line({ cancelType: 'C', tagNo, tradeDate: undefined })
    await price(symbol, '60', day)
    assert.deepEqual(await summaryOf(account, { asOf: day }), known)
    const nowKnown = await summaryOf(account, { asOf: day, knownAt: 'now' })
    assert.deepEqual(nowKnown.positions, [`${symbol} 100 60 6000`])
    await workIsDone()
    const { data } = await operations().verifyBooks({})
    assert.deepEqual(data.breaks, [])
  })
})
