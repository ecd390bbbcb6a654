/** Views of the books without values through the sdk: activity, calls and the stock record as of a day. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { operations as contract } from '@clearing/protocol'
import { marginApplication } from './applications.ts'
import { openAndFollow, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

type Line = Record<string, unknown>
function operations() {
  return service.operations.operations
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function closeDay() {
  const { data } = await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
  return data.closedDate
}
async function security(symbol: string, price: string) {
  const { data } = await operations().loadSecurities({
    lines: { ndjson: [{ symbol, secTypeName: 'Common Stock' }] },
  })
  assert.equal(data.accepted, 1)
  await priced(symbol, price, '2026-01-02')
}
async function priced(symbol: string, price: string, day: string) {
  const line = { symbol, price, priceType: 'LastClose', priceDate: `${day}T15:00:00Z` }
  assert.equal((await operations().loadPrices({ lines: { ndjson: [line] } })).data.accepted, 1)
}
let ids = 0
function line(acctNo: string, fields: Line): Line {
  ids += 1
  return { externalId: `V${ids}`, acctNo, ...fields }
}
function buy(acctNo: string, symbol: string, quantity: string, fields: Line): Line {
  return line(acctNo, { transType: 'Trade', buySell: 'BUY', symbol, quantity, price: '10', ...fields })
}
async function load(...ndjson: Line[]) {
  assert.deepEqual((await operations().loadActivity({ lines: { ndjson } })).data.rejects, [])
}
const range = { dateFrom: '2026-01-01', dateTo: '2029-12-31' }

describe('activity as of a day', () => {
  test('is the activity known at its close, whatever came later; for another day, the activity known now', async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    await security('ACT', '10')
    const seen = async (view: Line) => {
      const both = await Promise.all([
        service.alpha.tradeActivity({ accountNumber, ...range, ...view }),
        service.alpha.nonTradeActivity({ accountNumber, ...range, ...view }),
      ])
      return both.flatMap(({ data }) => data.activity)
    }
    const ids = async (view: Line) =>
      (await seen(view)).map(({ tagNo, cancel, netAmount }) => `${tagNo} ${cancel} ${netAmount}`)
    const first = await businessDate()
    const kept = buy(accountNumber, 'ACT', '1', { tradeDate: '2026-01-05' })
    const gone = buy(accountNumber, 'ACT', '2', { tradeDate: '2026-01-07' })
    const paid = line(accountNumber, { transType: 'Deposit', netAmount: '9', tradeDate: '2026-01-07' })
    await load(kept, gone, paid)
    await closeDay()
    const closed = await seen({ asOf: first })
    const is = (one: Line, amount: number) => `${one.externalId} N ${amount}`
    const due = [is(kept, -10), is(gone, -20), is(paid, 9)]
    assert.deepEqual(await ids({ asOf: first }), due)

    const late = buy(accountNumber, 'ACT', '3', { tradeDate: '2026-01-06' })
    const cancel = line(accountNumber, { cancelType: 'C', tagNo: gone.externalId })
    await load(late, cancel)
    assert.deepEqual(await seen({ asOf: first }), closed)
    assert.deepEqual(await seen({ asOf: first, knownAt: first }), closed)
    assert.deepEqual(await seen({ knownAt: first }), closed)
    const all = [...due, is(late, -30), `${gone.externalId} Y 20`].sort()
    assert.deepEqual((await ids({ asOf: first, knownAt: 'now' })).sort(), all)
    assert.deepEqual((await ids({})).sort(), all)
    // A day before the first close: the lines for it, and only their cancels.
    assert.deepEqual(await ids({ asOf: '2026-01-06' }), [is(kept, -10), is(late, -30)])
    assert.deepEqual(await ids({ asOf: '2026-01-06', knownAt: first }), [is(kept, -10)])
    assert.deepEqual((await ids({ asOf: '2026-01-07' })).sort(), all)
    assert.deepEqual(await ids({ asOf: '2026-01-04' }), [])
    for (const asOf of ['2026-01-05', '2026-01-06', '2026-01-07', first]) {
      const { data } = await service.alpha.positionSummary({ accountNumber, asOf })
      const sum = (await seen({ asOf })).reduce((total, { netAmount }) => total + Number(netAmount), 0)
      assert.equal(Number(data.totalCash), sum, asOf)
    }
  })
})

describe('a rebill for another day than its original', () => {
  const held = async (accountNumber: string, view: Line) => {
    const { data } = await service.alpha.positionDetail({ accountNumber, ...view })
    return data.portfolios.map((lot) => [
      ...[
        lot.symbol,
        lot.quantity,
        lot.unrealizedGainLoss.cost,
        lot.unrealizedGainLoss.openDate.slice(0, 10),
      ],
      lot.unrealizedGainLoss.recon,
    ])
  }
  const activityOf = async (accountNumber: string, view: Line) => {
    const { data } = await service.alpha.tradeActivity({ accountNumber, ...range, ...view })
    return data.activity.map(({ quantity, netAmount, rebill, closings }) => [
      ...[Number(quantity), Number(netAmount), rebill, closings],
    ])
  }

  test('counts from its own day, with the lots that name its original, in each view of the days between', async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    await security('REB', '10')
    await closeDay()
    const early = await businessDate()
    await closeDay()
    const between = await businessDate()
    await closeDay()
    const late = await businessDate()
    const other = buy(accountNumber, 'REB', '10', { tradeDate: early, price: '8' })
    const original = buy(accountNumber, 'REB', '10', { tradeDate: late })
    const sold = buy(accountNumber, 'REB', '4', {
      buySell: 'SEL',
      price: '20',
      secFee: '0',
      tradeDate: between,
      lotId: original.externalId,
    })
    await load(other, original, sold)
    await closeDay()
    const before = {
      held: await held(accountNumber, { asOf: between, knownAt: late }),
      activity: await activityOf(accountNumber, { asOf: between, knownAt: late }),
    }
    // The lot that the sale names was bought later, so the sale takes the other one.
    assert.deepEqual(before.held, [['REB', 6, 48, early, 'Y']])

    const cancel = line(accountNumber, { cancelType: 'C', tagNo: original.externalId })
    const rebill = { ...original, externalId: `${original.externalId}R`, rebill: 'Y' }
    await load(cancel, { ...rebill, tagNo: original.externalId, tradeDate: early })
    const corrected = [
      ['REB', 10, 80, early, 'N'],
      ['REB', 6, 60, early, 'N'],
    ]
    assert.deepEqual(await held(accountNumber, {}), corrected)
    assert.deepEqual(await held(accountNumber, { asOf: between, knownAt: 'now' }), corrected)
    assert.deepEqual(await held(accountNumber, { asOf: late, knownAt: 'now' }), corrected)
    assert.deepEqual(await held(accountNumber, { asOf: early, knownAt: 'now' }), [
      ['REB', 10, 80, early, 'N'],
      ['REB', 10, 100, early, 'N'],
    ])
    assert.deepEqual(await activityOf(accountNumber, { asOf: between, knownAt: 'now' }), [
      [10, -80, 'N', []],
      [4, 80, 'N', [`${sold.externalId}:1`]],
      [10, -100, 'Y', []],
    ])
    const { data } = await service.alpha.realizedGains({
      accountNumber,
      ...range,
      asOf: between,
      knownAt: 'now',
    })
    assert.deepEqual(
      data.closings.map(({ openedBy, gainLoss }) => [openedBy, gainLoss]),
      [[rebill.externalId, 40]],
    )
    // As it was known at the earlier closes, nothing changed.
    assert.deepEqual(await held(accountNumber, { asOf: between, knownAt: late }), before.held)
    assert.deepEqual(await activityOf(accountNumber, { asOf: between, knownAt: late }), before.activity)

    // Rebilled once more, for a later day: on the days between, the trade does not exist.
    await load(line(accountNumber, { cancelType: 'C', tagNo: rebill.externalId }), {
      ...original,
      externalId: `${original.externalId}S`,
      rebill: 'Y',
      tagNo: rebill.externalId,
    })
    assert.deepEqual(await held(accountNumber, { asOf: between, knownAt: 'now' }), before.held)
    assert.deepEqual((await operations().verifyBooks({ accountNumber })).data.breaks, [])
  })
})

describe('calls as of a day', () => {
  test('are as its close left them: open, with other amounts, met', async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    await security('CAL', '30')
    const margin = { acctType: '2', tradeDate: '2026-01-05' }
    const calls = async (view: Line = {}) => {
      const { data } = await service.alpha.listCalls({ accountNumber, includeMet: true, ...view })
      return data.calls
        .filter(({ kind }) => kind === 'Maintenance')
        .map((call) => [call.state, call.issuedOn, Number(call.outstanding), call.ageDays, call.metOn])
    }
    await load(
      line(accountNumber, { transType: 'Deposit', netAmount: '20000', ...margin }),
      buy(accountNumber, 'CAL', '1000', { ...margin, price: '30' }),
    )
    const quiet = await closeDay()
    // At 12 each, the equity is 2,000 and the requirement 3,000. At 13, they are 3,000 and 3,250.
    const issued = await businessDate()
    await priced('CAL', '12', issued)
    await closeDay()
    const aged = await businessDate()
    await priced('CAL', '13', aged)
    await closeDay()
    const met = await businessDate()
    await load(line(accountNumber, { transType: 'Deposit', netAmount: '500', ...margin, tradeDate: met }))
    await closeDay()

    assert.deepEqual(await calls({ asOf: quiet }), [])
    assert.deepEqual(await calls({ asOf: issued }), [['Open', issued, 1_000, 0, null]])
    assert.deepEqual(await calls({ asOf: aged }), [['Open', issued, 250, 1, null]])
    const done = [['Met', issued, 0, 1, met]]
    assert.deepEqual(await calls({ asOf: met }), done)
    assert.deepEqual(await calls(), done)
    assert.deepEqual(await calls({ knownAt: 'now' }), done)
    // Closes issue calls. Therefore the known calls of a day are those that its close knew.
    assert.deepEqual(await calls({ knownAt: issued }), await calls({ asOf: issued }))
    assert.deepEqual(await calls({ asOf: met, knownAt: aged }), await calls({ asOf: aged }))
    assert.deepEqual(await calls({ asOf: issued, knownAt: 'now' }), await calls({ asOf: issued }))
    assert.deepEqual(await calls({ asOf: '2020-01-02' }), [])
    assert.deepEqual(
      (await service.alpha.listCalls({ accountNumber, asOf: met })).data.calls.map(({ kind }) => kind),
      (await service.alpha.listCalls({ accountNumber })).data.calls.map(({ kind }) => kind),
    )
    assert.deepEqual(await rejectionsOf(service.alpha.listCalls({ knownAt: '2020-01-02' })), [
      'ERR.1015 knownAt',
    ])
    assert.deepEqual((await service.beta.listCalls({ asOf: issued })).data.calls, [])
    const { data: page } = await service.alpha.listCalls({ asOf: issued, size: 1 })
    assert.equal(page.calls.length, 1)
    // The title is the current one, also in the calls of an earlier day.
    for (const view of [{}, { asOf: issued }]) {
      const { data } = await service.alpha.listCalls({ accountNumber, includeMet: true, ...view })
      assert.deepEqual([...new Set(data.calls.map(({ accountName }) => accountName))], ['ADA MORENO'])
    }
  })

  test('of a closed day exclude calls that a late line caused for that day', async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    await security('LATE', '100')
    const calls = async (view: Line = {}) =>
      (await service.alpha.listCalls({ accountNumber, includeMet: true, ...view })).data.calls.map(
        ({ kind, issuedOn, amount }) => [kind, issuedOn, Number(amount)],
      )
    const day = await closeDay()
    const margin = { acctType: '2', tradeDate: day }
    await load(
      line(accountNumber, { transType: 'Deposit', netAmount: '3000', ...margin }),
      buy(accountNumber, 'LATE', '100', { ...margin, price: '100' }),
    )
    await closeDay()
    assert.deepEqual(await calls(), [['Fed', day, 2_000]])
    assert.deepEqual(await calls({ asOf: day }), [])
  })
})

describe('the stock record as of a day', () => {
  test('is as its close sealed it', async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    await security('STR', '10')
    const held = async (view: Line) => {
      const { data } = await operations().stockRecord({ security: 'STR', ...view })
      return [data.longQuantity, data.holders.map(({ quantity }) => quantity)]
    }
    await load(buy(accountNumber, 'STR', '10', { tradeDate: '2026-01-05' }))
    const day = await closeDay()
    await load(buy(accountNumber, 'STR', '5', { tradeDate: '2026-01-06' }))
    assert.deepEqual(await held({ asOf: day }), [10, [10]])
    assert.deepEqual(await held({ asOf: day, knownAt: day }), [10, [10]])
    assert.deepEqual(await held({ asOf: await businessDate() }), [15, [15]])
    const refused = (view: Line) => rejectionsOf(operations().stockRecord({ security: 'STR', ...view }))
    assert.deepEqual(await refused({ asOf: day, knownAt: 'now' }), ['ERR.1015 knownAt'])
    assert.deepEqual(await refused({ asOf: '2020-01-02' }), ['ERR.1015 asOf'])
    assert.deepEqual(await refused({ asOf: 'then' }), ['ERR.1024 asOf'])
  })
})

describe('knownAt', () => {
  test('of a day that was not closed here, or that comes after the business date and today, is refused by every read of the books', async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    await security('KNO', '10')
    const today = await businessDate()
    const { now: wall } = (await service.alpha.sandbox.getClock({})).data
    const later = [today, wall.slice(0, 10)].toSorted()[1] as string
    const tomorrow = addDays(later, 1)
    const asked: Line = { accountNumber, ...range, year: 2026, security: 'KNO' }
    const read = (name: string, knownAt: string): Promise<unknown> => {
      const { audience, request } = contract[name as keyof typeof contract]
      const methods = (audience === 'operations' ? operations() : service.alpha) as never
      const method: (body: Line) => Promise<unknown> =
        methods[name.replace(/-(.)/g, (_, first) => first.toUpperCase())]
      const takes = Object.keys(request.properties).filter((field) => field in asked)
      return method.call(methods, {
        ...Object.fromEntries(takes.map((field) => [field, asked[field]])),
        knownAt,
      })
    }
    const reads = Object.entries(contract).flatMap(([name, { request }]) =>
      'properties' in request && 'knownAt' in request.properties ? [name] : [],
    )
    assert.deepEqual(reads.toSorted(), [
      ...['balance-summary', 'form-8949', 'list-calls', 'non-trade-activity', 'position-detail'],
      ...['position-summary', 'realized-gains', 'stock-record', 'tax-report', 'trade-activity'],
    ])
    for (const name of reads) {
      for (const never of ['2020-01-02', tomorrow, '9999-12-31'])
        assert.deepEqual(await rejectionsOf(read(name, never)), ['ERR.1015 knownAt'], `${name} ${never}`)
      assert.deepEqual(await rejectionsOf(read(name, 'then')), ['ERR.1024 knownAt'], name)
      for (const now of ['now', today, later]) await read(name, now)
    }
  })
})
