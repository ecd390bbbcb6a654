/** Lines with a future trade date are pending, and count from that day. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import { applicationFor } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await operations().loadSecurities({
    lines: { ndjson: ['FUT', 'OTH'].map((symbol) => ({ symbol, secTypeName: 'Common Stock' })) },
  })
  assert.equal(data.accepted, 2)
})
after(() => service?.stop())

type Line = Record<string, unknown>
function operations() {
  return service.operations.operations
}
function newAccount() {
  return openAndFollow(service.alpha, applicationFor('Individual'))
}
async function clock() {
  return (await service.alpha.sandbox.getClock({})).data
}
async function closeDay() {
  return (await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })).data
}
/** The business date after the open one. */
async function nextDay() {
  return addMarketDays((await clock()).businessDate, 1)
}
/** Closes days until the books are open for one or a later one. */
async function closeUntil(day: string) {
  while ((await clock()).businessDate < day) await closeDay()
}

let ids = 0
function line(acctNo: string, fields: Line): Line {
  ids += 1
  return { externalId: `P${ids}`, acctNo, ...fields }
}
function buy(acctNo: string, tradeDate: string, fields: Line = {}): Line {
  return line(acctNo, {
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'FUT',
    quantity: '10',
    price: '5',
    tradeDate,
    ...fields,
  })
}
async function load(...ndjson: Line[]) {
  return (await operations().loadActivity({ lines: { ndjson } })).data
}
async function counts(...lines: Line[]) {
  const { accepted, pending, duplicates, conflicts, rejected } = await load(...lines)
  return { accepted, pending, duplicates, conflicts, rejected }
}
const none = { accepted: 0, pending: 0, duplicates: 0, conflicts: 0, rejected: 0 }
async function held(accountNumber: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber })
  return [Number(data.totalCash), ...data.portfolios.map(({ symbol, quantity }) => `${symbol} ${quantity}`)]
}
async function activityOf(accountNumber: string) {
  const range = { accountNumber, dateFrom: '2024-01-01', dateTo: '2033-12-31' }
  const both = await Promise.all([service.alpha.tradeActivity(range), service.alpha.nonTradeActivity(range)])
  return both.flatMap(({ data }) => data.activity)
}
async function proves(accountNumber: string) {
  const { data } = await operations().verifyBooks({ accountNumber })
  assert.deepEqual(data.breaks, [])
}

describe('a line of a future day', () => {
  test('is accepted and pending, is in no balance, and counts from its day', async () => {
    const account = await newAccount()
    const day = await nextDay()
    const lines = [
      buy(account, day),
      line(account, { transType: 'Deposit', netAmount: '100', tradeDate: day }),
      line(account, { transType: 'Deposit', netAmount: '7', tradeDate: '2026-01-05' }),
    ]
    const answer = await load(...lines)
    assert.deepEqual([answer.accepted, answer.pending, answer.rejects], [3, 2, []])
    assert.equal((await operations().getLoad({ loadId: answer.loadId })).data.pending, 2)
    assert.deepEqual(await held(account), [7])
    assert.equal((await activityOf(account)).length, 1)
    await proves(account)
    await closeUntil(day)
    assert.deepEqual(await held(account), [57, 'FUT 10'])
    const entered = (await activityOf(account)).map(({ enteredOn }) => enteredOn)
    assert.deepEqual(
      entered.filter((one) => one === day),
      [day, day],
    )
    await proves(account)
    assert.deepEqual(await counts(...lines), { ...none, duplicates: 3 })
  })

  test('stays pending over a weekend and into another year', async () => {
    const account = await newAccount()
    const { businessDate } = await clock()
    const saturday = addDays(businessDate, 6 - new Date(`${businessDate}T12:00:00Z`).getUTCDay())
    const lines = [
      buy(account, `${Number(businessDate.slice(0, 4)) + 1}-06-01`),
      buy(account, saturday, { symbol: 'OTH' }),
    ]
    assert.deepEqual(await counts(...lines), { ...none, accepted: 2, pending: 2 })
    await closeDay()
    await closeUntil(saturday)
    assert.deepEqual(await held(account), [-50, 'OTH 10'])
  })

  test('counts at once on the business date and before it', async () => {
    const account = await newAccount()
    const { businessDate } = await clock()
    assert.deepEqual(await counts(buy(account, businessDate), buy(account, '2025-12-31')), {
      ...none,
      accepted: 2,
    })
    assert.deepEqual(await held(account), [-100, 'FUT 20'])
  })

  test('is a duplicate of itself in any spelling, and a conflict with other contents, while it is pending', async () => {
    const account = await newAccount()
    const { businessDate } = await clock()
    const waiting = buy(account, await nextDay())
    assert.deepEqual(await counts(waiting, waiting), { ...none, accepted: 1, pending: 1, duplicates: 1 })
    const spelled = { ...waiting, quantity: 10, price: '5.00', symbol: 'fut' }
    assert.deepEqual(await counts(spelled), { ...none, duplicates: 1 })
    for (const [field, value] of [
      ['quantity', '11'],
      ['tradeDate', businessDate],
      ['acctNo', await newAccount()],
    ] as const) {
      const { conflicts, rejects, accepted } = await load({ ...waiting, [field]: value })
      assert.deepEqual([conflicts, accepted], [1, 0], field)
      assert.deepEqual(
        rejects.map((reject) => `${reject.code} ${reject.field}`),
        [`ERR.2018 ${field}`],
      )
    }
  })

  test('whose id is in the books is compared with the stored line', async () => {
    const account = await newAccount()
    const booked = buy(account, '2026-01-05')
    await load(booked)
    assert.deepEqual(await counts({ ...booked, tradeDate: await nextDay() }), { ...none, conflicts: 1 })
  })

  test('is cancelled and corrected before it counts', async () => {
    const account = await newAccount()
    const day = await nextDay()
    const [first, second] = [buy(account, day), buy(account, day)]
    const rebill = buy(account, day, { rebill: 'Y', tagNo: second.externalId, quantity: '4' })
    assert.deepEqual(await counts(first, second), { ...none, accepted: 2, pending: 2 })
    const cancelOf = ({ externalId }: Line) => line(account, { cancelType: 'C', tagNo: externalId })
    assert.deepEqual(await counts(cancelOf(first), cancelOf(second), rebill), {
      ...none,
      accepted: 3,
      pending: 3,
    })
    await closeUntil(day)
    assert.deepEqual(await held(account), [-20, 'FUT 4'])
    assert.equal((await activityOf(account)).length, 5)
    await proves(account)
  })

  test('that cannot be posted on its day becomes a reject of its load', async () => {
    const account = await newAccount()
    const day = await nextDay()
    const cancel = line(account, { cancelType: 'C', tagNo: 'never-loaded', tradeDate: day })
    assert.deepEqual(await counts(cancel, { ...buy(account, day), price: '-1' }), {
      ...none,
      accepted: 1,
      pending: 1,
      rejected: 1,
    })
    await closeUntil(day)
    assert.deepEqual(await activityOf(account), [])
    const { data } = await operations().listLoads({ size: 1 })
    const { rejects } = (await operations().getLoad({ loadId: data.loads[0]?.loadId ?? '' })).data
    assert.deepEqual(
      rejects.map(({ code }) => code),
      ['ERR.1000'],
    )
  })

  test('is posted by a job of its day, if no close has posted it', async () => {
    const account = await newAccount()
    const [{ businessDate }, day] = [await clock(), await nextDay()]
    await load(buy(account, day))
    const { rows } = await service.query('select key, run_at from graphile_worker.jobs where key = $1', [
      `post-due-lines ${day}`,
    ])
    assert.equal(rows.length, 1)
    // As if its day had come and the close had ended too early.
    await service.query('update clearing.pending_line set trade_date = $1 where account_number = $2', [
      businessDate,
      account,
    ])
    await service.query("select graphile_worker.add_job('post-due-lines')")
    await until(
      () => held(account),
      (now) => now.includes('FUT 10'),
    )
  })

  test('is listed for its firm, by day, until its day comes', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    const [day, later] = [await nextDay(), addDays(await nextDay(), 40)]
    const first = buy(account, day, { price: '5.25' })
    const second = buy(account, later)
    const cancel = line(account, { cancelType: 'C', tagNo: second.externalId, tradeDate: day })
    await load(first, second, cancel, buy(other, day))
    const listed = async (client = service.alpha) => {
      const { data } = await client.listPendingLines({ accountNumber: account })
      return data.lines.map(({ externalId, countsFrom, kind, tagNo }) => [
        externalId,
        countsFrom,
        kind,
        tagNo,
      ])
    }
    assert.deepEqual(await listed(), [
      [first.externalId, day, 'Line', ''],
      // A correction waits for the line that it names.
      [second.externalId, later, 'Line', ''],
      [cancel.externalId, later, 'Cancel', second.externalId],
    ])
    const { data } = await service.alpha.listPendingLines({ accountNumber: account, size: 1 })
    const [shown] = data.lines
    assert.deepEqual(
      [shown?.transType, shown?.buySell, shown?.symbol, shown?.quantity, shown?.price, shown?.accountNumber],
      ['Trade', 'BUY', 'FUT', '10', '5.25', account],
    )
    const { data: rest } = await service.alpha.listPendingLines({ accountNumber: account, after: data.next })
    assert.equal(rest.lines.length, 2)
    assert.deepEqual(await listed(service.beta), [])
    await closeUntil(day)
    assert.deepEqual(
      (await listed()).map(([id]) => id),
      [second.externalId, cancel.externalId],
    )
  })

  test('is not listed for an account that the firm does not have, and the message says so', async () => {
    const account = await newAccount()
    const messages = async (client: typeof service.alpha, accountNumber: string) => {
      const request = { accountNumber }
      const { data } = await client.listPendingLines(request)
      assert.deepEqual(data.lines, [])
      const answers = [
        client.listPendingLines(request),
        client.listCalls(request),
        client.listEvents(request),
      ]
      return (await Promise.all(answers)).map(({ message }) => message)
    }
    const unknown = 'Your firm has no account with this number.'
    assert.deepEqual(await messages(service.alpha, '99999998'), [unknown, unknown, unknown])
    assert.deepEqual(await messages(service.beta, account), [unknown, unknown, unknown])
    const usual = 'Request successful.'
    assert.deepEqual(await messages(service.alpha, account), [usual, usual, usual])
  })

  test('leaves closed days as they were sealed', async () => {
    const account = await newAccount()
    const { businessDate } = await clock()
    const day = await nextDay()
    await load(buy(account, businessDate), buy(account, day, { quantity: '90' }))
    await closeUntil(day)
    const { data } = await service.alpha.positionSummary({ accountNumber: account, asOf: businessDate })
    assert.deepEqual(
      data.portfolios.map(({ quantity }) => Number(quantity)),
      [10],
    )
    assert.deepEqual(await held(account), [-500, 'FUT 100'])
    const { data: proof } = await operations().verifyBooks({})
    assert.deepEqual(proof.breaks, [])
  })
})
