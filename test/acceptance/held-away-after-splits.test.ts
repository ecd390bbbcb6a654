/** The value of a position at another custodian after a split, until that custodian reports again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import {
  book,
  buy,
  closeDay,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

const fine = 'Request successful.'

async function price(symbol: string, value: string, day: string) {
  const priceDate = startOfEasternDay(day).toISOString()
  const lines = { ndjson: [{ symbol, price: value, priceType: 'LastClose', priceDate }] }
  assert.deepEqual((await service.operations.operations.loadPrices({ lines })).data.rejects, [])
}
async function report(acctNo: string, symbol: string, facts: Line) {
  const line = { acctNo, acctType: '1', symbol, custodian: 'Bayside Trust', cost: '900', ...facts }
  const { data } = await service.operations.operations.loadHeldAway({ lines: { ndjson: [line] } })
  assert.deepEqual(data.rejects, [])
}
async function awayOf(accountNumber: string, view: { asOf?: string; knownAt?: string } = {}) {
  const { data, message } = await service.alpha.positionSummary({ accountNumber, ...view })
  const { quantity, unrealizedGainLoss } =
    data.portfolios.find(({ symbol }) => symbol !== '') ?? assert.fail()
  return [Number(data.assetsHeldAway), Number(quantity), Number(unrealizedGainLoss.cost), message] as const
}

test('what was reported before a split counts in the units after it, and a later report as it is', async () => {
  const [before, split] = [await today(), addMarketDays(await today(), 1)]
  const [account, sameDay, holder, symbol] = [
    await newAccount(),
    await newAccount(),
    await newAccount(),
    await newSecurity(),
  ]
  const converted = `Held away, and reported before a split: ${symbol}. The quantity is converted by its ratio.`
  const carried = `No price for ${symbol} since a corporate action: the last price before it counts, converted by its ratio.`
  await price(symbol, '10', before)
  await report(account, symbol, { quantity: '60', asOfDate: before })
  await book(buy(holder, symbol, '100', before))
  assert.deepEqual(await awayOf(account), [600, 60, 900, fine])
  await closeDay()

  const [line = ''] = await book({
    acctNo: holder,
    transType: 'Split',
    symbol,
    ratio: '2:1',
    tradeDate: split,
  })
  assert.deepEqual(await awayOf(account), [600, 120, 900, `${carried} ${converted}`])
  await price(symbol, '5', split)
  await report(sameDay, symbol, { quantity: '130', asOfDate: split })
  await closeDay()
  assert.deepEqual(await awayOf(account), [600, 120, 900, converted])
  assert.deepEqual(await awayOf(sameDay), [650, 130, 900, fine])
  await report(account, symbol, { quantity: '110', asOfDate: await today() })
  await closeDay()
  assert.deepEqual(await awayOf(account), [550, 110, 900, fine])

  // The day before the split has the units of before, and the day of the split is as it was known.
  assert.deepEqual(await awayOf(account, { asOf: before }), [600, 60, 900, fine])
  assert.deepEqual(await awayOf(account, { asOf: split }), [600, 120, 900, converted])
  await book({ acctNo: holder, cancelType: 'C', tagNo: line })
  assert.deepEqual(await awayOf(account, { asOf: split }), [600, 120, 900, converted])
  assert.deepEqual(await awayOf(account, { asOf: split, knownAt: 'now' }), [300, 60, 900, fine])
})

test('a change of name, and the split of the new security, leave a report of the former one as it is', async () => {
  const day = await today()
  const [account, holder, symbol, renamed] = [
    await newAccount(),
    await newAccount(),
    await newSecurity(),
    await newSecurity(),
  ]
  await price(symbol, '10', day)
  await report(account, symbol, { quantity: '60', asOfDate: day })
  await book(buy(holder, symbol, '100', day))
  await closeDay()
  const tradeDate = await today()
  await book(
    { acctNo: holder, transType: 'NameChange', symbol, toSymbol: renamed, tradeDate },
    { acctNo: holder, transType: 'Split', symbol: renamed, ratio: '2:1', tradeDate },
  )
  assert.deepEqual(await awayOf(account), [600, 60, 900, fine])
})
