/** The calls for intraday margin deficits, from their day to the end of the fifteenth business day after it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { type Line, line, load, newAccount, service, startBeforeTests } from './booked-lines.ts'
import { goBeforeClose } from './close-of-day.ts'

startBeforeTests()

/** The day before the deficits. */
let start = ''
function day(count: number): string {
  return addMarketDays(start, count)
}

async function close(until: number) {
  for (;;) {
    const { businessDate } = (await service.alpha.sandbox.getClock({})).data
    if (businessDate > day(until)) return
    await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'A test.' } })
  }
}

const accounts = new Map<string, string>()
function of(name: string): string {
  return accounts.get(name) ?? ''
}
async function callsOf(name: string, view: { asOf?: string } = {}) {
  const { data } = await service.alpha.listCalls({ accountNumber: of(name), includeMet: true, ...view })
  return data.calls.filter(({ kind }) => kind === 'Intraday')
}
/** The state, the amount, and what is outstanding. */
async function stateOf(name: string, view: { asOf?: string } = {}) {
  return (await callsOf(name, view)).map(({ state, amount, outstanding }) => [
    state,
    Number(amount),
    Number(outstanding),
  ])
}
async function balances(name: string) {
  const { data } = await service.alpha.balanceSummary({ accountNumber: of(name) })
  const calls = data.calls.filter(({ kind }) => kind === 'Intraday')
  return {
    deficit: Number(data.openCall.dayTradeCall),
    calls: calls.map(({ issuedOn, dueBy, outstanding, sellOutOn }) => [
      issuedOn,
      dueBy,
      Number(outstanding),
      sellOutOn,
    ]),
  }
}
async function eventsOf(name: string) {
  const { data } = await service.alpha.listEvents({ accountNumber: of(name), types: ['call.*'] })
  return data.events.flatMap(({ type, data: about }) =>
    'kind' in about && about.kind === 'Intraday' ? [type] : [],
  )
}

function trade(buySell: string, symbol: string, quantity: number): Line {
  return { transType: 'Trade', buySell, symbol, quantity: String(quantity), price: '100', secFee: '0' }
}
function cash(netAmount: number): Line {
  return { transType: netAmount < 0 ? 'Withdrawal' : 'Deposit', netAmount: String(netAmount) }
}
async function book(name: string, tradeDate: string, ...lines: Line[]) {
  await load(...lines.map((fields) => line(of(name), { tradeDate, acctType: '2', ...fields })))
}
function dayTrade(quantity: number): Line[] {
  return [trade('BUY', 'NEXT', quantity), trade('SEL', 'NEXT', quantity)]
}

describe('an intraday margin deficit', () => {
  before(async () => {
    start = (await service.alpha.sandbox.getClock({})).data.businessDate
    await goBeforeClose(service, start)
    const { now: priceDate } = (await service.alpha.sandbox.getClock({})).data
    await service.operations.operations.loadSecurities({
      lines: { ndjson: ['NEXT', 'HELD'].map((symbol) => ({ symbol, secTypeName: 'Common Stock' })) },
    })
    const quotes = ['NEXT', 'HELD'].map((symbol) => {
      return { symbol, price: '100', priceType: 'LastClose', priceDate }
    })
    await service.operations.operations.loadPrices({ lines: { ndjson: quotes } })
    for (const name of ['unpaid', 'paid', 'returned', 'sold', 'cancelled', 'late', 'minor', 'fee']) {
      accounts.set(name, await newAccount())
      await book(name, start, cash(30_000), ...(name === 'sold' ? [trade('BUY', 'HELD', 800)] : []))
    }
    await close(0)
    await goBeforeClose(service, day(1))
    for (const name of ['unpaid', 'paid', 'returned', 'late']) await book(name, day(1), ...dayTrade(2_000))
    await book('sold', day(1), ...dayTrade(1_200))
    await book('minor', day(1), ...dayTrade(1_240))
    await book('fee', day(1), { transType: 'Fee', netAmount: '-30025' })
    const lines = dayTrade(2_000).map((fields, at) => ({ ...fields, externalId: `cancelled ${at}` }))
    await book('cancelled', day(1), ...lines)
  })

  test('is a call that the close of its day issues', async () => {
    const due = [day(1), day(6), 20_000, null]
    assert.deepEqual(await balances('unpaid'), { deficit: 20_000, calls: [due] })
    assert.deepEqual(await callsOf('unpaid'), [])
    await close(1)
    for (const name of ['unpaid', 'paid', 'sold', 'cancelled', 'late'])
      assert.deepEqual(await stateOf(name), [['Open', 20_000, 20_000]], name)
    assert.deepEqual(await stateOf('minor'), [['Open', 1_000, 1_000]])
    assert.deepEqual(await callsOf('fee'), [])
    assert.deepEqual(await balances('unpaid'), { deficit: 20_000, calls: [due] })
    assert.deepEqual(await eventsOf('unpaid'), ['call.issued'])
  })

  test('cannot be extended', async () => {
    const request = { accountNumber: of('unpaid'), kind: 'Intraday', issuedOn: day(1) } as const
    await assert.rejects(
      service.operations.operations.grantExtension({ ...request, until: day(8), reason: 'Late wire.' }),
      /ERR.1015|no extension/,
    )
  })

  test('is met by deposits or a higher level, and follows late lines and cancels', async () => {
    await book('sold', day(2), trade('SEL', 'HELD', 800))
    await book('late', start, cash(5_000))
    await book('paid', day(2), cash(19_999.99))
    await book('returned', day(2), { ...cash(20_000), externalId: 'returned 1' })
    for (const [at, fields] of dayTrade(2_000).entries())
      await book('cancelled', day(1), { ...fields, cancelType: 'C', tagNo: `cancelled ${at}` })
    await close(2)
    assert.deepEqual(await stateOf('sold'), [['Met', 20_000, 0]])
    assert.deepEqual(await stateOf('late'), [['Open', 15_000, 15_000]])
    assert.deepEqual(await stateOf('returned'), [['Met', 20_000, 0]])
    assert.deepEqual(await stateOf('cancelled'), [['Met', 0, 0]])
    assert.deepEqual(await stateOf('paid'), [['Open', 20_000, 0.01]])
    assert.deepEqual(await eventsOf('sold'), ['call.issued', 'call.met'])
    await book('paid', day(3), cash(0.01))
    await book('returned', day(2), { ...cash(20_000), cancelType: 'C', tagNo: 'returned 1' })
    await close(3)
    assert.deepEqual(await stateOf('returned'), [['Open', 20_000, 20_000]], 'the deposit never was')
    assert.deepEqual(await eventsOf('returned'), ['call.issued', 'call.met', 'call.issued'])
    assert.deepEqual(await stateOf('paid'), [['Met', 20_000, 0]])
    await book('paid', day(4), cash(-20_000))
    await close(4)
    assert.deepEqual(await stateOf('paid'), [['Met', 20_000, 0]], 'what is met stays met')
    assert.deepEqual(await stateOf('paid', { asOf: day(2) }), [['Open', 20_000, 0.01]])
  })

  test('counts for a practice from the close of the fifth business day, unless it is minor', async () => {
    const counted = async (name: string) => (await callsOf(name)).map((call) => call.unsatisfiedDeficits)
    await close(5)
    assert.deepEqual(await counted('unpaid'), [0])
    await close(6)
    assert.deepEqual(await counted('unpaid'), [1])
    assert.deepEqual(await counted('minor'), [0])
    assert.deepEqual(await counted('paid'), [0])
    await close(7)
    assert.deepEqual(
      (await callsOf('unpaid')).map(({ overdue }) => overdue),
      [true],
    )
    const { data } = await service.operations.operations.listWork({
      queues: ['Call'],
      accountNumber: of('unpaid'),
    })
    assert.deepEqual(
      data.work.map(({ call }) => [call?.kind, call?.unsatisfiedDeficits]),
      [['Intraday', 1]],
    )
  })

  test('ends at the close of the fifteenth business day', async () => {
    await close(15)
    assert.deepEqual(await stateOf('unpaid'), [['Open', 20_000, 20_000]])
    await close(16)
    assert.deepEqual(await stateOf('unpaid'), [['Ended', 20_000, 20_000]])
    assert.deepEqual(await balances('unpaid'), { deficit: 0, calls: [] })
    assert.deepEqual(await eventsOf('unpaid'), ['call.issued', 'call.ended'])
    assert.deepEqual(
      (await callsOf('unpaid')).map((call) => [call.metOn, call.unsatisfiedDeficits]),
      [[day(16), 1]],
    )
  })
})
