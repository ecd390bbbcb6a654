/** Cash accounts under Regulation T, as the firm and operations see them, over a week of closed days. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import { buy, type Line, line, load, newAccount, sell, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

/** The first business date, and the next ones. */
let days: string[]
let closedDays = 0
async function readDays(): Promise<void> {
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  days = [0, 1, 2, 3, 4, 5, 6].map((count) => addMarketDays(businessDate, count))
}
function day(number: number): string {
  const found = days[number]
  assert.ok(found)
  return found
}
async function close() {
  const { data } = await service.alpha.sandbox.closeBusinessDay({
    acceptOpen: { reason: 'As tests close days.' },
  })
  assert.equal(data.closedDate, day(closedDays))
  closedDays += 1
}

function bought(account: string, number: number, amount = 5_000): Line {
  return buy(account, 'AAA', amount / 50, '50', { tradeDate: day(number) })
}
function sold(account: string, number: number, amount = 5_000): Line {
  return sell(account, 'AAA', amount / 50, '50', { tradeDate: day(number) })
}
function deposit(account: string, number: number, netAmount: string): Line {
  return line(account, { transType: 'Deposit', netAmount, tradeDate: day(number) })
}
async function callsOf(accountNumber: string) {
  const { data } = await service.alpha.listCalls({ accountNumber, includeMet: true })
  return data.calls.map(({ kind, state, issuedOn, dueBy, outstanding, ageDays, overdue }) => {
    return [kind, state, issuedOn, dueBy, Number(outstanding), ageDays, overdue]
  })
}
async function restrictionsOf(accountNumber: string) {
  const { data } = await service.operations.operations.listRestrictions({ accountNumber })
  return data.restrictions.map(({ restrictionCode, placedBy, reason, endedBy }) => {
    return { restrictionCode, placedBy, reason, endedBy }
  })
}
async function liquidationsOf(accountNumber: string) {
  const { data } = await service.operations.operations.listBreaks({ accountNumber })
  return data.breaks.filter(({ kind }) => kind === 'Liquidate').map(({ reason }) => reason)
}
async function cashOf(accountNumber: string) {
  const { data } = await service.alpha.balanceSummary({ accountNumber })
  const { unpaid, goodFaithViolations, settledCashOnlyUntil } = data.cashAccount
  return [Number(data.openCall.cashCall), Number(unpaid), goodFaithViolations, settledCashOnlyUntil]
}
async function buyingPower(accountNumber: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber })
  return [Number(data.freeCash), Number(data.buyingPower)]
}
async function statusOf(accountNumber: string) {
  const { data } = await service.alpha.getAccount({ accountNumber })
  return 'accountStatus' in data && data.accountStatus
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  const { rows } = await service.query(
    `select type, content from clearing.logged_event where account_number = $1 and type ~ '^(call|account.restricted)' order by sequence`,
    [accountNumber],
  )
  return rows.map(({ type, content }) => [type, content.kind ?? content.code, content.inForce])
}

describe('over a week', () => {
  const account: Record<string, string> = {}
  const named = (name: string) => account[name] ?? assert.fail(name)

  test('purchases without money are unpaid, and free riding restricts the account on the day of the sale', async () => {
    await readDays()
    for (const name of [
      'unpaid',
      'partly',
      'disregarded',
      'rides',
      'cured',
      'late',
      'faith',
      'old',
      'canceled',
    ])
      account[name] = await newAccount()
    await load(
      bought(named('unpaid'), 0),
      bought(named('partly'), 0),
      // One cent more leads to a call.
      buy(named('disregarded'), 'AAA', 20, '50', { tradeDate: day(0) }),
      bought(named('rides'), 0),
      bought(named('cured'), 0),
      bought(named('late'), 0),
      bought(named('canceled'), 0),
      // The 90 days of this sale end on the next business date.
      buy(named('old'), 'AAA', 100, '50', { tradeDate: addDays(day(1), -91) }),
      sell(named('old'), 'AAA', 100, '50', { tradeDate: addDays(day(1), -90) }),
      ...[deposit(named('faith'), 0, '5000'), bought(named('faith'), 0), sold(named('faith'), 0)],
      ...[0, 0].flatMap(() => [bought(named('faith'), 0), sold(named('faith'), 0)]),
    )
    assert.deepEqual(await buyingPower(named('faith')), [0, 5_000])
    await close()
    assert.deepEqual(await cashOf(named('unpaid')), [0, 5_000, 0, null])
    assert.deepEqual(await callsOf(named('unpaid')), [])
    assert.deepEqual(await cashOf(named('faith')), [0, 10_000, 2, null])
    assert.equal(await statusOf(named('faith')), 'Open')
    assert.deepEqual(await cashOf(named('old')), [0, 0, 0, day(1)])
    assert.equal(await statusOf(named('old')), 'Restricted')

    await load(
      ...['rides', 'cured', 'canceled'].map((name) => sold(named(name), 1)),
      ...[
        bought(named('faith'), 1),
        sold(named('faith'), 1),
        bought(named('faith'), 1),
        sold(named('faith'), 1),
      ],
    )
    await close()
    assert.equal(await statusOf(named('old')), 'Open')
    for (const name of ['rides', 'cured', 'canceled']) {
      assert.equal(await statusOf(named(name)), 'Restricted', name)
      const [restriction, ...others] = await restrictionsOf(named(name))
      assert.deepEqual(others, [])
      assert.equal(restriction?.restrictionCode, 'NinetyDayCash')
      assert.equal(restriction?.placedBy, 'service')
      const until = addDays(day(1), 90)
      assert.match(
        restriction?.reason ?? '',
        new RegExp(`was sold on ${day(1)} before it was paid.*until ${until}`),
      )
      assert.deepEqual(await cashOf(named(name)), [0, 5_000, 0, until])
      assert.deepEqual(await eventsOf(named(name)), [['account.restricted', 'NinetyDayCash', true]])
    }
    // The third within twelve months.
    assert.deepEqual(await cashOf(named('faith')), [0, 5_000, 3, addDays(day(1), 90)])
    assert.match((await restrictionsOf(named('faith')))[0]?.reason ?? '', /third good-faith violation/)
  })

  test('unsettled sales buy nothing while the account is restricted, and payment in time ends the restriction', async () => {
    // The account sold for 5,000 on the day before. The sale settles today and pays for the purchase.
    await load(deposit(named('rides'), 2, '1000'), deposit(named('cured'), 2, '5000'))
    const [, after] = await Promise.all([buyingPower(named('rides')), buyingPower(named('cured'))])
    assert.equal(after[1], 5_000)
    await close()
    assert.equal(await statusOf(named('cured')), 'Open')
    assert.deepEqual(await cashOf(named('cured')), [0, 0, 1, null])
    const [ended] = await restrictionsOf(named('cured'))
    assert.equal(ended?.endedBy, 'service')
    assert.deepEqual(await eventsOf(named('cured')), [
      ['account.restricted', 'NinetyDayCash', true],
      ['account.restricted', 'NinetyDayCash', false],
    ])
    assert.equal(await statusOf(named('rides')), 'Restricted')
    // A restricted account pays on the day: settled cash of 1,000 is not 5,000.
    await load(bought(named('rides'), 3), sold(named('rides'), 3))
    const [free, power] = await buyingPower(named('rides'))
    assert.deepEqual([free, power], [0, 0])
  })

  test('a purchase that is unpaid at the end of its period leads to a call, then to a liquidation', async () => {
    await load(bought(named('cured'), 3), sold(named('cured'), 3))
    await close()
    const called = ['Cash', 'Open', day(3), day(3), 5_000, 0, false]
    for (const name of ['unpaid', 'late']) {
      assert.deepEqual(await callsOf(named(name)), [called], name)
      assert.deepEqual(await liquidationsOf(named(name)), [])
      assert.deepEqual(await eventsOf(named(name)), [['call.issued', 'Cash', undefined]])
      assert.deepEqual(await cashOf(named(name)), [5_000, 5_000, 0, null])
    }
    assert.deepEqual(await callsOf(named('disregarded')), [])
    assert.deepEqual(await callsOf(named('canceled')), [])

    // A deposit of the second day that comes late, and a sale that is cancelled.
    const wrong = await linesOf(named('canceled'))
    await load(
      line(named('canceled'), { cancelType: 'C', tagNo: wrong.sale, transType: 'Trade', tradeDate: day(1) }),
      line(named('canceled'), {
        cancelType: 'C',
        tagNo: wrong.purchase,
        transType: 'Trade',
        tradeDate: day(0),
      }),
    )
    await close()
    const [reason, ...others] = await liquidationsOf(named('unpaid'))
    assert.deepEqual(others, [])
    assert.match(reason ?? '', /AAA .* 5000\.00 of it is unpaid\. Sell AAA for at least 5000\.00 or cancel/)
    assert.deepEqual(await callsOf(named('unpaid')), [['Cash', 'Open', day(3), day(3), 5_000, 1, true]])
    assert.equal(await statusOf(named('canceled')), 'Open')
    assert.match((await restrictionsOf(named('canceled')))[0]?.endedBy ?? '', /service/)
    assert.deepEqual(await cashOf(named('canceled')), [0, 0, 0, null])
  })

  test('a late deposit and a sale each meet the call; only the sale restricts', async () => {
    assert.equal((await liquidationsOf(named('late'))).length, 1)
    const before = await service.alpha.balanceSummary({ accountNumber: named('late'), asOf: day(4) })
    assert.match((await liquidationsOf(named('partly'))).join(), / 5000\.00 of it is unpaid/)
    await load(
      deposit(named('late'), 2, '5000'),
      deposit(named('partly'), 5, '2000'),
      sold(named('unpaid'), 5),
    )
    await close()
    const [rest, ...others] = await liquidationsOf(named('partly'))
    assert.deepEqual(others, [])
    assert.match(rest ?? '', / 3000\.00 of it is unpaid\. Sell AAA for at least 3000\.00 or cancel/)
    for (const name of ['late', 'unpaid']) {
      assert.deepEqual(await liquidationsOf(named(name)), [], name)
      assert.deepEqual(
        (await callsOf(named(name))).map(([, state]) => state),
        ['Met'],
      )
      assert.deepEqual(
        (await eventsOf(named(name))).slice(0, 2).map(([type]) => type),
        ['call.issued', 'call.met'],
      )
    }
    assert.equal(await statusOf(named('late')), 'Open')
    assert.equal(await statusOf(named('unpaid')), 'Restricted')
    const after = await service.alpha.balanceSummary({ accountNumber: named('late'), asOf: day(4) })
    assert.deepEqual(after.data, before.data)
  })

  test('an ended restriction is not placed again for the same sale', async () => {
    const { data } = await service.operations.operations.listRestrictions({ accountNumber: named('unpaid') })
    const { restrictionId = '' } = data.restrictions[0] ?? {}
    await service.operations.operations.endRestriction({
      accountNumber: named('unpaid'),
      restrictionId,
      reason: 'A waiver was granted.',
    })
    await load(deposit(named('unpaid'), 6, '10'))
    await close()
    assert.equal(await statusOf(named('unpaid')), 'Open')
    assert.equal((await restrictionsOf(named('unpaid'))).length, 1)
    const { data: proof } = await service.operations.operations.verifyBooks({})
    assert.deepEqual(proof.breaks, [])
  })
})

async function linesOf(accountNumber: string) {
  const { data } = await service.alpha.tradeActivity({
    accountNumber,
    dateFrom: '2026-01-01',
    dateTo: addDays(day(0), 30),
  })
  const of = (side: string) => data.activity.find(({ buySell }) => buySell === side)?.tagNo ?? ''
  return { purchase: of('BUY'), sale: of('SEL') }
}
