/** Shares of an announced action between its ex-date and its pay date: they are owned, and have not settled. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import {
  amended,
  announced,
  book,
  booksHold,
  buy,
  cancelled,
  closeDay,
  entitlementsOf,
  type Line,
  linesInShort,
  linesOf,
  newAccount,
  newSecurity,
  positionsOf,
  service,
  startBeforeTests,
  stateOf,
  today,
} from './announced-actions.ts'
import { goBeforeClose } from './close-of-day.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
/** Moves the clock into the business day, and loads closing prices of its beginning. */
async function prices(values: Readonly<Record<string, string>>) {
  const { businessDate, now } = (await service.alpha.sandbox.getClock({})).data
  if (now < startOfEasternDay(businessDate).toISOString()) await goBeforeClose(service, businessDate)
  const priceDate = startOfEasternDay(await today()).toISOString()
  const ndjson = Object.entries(values).map(([symbol, price]) => ({
    ...{ symbol, price, priceType: 'LastClose', priceDate },
  }))
  assert.deepEqual((await operations().loadPrices({ lines: { ndjson } })).data.rejects, [])
}
async function newHolder(symbol: string, deposit: string, quantity: string, price: string) {
  const account = await newAccount()
  const tradeDate = await today()
  await book(
    { acctNo: account, acctType: '2', transType: 'Deposit', netAmount: deposit, tradeDate },
    buy(account, symbol, quantity, tradeDate, { acctType: '2', price }),
  )
  return account
}
async function figuresOf(accountNumber: string) {
  const [summary, balance, breaks] = await Promise.all([
    service.alpha.positionSummary({ accountNumber }),
    service.alpha.balanceSummary({ accountNumber }),
    operations().listBreaks({ accountNumber }),
  ])
  const { equity, sma } = balance.data.marginBalance
  return {
    value: Number(summary.data.totalAccountValue),
    equity: Number(equity),
    sma: Number(sma),
    buyingPower: Number(summary.data.buyingPower),
    calls: balance.data.calls.map(({ kind, outstanding }) => `${kind} ${outstanding}`),
    breaks: breaks.data.breaks.map(({ kind }) => kind).filter((kind) => kind !== 'NotEntitled'),
  }
}
/** The first business day of a test, and the days after it. */
async function days() {
  const first = await today()
  return (count: number) => (count === 0 ? first : addMarketDays(first, count))
}

test('a reverse split has the figures of an account without it on each day from before the ex-date to after the pay date', async () => {
  const [symbol, other] = [await newSecurity(), await newSecurity()]
  const day = await days()
  await prices({ [symbol]: '20', [other]: '20' })
  const holder = await newHolder(symbol, '20000', '1000', '20')
  const unsplit = await newHolder(other, '20000', '1000', '20')
  const id = await announced({ type: 'Split', symbol, recordDate: day(1), payDate: day(3), ratio: '1:10' })
  const { data } = await service.alpha.listCorporateActions({ corporateActionId: id })
  assert.deepEqual([data.corporateActions[0]?.exDate, data.corporateActions[0]?.bookedOn], [day(1), day(1)])
  const usual = await figuresOf(unsplit)
  assert.deepEqual([usual.equity, usual.sma, usual.calls, usual.breaks], [20_000, 10_000, [], []])
  assert.deepEqual(
    [await positionsOf(holder), await figuresOf(holder)],
    [[`${symbol} 1000 for 20000.00`], usual],
  )
  for (const at of [1, 2, 3, 4]) {
    await closeDay()
    assert.equal(await today(), day(at))
    assert.deepEqual(
      [await positionsOf(holder), await stateOf(id)],
      [[`${symbol} 100 for 20000.00`], 'Booked'],
    )
    assert.deepEqual(await figuresOf(holder), usual)
    await prices({ [symbol]: '200', [other]: '20' })
    assert.deepEqual(await figuresOf(holder), usual)
  }
  const line = (await linesOf(holder)).find(({ transType }) => transType === 'Split')
  assert.deepEqual([line?.tradeDate, line?.settleDate], [day(1), day(3)])
  await booksHold()
})

test('the shares of a spin-off secure the account from the ex-date on, and who sells them is not short', async () => {
  const [symbol, spun] = [await newSecurity(), await newSecurity()]
  const day = await days()
  await prices({ [symbol]: '100' })
  const holder = await newHolder(symbol, '10000', '200', '100')
  const seller = await newHolder(symbol, '10000', '200', '100')
  const terms = { type: 'Spinoff', symbol, toSymbol: spun, ratio: '1:1', costShare: '0.4' }
  await announced({ ...terms, exDate: day(1), payDate: day(3) })
  await closeDay()
  await prices({ [symbol]: '60', [spun]: '40' })
  await book(buy(seller, spun, '200', day(1), { buySell: 'SEL', price: '40', acctType: '2', secFee: '0' }))
  for (const at of [1, 2, 3, 4]) {
    const { value, equity, calls, breaks } = await figuresOf(holder)
    assert.deepEqual([value, equity, calls, breaks], [10_000, 10_000, [], []], day(at))
    const ofSeller = await figuresOf(seller)
    assert.deepEqual([ofSeller.value, ofSeller.calls, ofSeller.breaks], [10_000, [], []], day(at))
    await closeDay()
  }
  assert.deepEqual(await positionsOf(seller), [`${symbol} 200 for 12000.00`])
  await booksHold()
})

test('cash for a fraction counts with its shares, and is not settled before the pay date', async () => {
  const symbol = await newSecurity()
  const day = await days()
  await prices({ [symbol]: '10' })
  const holder = await newAccount()
  await book(buy(holder, symbol, '15', day(0)))
  const terms = { type: 'StockDividend', symbol, ratio: '1:10', cashInLieuPrice: '9' }
  await announced({ ...terms, exDate: day(2), payDate: day(4) })
  const seen: unknown[] = []
  for (const _ of [1, 2, 3, 4, 5]) {
    await closeDay()
    const { data } = await service.alpha.positionSummary({ accountNumber: holder })
    const { rows } = await service.query(
      `select coalesce(sum(amount), 0)::text as amount from clearing.unsettled where account_number = $1`,
      [holder],
    )
    seen.push([await linesInShort(holder), Number(data.totalCash), Number(rows[0].amount)])
  }
  const line = `StockDividend ${day(2)} 4.50`
  assert.deepEqual(seen, [
    [[], -150, -150],
    [[line], -145.5, 4.5],
    [[line], -145.5, 4.5],
    [[line], -145.5, 4.5],
    [[line], -145.5, 0],
  ])
  await booksHold()
})

describe('the lines wait for the pay date', () => {
  const kinds: [what: string, terms: (to: string, deadline: string) => Line, line: string][] = [
    [
      'of a merger that pays cash',
      (toSymbol) => ({ type: 'Merger', toSymbol, ratio: '1:1', cashPerShare: '1' }),
      'Merger',
    ],
    [
      'of shares that were chosen',
      (_, deadline) => ({
        type: 'StockDividend',
        deadline,
        defaultOption: 'Shares',
        options: [{ option: 'Shares', ratio: '1:10' }],
      }),
      'StockDividend',
    ],
  ]
  for (const [what, terms, line] of kinds)
    test(what, async () => {
      const [symbol, other] = [await newSecurity(), await newSecurity()]
      const day = await days()
      const holder = await newAccount()
      await book(buy(holder, symbol, '100', day(0)))
      const id = await announced({ ...terms(other, day(1)), symbol, exDate: day(1), payDate: day(3) })
      for (const at of [1, 2]) {
        await closeDay()
        assert.deepEqual([await stateOf(id), await linesInShort(holder)], ['Announced', []], day(at))
      }
      await closeDay()
      assert.equal(await stateOf(id), 'Booked')
      assert.match((await linesInShort(holder)).join(), new RegExp(`^${line} ${day(1)}`))
      await booksHold()
    })
})

describe('between the ex-date and the pay date', () => {
  test('trades do not change who is entitled, an amendment books anew, and a cancel takes the shares back', async () => {
    const symbol = await newSecurity()
    const day = await days()
    const [holder, buyer] = [await newAccount(), await newAccount()]
    await book(buy(holder, symbol, '100', day(0)))
    const terms = { type: 'StockDividend', symbol, exDate: day(1), payDate: day(4) }
    const id = await announced({ ...terms, ratio: '1:10' })
    await closeDay()
    await book(
      buy(holder, symbol, '110', day(1), { buySell: 'SEL', secFee: '0' }),
      buy(buyer, symbol, '110', day(1)),
    )
    await closeDay()
    assert.deepEqual(
      [await positionsOf(holder), await positionsOf(buyer)],
      [[], [`${symbol} 110 for 1100.00`]],
    )
    await amended(id, { ...terms, ratio: '1:5' })
    assert.deepEqual(await positionsOf(holder), [`${symbol} 10 for 83.33`])
    await amended(id, { ...terms, exDate: day(3), ratio: '1:5' })
    assert.deepEqual([await stateOf(id), await linesInShort(holder)], ['Announced', []])
    await cancelled(id)
    await book(buy(holder, symbol, '10', day(2)))
    await closeDay()
    await closeDay()
    assert.deepEqual([await positionsOf(holder), await linesInShort(holder)], [[], []])
    assert.deepEqual(await positionsOf(buyer), [`${symbol} 110 for 1100.00`])
    await booksHold()
  })

  test('an announcement of an earlier release is booked on its ex-date', async () => {
    const symbol = await newSecurity()
    const day = await days()
    const holder = await newAccount()
    await book(buy(holder, symbol, '100', day(0)))
    const id = await announced({ type: 'Split', symbol, exDate: day(1), payDate: day(3), ratio: '2:1' })
    await service.query(`update clearing.announcement set book_on = pay_date where external_id = $1`, [id])
    await closeDay()
    assert.deepEqual(
      [await stateOf(id), await positionsOf(holder)],
      ['Booked', [`${symbol} 200 for 1000.00`]],
    )
  })

  test('a line that the feed sends for one holder is no missed action of the others', async () => {
    const symbol = await newSecurity()
    const day = await days()
    const [one, other] = [await newAccount(), await newAccount()]
    await book(buy(one, symbol, '100', day(0)), buy(other, symbol, '100', day(0)))
    const id = await announced({
      type: 'ReturnOfCapital',
      symbol,
      exDate: day(1),
      payDate: day(3),
      cashPerShare: '1',
    })
    const tradeDate = day(1)
    await closeDay()
    await book({
      acctNo: one,
      transType: 'ReturnOfCapital',
      symbol,
      netAmount: '100',
      tradeDate,
      settleDate: day(3),
    })
    for (const at of [1, 2, 3]) {
      assert.deepEqual((await figuresOf(other)).breaks, [], day(at))
      await closeDay()
    }
    assert.deepEqual((await entitlementsOf(id)).map(({ state }) => state).sort(), ['Booked', 'ByFeed'])
    assert.deepEqual((await figuresOf(other)).breaks, [])
  })
})
