/**
 * A client that keeps a copy of the activity by polling `enteredOn`, and one that adds the events, have the cash of
 * the books, also after lines that change the amounts of earlier lines.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { addDays, addMarketDays } from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { isEvent } from '@clearing/sdk'
import {
  book,
  buy,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

type Restated = NonNullable<Data<'non-trade-activity'>['restated']>[number]
function closeDay() {
  return service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
}
async function cashOf(accountNumber: string) {
  return decimal(String((await service.alpha.positionSummary({ accountNumber })).data.totalCash))
}
async function poll(accountNumber: string, dateFrom: string, dateTo = dateFrom, knownAt?: string) {
  const asked = {
    accountNumber,
    dateFrom,
    dateTo,
    dateField: 'enteredOn',
    ...(knownAt && { knownAt }),
  } as const
  const [trades, others] = await Promise.all([
    service.alpha.tradeActivity(asked),
    service.alpha.nonTradeActivity(asked),
  ])
  return {
    lines: [...trades.data.activity, ...others.data.activity],
    restated: [...(trades.data.restated ?? []), ...(others.data.restated ?? [])],
  }
}
function sumOf(amounts: Iterable<string>) {
  let sum = ZERO
  for (const amount of amounts) sum += decimal(amount || '0')
  return sum
}
/** The netAmounts of a client, by the ids of the lines. */
class Copy {
  readonly amounts = new Map<string, string>()
  cursor = ''
  readonly #account: string
  constructor(account: string) {
    this.#account = account
  }
  async take(day: string) {
    const { lines, restated } = await poll(this.#account, day)
    for (const { externalId, netAmount } of [...lines, ...restated]) this.amounts.set(externalId, netAmount)
    return { lines, restated }
  }
  /** The lines of the day, and the changes that events report. */
  async takeEvents(day: string) {
    for (const { externalId, netAmount } of (await poll(this.#account, day)).lines)
      this.amounts.set(externalId, netAmount)
    await service.eventsReported()
    const { data } = await service.alpha.listEvents({
      ...{ accountNumber: this.#account, types: ['activity.restated'], size: 1_000 },
      ...(this.cursor && { after: this.cursor }),
    })
    this.cursor = data.nextCursor
    const events = data.events.filter((event) => isEvent(event, 'activity.restated'))
    for (const {
      data: { restated },
    } of events) {
      for (const { externalId, netAmountBefore, netAmount } of restated) {
        assert.equal(decimal(this.amounts.get(externalId) ?? 'none'), decimal(netAmountBefore))
        this.amounts.set(externalId, netAmount)
      }
    }
    return events
  }
  cash() {
    return sumOf(this.amounts.values())
  }
}
function shortOf({ transType, change, netAmount, enteredOn, restatedOn }: Restated) {
  return [transType, renderDecimal(decimal(change)), renderDecimal(decimal(netAmount)), enteredOn, restatedOn]
}

/** A position of each kind of line whose cash depends on it. */
async function held() {
  const account = await newAccount()
  const day = await today()
  const weeksAgo = addDays(day, -14)
  const [from, before] = [addMarketDays(weeksAgo, 1), addMarketDays(weeksAgo, 3)]
  const [paying, merged, into] = await Promise.all([newSecurity(), newSecurity(), newSecurity()])
  const bond = { secTypeName: 'Corporate Bond', couponRate: '6', couponFrequency: '2', maturityDate: before }
  const pool = {
    secTypeName: 'Mortgage Pool',
    couponRate: '5',
    couponFrequency: '12',
    maturityDate: '2050-01-01',
  }
  const matured = await newSecurity(bond)
  const pooled = await newSecurity({ ...pool, issueDate: '2020-01-01', currentFactor: '0.5' })
  const dated = { acctNo: account, tradeDate: before }
  const purchases = (quantity: string): Line[] => [
    buy(account, paying, quantity, from),
    buy(account, merged, quantity, from),
    buy(account, matured, '1000', from, { price: '99', interest: '0' }),
    buy(account, pooled, '1000', from, { price: '98', netAmount: '-490', interest: '0' }),
  ]
  const [, , , , paid = ''] = await book(
    ...purchases('100'),
    { ...dated, transType: 'ReturnOfCapital', symbol: paying, cashPerShare: '1' },
    { ...dated, transType: 'Merger', symbol: merged, toSymbol: into, ratio: '1:2', cashPerShare: '2' },
    { ...dated, transType: 'Maturity', symbol: matured },
    { ...dated, transType: 'FactorChange', symbol: pooled, ratio: '0.4:0.5' },
  )
  return { account, day, paid, paying, purchases }
}

test('late purchases restate what was paid for the position: copies by polls and by events have its cash', async () => {
  const { account, day, paid, purchases } = await held()
  const [polled, informed] = [new Copy(account), new Copy(account)]
  assert.deepEqual(
    (await polled.take(day)).restated,
    [],
    'on their own day the lines have the amounts of now',
  )
  assert.deepEqual(await informed.takeEvents(day), [])
  const cash = await cashOf(account)
  assert.equal(polled.cash(), cash)

  await closeDay()
  const next = await today()
  assert.deepEqual(await poll(account, next), { lines: [], restated: [] })
  const late = await book(...purchases('50'))
  const { lines, restated } = await polled.take(next)
  const expected = [
    ['ReturnOfCapital', '50', '150', day, next],
    ['Merger', '100', '300', day, next],
    ['Maturity', '1000', '2000', day, next],
    ['FactorChange', '100', '200', day, next],
  ]
  assert.deepEqual(restated.map(shortOf), expected)
  const now = await cashOf(account)
  assert.notEqual(now, cash)
  assert.equal(polled.cash(), now)
  assert.equal(
    sumOf([...lines.map(({ netAmount }) => netAmount), ...restated.map(({ change }) => change)]),
    now - cash,
  )
  const [event, ...others] = await informed.takeEvents(next)
  assert.deepEqual([event?.data.restatedOn, event?.data.restated.length, others], [next, 4, []])
  assert.equal(informed.cash(), now)
  const { rows } = await service.query(
    "select detail from clearing.audit where action = 'load-activity' and target = $1",
    [event?.data.loadId],
  )
  assert.equal(JSON.parse(rows[0]?.detail).restated, 4)

  // The day after: nothing new. A range that has the lines themselves has no changes of them.
  await closeDay()
  const third = await today()
  assert.deepEqual(await poll(account, third), { lines: [], restated: [] })
  assert.deepEqual((await poll(account, day, third)).restated, [])
  assert.equal(sumOf((await poll(account, day, third)).lines.map(({ netAmount }) => netAmount)), now)
  assert.deepEqual((await poll(account, next)).restated, restated)
  assert.deepEqual((await poll(account, day, next, day)).restated, [], 'as known before the late lines')

  // What is changed back is reported with the amount of now, because the client may have the other one.
  const cancelOf = (at: number) => ({
    acctNo: account,
    cancelType: 'C',
    tagNo: late[at] as string,
    tradeDate: day,
  })
  await book(cancelOf(0))
  await Promise.all([polled.take(third), informed.takeEvents(third)])
  assert.equal(polled.cash(), await cashOf(account))
  await book({ ...(purchases('50')[0] as Line), rebill: 'Y', tagNo: late[0] as string })
  const again = (await polled.take(third)).restated
  assert.deepEqual(again.map(shortOf), [['ReturnOfCapital', '0', '150', day, third]])
  await informed.takeEvents(third)
  assert.deepEqual([polled.cash(), informed.cash()], [now, now])

  // A cancel reverses the amount with its changes.
  await book({ acctNo: account, cancelType: 'C', tagNo: paid, tradeDate: day })
  await Promise.all([polled.take(third), informed.takeEvents(third)])
  assert.equal(polled.cash(), now - decimal('150'))
  assert.equal(informed.cash(), now - decimal('150'))
})

test('a cancel that came before its original is restated when the original arrives', async () => {
  const account = await newAccount()
  const symbol = await newSecurity()
  const day = await today()
  const bought = { externalId: `L${account}`, ...buy(account, symbol, '10', day) }
  const paid = {
    externalId: `D${account}`,
    acctNo: account,
    transType: 'Deposit',
    tradeDate: day,
    netAmount: '70',
  }
  const [polled, informed] = [new Copy(account), new Copy(account)]
  await book(
    { ...bought, externalId: `LC${account}`, cancelType: 'C', tagNo: bought.externalId },
    { ...paid, externalId: `DC${account}`, cancelType: 'C', tagNo: paid.externalId },
  )
  await Promise.all([polled.take(day), informed.takeEvents(day)])
  await closeDay()
  const next = await today()
  await book(bought, paid)
  const { restated } = await polled.take(next)
  assert.deepEqual(restated.map(shortOf), [
    ['Trade', '100', '100', day, next],
    ['Deposit', '-70', '-70', day, next],
  ])
  assert.equal(restated[0]?.quantity, '-10')
  assert.equal((await informed.takeEvents(next)).length, 1)
  assert.deepEqual([polled.cash(), informed.cash(), await cashOf(account)], [ZERO, ZERO, ZERO])
})

test('only a range by enteredOn has restated lines', async () => {
  const { account, day } = await held()
  for (const dateField of ['processDate', 'tradeDate', 'settleDate', undefined] as const) {
    const { data } = await service.alpha.nonTradeActivity({
      ...{ accountNumber: account, dateFrom: day, dateTo: day, ...(dateField && { dateField }) },
    })
    assert.equal('restated' in data, false)
  }
})
