/** Data that the sandbox makes: trades, price changes, events of any type. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

function sandbox() {
  return service.alpha.sandbox
}
const accountNumber = '30100008'
async function positionsOf(account: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber: account })
  return Object.fromEntries(data.portfolios.map(({ symbol, quantity }) => [symbol, Number(quantity)]))
}
async function codesOf(call: Promise<unknown>) {
  return (await refusalOf(call)).rejections.map(({ code, field }) => `${code} ${field}`)
}

test('add-trades trades for an account, and the activity and the positions agree', async () => {
  assert.deepEqual(await positionsOf(accountNumber), {})
  const { data } = await sandbox().addTrades({ accountNumber, count: 40, seed: 'spring' })
  assert.deepEqual([data.received, data.accepted, data.duplicates, data.rejected], [41, 41, 0, 0])
  const { dateFrom, dateTo } = data
  const { activity } = (await service.alpha.tradeActivity({ accountNumber, dateFrom, dateTo })).data
  assert.equal(activity.length, 40)
  const traded: Record<string, number> = {}
  for (const { symbol, quantity, buySell } of activity) {
    traded[symbol] = (traded[symbol] ?? 0) + (/^B/.test(buySell) ? 1 : -1) * Number(quantity)
  }
  const held = Object.fromEntries(Object.entries(traded).filter(([, quantity]) => quantity !== 0))
  assert.deepEqual(await positionsOf(accountNumber), held)
  assert.ok(Object.values(held).every((quantity) => quantity > 0))
  assert.deepEqual((await service.operations.operations.listBreaks({ accountNumber })).data.breaks, [])
  assert.equal((await service.operations.operations.verifyBooks({ accountNumber })).data.verified, true)
  const { data: balance } = await service.alpha.positionSummary({ accountNumber })
  assert.equal(Number(balance.maintCallAmount), 0)
})

test('the same seed makes the same trades, which count once; another seed makes others', async () => {
  const before = await positionsOf(accountNumber)
  const { data } = await sandbox().addTrades({ accountNumber, count: 40, seed: 'spring' })
  assert.deepEqual([data.accepted, data.duplicates], [0, 41])
  assert.deepEqual(await positionsOf(accountNumber), before)
  const other = (await sandbox().addTrades({ accountNumber, count: 5 })).data
  assert.deepEqual([other.accepted, other.duplicates], [6, 0])
  const again = (await sandbox().addTrades({ accountNumber, count: 5, seed: other.seed })).data
  assert.equal(again.duplicates, 6)
})

test('trades are made for open accounts of the own firm', async () => {
  assert.deepEqual(await codesOf(service.beta.sandbox.addTrades({ accountNumber })), [
    'ERR.2003 accountNumber',
  ])
  assert.deepEqual(await codesOf(sandbox().addTrades({ accountNumber: 'ZZZZZZZZ' })), [
    'ERR.2003 accountNumber',
  ])
  const { data } = await sandbox().runScenario({ name: 'identity-rejected' })
  assert.deepEqual(await codesOf(sandbox().addTrades({ accountNumber: data.accountNumber })), [
    'ERR.2011 accountNumber',
  ])
  assert.deepEqual(await codesOf(sandbox().addTrades({ accountNumber, count: 501 })), ['ERR.1015 count'])
  const operations = await service.operations.sandbox.addTrades({ accountNumber, count: 1 })
  assert.equal(operations.data.accepted, 2)
})

test('move-prices moves values exactly, also while the clock is frozen', async () => {
  await sandbox().freezeClock({})
  const priceOf = async () => {
    const { data } = await service.alpha.positionSummary({ accountNumber: '30100009' })
    return [Number(data.portfolios[0]?.price), Number(data.portfolios[0]?.marketValue)]
  }
  assert.deepEqual(await priceOf(), [48.25, 965_000])
  const { data } = await sandbox().movePrices({ percent: -10, symbols: ['hrbr'] })
  assert.deepEqual(data.prices, [{ symbol: 'HRBR', before: '48.25', after: '43.425' }])
  assert.deepEqual(await priceOf(), [43.425, 868_500])
  await sandbox().movePrices({ percent: 100, symbols: ['HRBR'] })
  assert.deepEqual(await priceOf(), [86.85, 1_737_000])
  await sandbox().freezeClock({ frozen: false })
  const all = (await sandbox().movePrices({ percent: -20 })).data
  assert.ok(all.count > 10)
  assert.deepEqual(await priceOf(), [69.48, 1_389_600])
})

test('a price move causes calls at the close', async () => {
  const callsOf = async () =>
    (await service.alpha.listCalls({ accountNumber: '30100004' })).data.calls.map(
      ({ kind, state }) => `${kind} ${state}`,
    )
  assert.deepEqual(await callsOf(), [])
  await sandbox().movePrices({ percent: 300, symbols: ['QUAY', 'MOOR'] })
  const { data } = await sandbox().advanceClock({ days: 5 })
  assert.ok(data.closedDays.length >= 2)
  assert.ok((await callsOf()).includes('Maintenance Open'))
  const [call] = (await service.alpha.listCalls({ accountNumber: '30100004' })).data.calls
  assert.ok((call?.ageDays ?? 0) >= 1)
  const filter = { queues: ['Call'], accountNumber: '30100004' }
  const { work } = (await service.operations.operations.listWork(filter)).data
  assert.deepEqual(
    work.map((item) => item.call).find((found) => found?.kind === call?.kind),
    call && {
      kind: call.kind,
      outstanding: call.outstanding,
      amount: call.amount,
      unsatisfiedDeficits: null,
    },
  )
})

test('prices that cannot be moved are reported', async () => {
  assert.deepEqual(await codesOf(sandbox().movePrices({ percent: 5, symbols: ['HRBR', 'NOPE'] })), [
    'ERR.1015 symbols',
  ])
  assert.deepEqual(await codesOf(sandbox().movePrices({ percent: -100 })), ['ERR.1015 percent'])
})

test('emit-event writes an event of the account, numbered like any other, and only into the firm’s own log', async () => {
  const listed = async (client: typeof service.alpha) => {
    await service.eventsReported()
    const types = ['account.restricted', 'business_day.closed', 'incident.opened', 'corporate_action.booked']
    return (await client.listEvents({ types, size: 1000 })).data.events
  }
  const before = (await listed(service.alpha)).length
  await sandbox().emitEvent({ type: 'account.restricted', accountNumber, note: 'A trial' })
  await sandbox().emitEvent({ type: 'business_day.closed' })
  await sandbox().emitEvent({ type: 'incident.opened' })
  await sandbox().emitEvent({ type: 'corporate_action.booked' })
  const events = (await listed(service.alpha)).slice(before)
  assert.deepEqual(
    events.map(({ type, accountnumber, data }) => [type, accountnumber, data.emitted, data.note]),
    [
      ['account.restricted', accountNumber, true, 'A trial'],
      ['business_day.closed', undefined, true, undefined],
      ['incident.opened', undefined, true, undefined],
      ['corporate_action.booked', undefined, true, undefined],
    ],
  )
  // The data has the members of the type, so that a listener can read them.
  const [restricted, closed] = events.map(({ data }) => data)
  assert.deepEqual(
    [restricted?.accountNumber, restricted?.code, restricted?.inForce],
    [accountNumber, 'ReturnedMail', true],
  )
  assert.equal(closed?.closedDate, '2026-01-30')
  assert.deepEqual(
    (await listed(service.beta)).filter(({ data }) => data.emitted === true),
    [],
  )
  assert.deepEqual(await codesOf(sandbox().emitEvent({ type: 'account.closed' })), ['ERR.1000 accountNumber'])
  assert.deepEqual(await codesOf(sandbox().emitEvent({ type: 'corporate_action.booked', accountNumber })), [
    'ERR.1015 accountNumber',
  ])
  assert.deepEqual(await codesOf(sandbox().emitEvent({ type: 'webhook.test' })), ['ERR.1015 type'])
  assert.deepEqual(await codesOf(sandbox().emitEvent({ type: 'nothing.at.all' })), ['ERR.1015 type'])
  assert.deepEqual(await codesOf(service.beta.sandbox.emitEvent({ type: 'account.closed', accountNumber })), [
    'ERR.2003 accountNumber',
  ])
})
