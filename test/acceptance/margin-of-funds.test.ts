/** Mutual funds, Treasuries and leveraged funds on margin: what a sale releases, and the sale that meets a call. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays, addMarketDays, isMarketDay } from '@clearing/domain/market'
import { buy, line, load, newAccount, proves, sell, service, startBeforeTests } from './booked-lines.ts'
import { goBeforeClose } from './close-of-day.ts'

startBeforeTests()

const margin = { acctType: '2' }
async function today() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function price(symbol: string, amount: string) {
  const { data: clock } = await service.alpha.sandbox.getClock({})
  const { data } = await service.operations.operations.loadPrices({
    lines: { ndjson: [{ symbol, price: amount, priceType: 'LastClose', priceDate: clock.now }] },
  })
  assert.deepEqual(data.rejects, [])
}
async function balance(accountNumber: string) {
  return (await service.alpha.balanceSummary({ accountNumber })).data
}
async function fed(accountNumber: string) {
  return Number((await balance(accountNumber)).openCall.federalCall)
}
function deposit(account: string, tradeDate: string, netAmount: string) {
  return line(account, { transType: 'Deposit', tradeDate, netAmount, ...margin })
}
async function loadSecurities() {
  await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'OPEN', secTypeName: 'Mutual Fund' },
        {
          symbol: 'TSY',
          secTypeName: 'US Treasury',
          priceDivisor: '100',
          maturityDate: '2090-11-30',
          couponRate: '4',
          couponFrequency: '2',
        },
        { symbol: 'TRI', secTypeName: 'Leveraged ETF 3x' },
      ],
    },
  })
}

describe('the sale that meets a maintenance call', () => {
  before(loadSecurities)
  test('is by the percentage of what the account holds, and meets the call', async () => {
    const [bonds, leveraged] = [await newAccount(), await newAccount()]
    const day = { tradeDate: await today(), ...margin }
    await price('TSY', '100')
    await price('TRI', '100')
    await load(
      deposit(bonds, day.tradeDate, '7000'),
      buy(bonds, 'TSY', 100_000, '100', { interest: '0', ...day }),
      deposit(leveraged, day.tradeDate, '8000'),
      buy(leveraged, 'TRI', 100, '100', day),
    )
    await price('TSY', '95')
    await price('TRI', '60')
    const callOf = async (account: string) =>
      (await balance(account)).calls.map(({ sellAmount }) => Number(sellAmount))
    // 95,000.00 require 6 %, 5,700.00, on equity of 2,000.00; 6,000.00 require 75 %, 4,500.00, on equity of 4,000.00.
    assert.deepEqual(await callOf(bonds), [61_666.67])
    assert.deepEqual(await callOf(leveraged), [666.67])
    await load(
      sell(bonds, 'TSY', 64_912, '95', { interest: '0', ...day }),
      sell(leveraged, 'TRI', 11, '60', day),
    )
    assert.equal(Number((await balance(bonds)).openCall.maintenanceCall), 0.02)
    assert.equal(Number((await balance(leveraged)).openCall.maintenanceCall), 5)
  })
})

/** The first business day on or after a day whose 31st and 32nd days after it are business days. */
function purchaseDay(from: string): string {
  let day = isMarketDay(from) ? from : addMarketDays(from, 1)
  while (!isMarketDay(addDays(day, 31)) || !isMarketDay(addDays(day, 32))) day = addMarketDays(day, 1)
  return day
}

describe('the redemption of a mutual fund', () => {
  test('releases all of what units of the last 30 days took, and half of what the close has released before', async () => {
    const bought = purchaseDay(await today())
    await goBeforeClose(service, bought)
    await price('OPEN', '10')
    await price('AAA', '12')
    const accounts = [await newAccount(), await newAccount(), await newAccount()]
    const [next, last, after] = accounts as [string, string, string]
    for (const account of accounts)
      await load(
        deposit(account, bought, '12000'),
        buy(account, 'OPEN', 1200, '10', { tradeDate: bought, ...margin }),
      )
    const redeemAndBuy = async (account: string, day: string, units: number) => {
      await goBeforeClose(service, day)
      assert.equal(await today(), day)
      const on = { tradeDate: day, ...margin }
      await load(sell(account, 'OPEN', units, '10', on), buy(account, 'AAA', (2 * units * 10) / 12, '12', on))
      return fed(account)
    }
    assert.equal(await redeemAndBuy(next, addMarketDays(bought, 1), 600), 0)
    assert.equal(await fed(next), 0)
    // The close of the 30th day still counts the units in full. That of the 31st has raised the SMA to half of them.
    assert.equal(await redeemAndBuy(last, addDays(bought, 31), 1200), 0)
    assert.equal(await redeemAndBuy(after, addDays(bought, 32), 1200), 0)
    assert.equal(Number((await balance(after)).availableWithdrawal.marginCashAvailability), 0)
    await proves(next)
  })
})
