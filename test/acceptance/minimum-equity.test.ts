/** 2,000 of equity is asked for after written options and withdrawals, and for leverage within the day. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marginApplication, newTaxId } from './applications.ts'
import { line, load, service, startBeforeTests } from './booked-lines.ts'
import { openAndFollow } from './calling.ts'

const stock = 'MINEQ'
const traded: Readonly<Record<string, string>> = {
  MINEQ: '10',
  MQC10: '1.50',
  MQC12: '1',
  MQP10: '1',
  MQP8: '0.40',
}

async function businessDay() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function loadPricesOf(prices: Readonly<Record<string, string>>, priceDate: string) {
  const ndjson = Object.entries(prices).map(([symbol, price]) => {
    return { symbol, price, priceType: 'LastClose', priceDate }
  })
  const { data } = await service.operations.operations.loadPrices({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
}
startBeforeTests(async () => {
  const terms = Object.keys(traded).filter((symbol) => symbol !== stock)
  const options = terms.map((symbol) => ({
    symbol,
    secTypeName: 'Option',
    underlying: stock,
    putCall: symbol[2] === 'C' ? 'Call' : 'Put',
    strike: symbol.slice(3),
    expiration: '2037-12-18',
  }))
  const ndjson = [{ symbol: stock, secTypeName: 'Common Stock' }, ...options]
  await service.operations.operations.loadSecurities({ lines: { ndjson } })
  await loadPricesOf(traded, '2026-01-02T21:00:00Z')
})

/** An account with a deposit of the day and trades such as `-MQC12`, one contract or the given number of shares. */
async function accountWith(netAmount: string, legs: readonly string[] = [], shares = 100) {
  const account = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: newTaxId() }))
  const of = { tradeDate: await businessDay(), acctType: '2' }
  const trades = legs.map((leg) => {
    const symbol = leg.slice(1)
    const [buySell, charges] = leg.startsWith('-') ? ['SEL', { secFee: '0' }] : ['BUY', {}]
    const quantity = String(symbol === stock ? shares : 1)
    return line(account, {
      ...of,
      transType: 'Trade',
      buySell,
      symbol,
      price: traded[symbol],
      quantity,
      ...charges,
    })
  })
  await load(line(account, { ...of, transType: 'Deposit', netAmount }), ...trades)
  return account
}
async function balanceOf(accountNumber: string) {
  return (await service.alpha.balanceSummary({ accountNumber })).data
}
async function callOf(accountNumber: string) {
  return Number((await balanceOf(accountNumber)).openCall.federalCall).toFixed(2)
}
async function withdraw(account: string, amount: string) {
  const tradeDate = await businessDay()
  await load(line(account, { tradeDate, acctType: '2', transType: 'Withdrawal', netAmount: `-${amount}` }))
}

describe('options that are written leave 2,000 of equity', () => {
  const table: [what: string, deposit: string, legs: string[], call: string][] = [
    ['a call', '2000', ['-MQC12'], '0.00'],
    ['a call', '1999.99', ['-MQC12'], '0.01'],
    ['a call', '700', ['-MQC12'], '1300.00'],
    ['a put', '1999.99', ['-MQP10'], '0.01'],
    ['a spread with a risk', '500', ['-MQP10', '+MQP8'], '1500.00'],
    ['a spread that is paid in full', '500', ['+MQC10', '-MQC12'], '0.00'],
    ['a covered call', '1000', ['+MINEQ', '-MQC12'], '0.00'],
    ['a bought option', '500', ['+MQC12'], '0.00'],
  ]
  for (const [what, deposit, legs, call] of table)
    test(`${what} with ${deposit}: a call of ${call}`, async () => {
      assert.equal(await callOf(await accountWith(deposit, legs)), call)
    })
})

test('a withdrawal beside a debit leaves 2,000 of equity, and the call for the rest is met by a deposit', async () => {
  const [kept, below, small] = [
    await accountWith('3000', [`+${stock}`], 350),
    await accountWith('3000', [`+${stock}`], 350),
    await accountWith('1600', [`+${stock}`], 160),
  ]
  const { data } = await service.alpha.positionSummary({ accountNumber: kept })
  assert.equal(Number(data.marginCashAvailable), 1000)
  await withdraw(kept, '1000')
  await withdraw(below, '1200')
  assert.deepEqual([await callOf(kept), await callOf(below), await callOf(small)], ['0.00', '200.00', '0.00'])
  const issuedOn = await businessDay()
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
  // A fall of the market below 2,000 asks for nothing more.
  const day = await businessDay()
  await loadPricesOf({ [stock]: '9.50' }, `${issuedOn}T23:59:00Z`)
  assert.deepEqual([await callOf(kept), await callOf(below), await callOf(small)], ['0.00', '200.00', '0.00'])
  const { calls } = (await service.alpha.listCalls({ accountNumber: below })).data
  assert.deepEqual(
    calls.map(({ kind, issuedOn: on, outstanding }) => [kind, on, Number(outstanding)]),
    [['Fed', issuedOn, 200]],
  )
  await load(line(below, { tradeDate: day, acctType: '2', transType: 'Deposit', netAmount: '200' }))
  assert.equal(await callOf(below), '0.00')
})

test('below 2,000 of equity, what can be bought within the day is paid in full', async () => {
  const within = async (account: string) => {
    const { dayTradeBuyingPower, dtbp } = (await balanceOf(account)).marginBalance
    return [dayTradeBuyingPower, dtbp].map(Number)
  }
  const [less, enough] = [await accountWith('1999.99'), await accountWith('2000')]
  const invested = await accountWith('1000', [`+${stock}`], 80)
  assert.deepEqual(await within(less), [1999.99, 1999.99])
  assert.deepEqual(await within(enough), [8000, 8000])
  assert.equal((await within(invested))[0], 200)
})
