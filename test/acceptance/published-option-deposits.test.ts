/**
 * The deposits that Cboe published for positions with options (Margin Requirement Examples for Sample Options-based
 * Positions, close of 2007-02-23: IBM at 97.73). Such a deposit causes no call, and a cent less causes one of a cent.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationFor } from './applications.ts'
import { line, load, service, startBeforeTests } from './booked-lines.ts'
import { openAndFollow } from './calling.ts'

const stock = 'IBM9773'
const contracts = 100
const traded = { IBM9773: '97.73', C95: '4.53', C100: '1.68', C105: '0.40', P95: '1.02', P100: '3.18' }
type Leg = `${'+' | '-'}${keyof typeof traded}`

const published: readonly [string, readonly Leg[], string][] = [
  ['a call', ['-C100'], '172760.00'],
  ['a put', ['-P100'], '195460.00'],
  ['a covered call', ['+IBM9773', '-C100'], '471850.00'],
  ['a protective put', ['+IBM9773', '+P95'], '498850.00'],
  ['a synthetic long', ['+C100', '-P100'], '212260.00'],
  ['a risk reversal', ['+P95', '-C105'], '132960.00'],
  ['a collar', ['+IBM9773', '+P95', '-C105'], '494850.00'],
  ['a vertical call spread', ['+C95', '-C105'], '41300.00'],
]

let today = ''
startBeforeTests(async () => {
  today = (await service.alpha.sandbox.getClock({})).data.businessDate
  const { loadSecurities, loadPrices } = service.operations.operations
  const options = Object.keys(traded).filter((symbol) => symbol !== stock)
  const terms = options.map((symbol) => ({
    symbol,
    secTypeName: 'Option',
    underlying: stock,
    putCall: symbol.startsWith('C') ? 'Call' : 'Put',
    strike: symbol.slice(1),
    expiration: '2037-12-18',
  }))
  await loadSecurities({ lines: { ndjson: [{ symbol: stock, secTypeName: 'Common Stock' }, ...terms] } })
  const priceDate = '2026-01-02T21:00:00Z'
  const prices = Object.entries(traded).map(([symbol, price]) => ({
    symbol,
    price,
    priceType: 'LastClose',
    priceDate,
  }))
  const { data } = await loadPrices({ lines: { ndjson: prices } })
  assert.deepEqual(data.rejects, [])
})

async function callOf(legs: readonly Leg[], deposit: string): Promise<string> {
  const account = await openAndFollow(
    service.alpha,
    applicationFor('Individual', { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  const of = { tradeDate: today, acctType: '2' }
  const trades = legs.map((leg) => {
    const symbol = leg.slice(1) as keyof typeof traded
    const isWritten = leg.startsWith('-')
    return line(account, {
      ...{ ...of, transType: 'Trade', buySell: isWritten ? 'SEL' : 'BUY', symbol, price: traded[symbol] },
      quantity: String(symbol === stock ? contracts * 100 : contracts),
      ...(isWritten && { secFee: '0' }),
    })
  })
  await load(line(account, { ...of, transType: 'Deposit', netAmount: deposit }), ...trades)
  const { data } = await service.alpha.balanceSummary({ accountNumber: account })
  return Number(data.openCall.federalCall).toFixed(2)
}

for (const [name, legs, deposit] of published) {
  test(`the deposit for ${name} is the published ${deposit}`, async () => {
    const less = (Number(deposit) - 0.01).toFixed(2)
    assert.deepEqual([await callOf(legs, deposit), await callOf(legs, less)], ['0.00', '0.01'])
    assert.equal(await callOf(legs.toReversed(), less), '0.01', 'in any order')
  })
}
