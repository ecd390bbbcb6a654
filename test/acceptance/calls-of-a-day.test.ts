/**
 * The calls of a day do not depend on the order of its lines (12 CFR 220.4(c)(1), FINRA Rule 4210(b)), through the
 * sdk.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buy, type Line, line, load, newAccount, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

const day = '2025-03-03'

/** Loads the lines of a day in both orders, each into an account of its own. Returns the Federal calls of the day. */
async function callsOf(deposit: string, trades: (account: string) => Line[]): Promise<number[]> {
  const calls: number[] = []
  for (const order of ['as they are', 'reversed']) {
    const account = await newAccount()
    const lines = trades(account)
    await load(
      line(account, { transType: 'Deposit', acctType: '2', netAmount: deposit }),
      ...(order === 'reversed' ? lines.toReversed() : lines),
    )
    await service.operations.operations.loadPrices({
      lines: {
        ndjson: ['AAA', 'BBB'].map((symbol) => ({
          symbol,
          price: '10',
          priceType: 'LastClose',
          priceDate: `${day}T19:00:00Z`,
        })),
      },
    })
    const { data } = await service.alpha.positionSummary({ accountNumber: account, asOf: day })
    calls.push(Number(data.fedCallAmount))
  }
  return calls
}

const margin = { acctType: '2' }
const short = { acctType: '3', buySell: 'SSL', secFee: '0' }

test('all purchases of a day below 2,000 are paid in full, whichever comes last', async () => {
  const calls = await callsOf('750', (account) => [
    buy(account, 'AAA', 150, '10', margin),
    buy(account, 'BBB', 1, '10', margin),
  ])
  assert.deepEqual(calls, [760, 760])
})

test('a short sale requires 2,000 although a small purchase comes after it', async () => {
  const calls = await callsOf('1000', (account) => [
    buy(account, 'AAA', 10, '10', short),
    buy(account, 'BBB', 1, '10', margin),
  ])
  assert.deepEqual(calls, [1000, 1000])
})

test('a deposit meets the call once, before the trade and after it', async () => {
  const calls = await callsOf('1000', (account) => [
    buy(account, 'AAA', 160, '10', margin),
    line(account, { transType: 'Deposit', acctType: '2', netAmount: '50' }),
  ])
  assert.deepEqual(calls, [550, 550])
})

test('a withdrawal increases the call of the day, before the trade and after it', async () => {
  const calls = await callsOf('5000', (account) => [
    buy(account, 'AAA', 1000, '10', margin),
    line(account, { transType: 'Withdrawal', acctType: '2', netAmount: '-300' }),
  ])
  assert.deepEqual(calls, [300, 300])
})
