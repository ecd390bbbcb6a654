/** Options on a stock that was split, until their contracts are adjusted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import {
  announced,
  book,
  booksHold,
  buy,
  closeDay,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'
import { contract, marginOf, price, write } from './written-on-stock.ts'

startBeforeTests()

/** A stock at 100 with a call of strike 100, and an account with 200 shares and ten calls, two of them covered. */
async function writer() {
  const day = await today()
  const [account, symbol] = [await newAccount(), await newSecurity()]
  const option = await contract(symbol, '100')
  await price(symbol, '100', addDays(day, -1))
  await price(option, '5', addDays(day, -1))
  await book(
    { acctNo: account, acctType: '2', transType: 'Deposit', netAmount: '30000', tradeDate: day },
    buy(account, symbol, '200', day, { acctType: '2', price: '100' }),
    write(account, option, '10', day, '5'),
  )
  return { account, symbol, option, day }
}

test('a written option requires the same before and after the split of its stock until it is adjusted, with a break', async () => {
  const { account, symbol, option } = await writer()
  const before = await marginOf(account)
  // 10,000 for the shares, and for each of 8 uncovered calls 20 % of 10,000, less what covers the others in the money.
  assert.deepEqual(before, { figures: [30_000, 25_000, 10_000, 5_000], breaks: [] })
  await closeDay()
  const tradeDate = await today()
  await announced({ symbol, type: 'Split', exDate: tradeDate, payDate: addDays(tradeDate, 5), ratio: '2:1' })
  assert.deepEqual(await marginOf(account), before)
  await closeDay()
  const waiting = { ...before, breaks: [`ActionMissed ${option}`] }
  assert.deepEqual(await marginOf(account), waiting)
  await closeDay()
  assert.deepEqual(await marginOf(account), waiting)
  const { data } = await service.alpha.positionSummary({ accountNumber: account, asOf: tradeDate })
  assert.equal(Number(data.totalAccountValue), 30_000)
  const adjusted = await contract(symbol, '50')
  await price(adjusted, '2.5', addDays(tradeDate, -1))
  const line = { transType: 'Split', symbol: option, toSymbol: adjusted, ratio: '2:1', tradeDate }
  await book({ acctNo: account, acctType: '2', ...line })
  assert.deepEqual(await marginOf(account), before)
  await closeDay()
  assert.deepEqual(await marginOf(account), before)
  await booksHold()
})

test('an option that is opened on the day of the split, before its line or after it, has the strike of the new units', async () => {
  const figures: unknown[] = []
  for (const isBefore of [true, false]) {
    const { account: holder, symbol } = await writer()
    const put = await contract(symbol, '45', { putCall: 'Put' })
    await closeDay()
    const day = await today()
    await price(put, '2', addDays(day, -1))
    const account = await newAccount()
    const trades = [
      { acctNo: account, acctType: '2', transType: 'Deposit', netAmount: '5000', tradeDate: day },
      write(account, put, '1', day, '2'),
    ]
    const split = { acctNo: holder, acctType: '2', transType: 'Split', symbol, ratio: '2:1', tradeDate: day }
    if (isBefore) await book(...trades)
    await book(split)
    if (!isBefore) await book(...trades)
    await closeDay()
    figures.push(await marginOf(account))
  }
  // 20 % of 5,000 less the 500 by which the option is out of the money.
  const usual = { figures: [5_000, 500, 4_500, 4_500], breaks: [] }
  assert.deepEqual(figures, [usual, usual])
})
