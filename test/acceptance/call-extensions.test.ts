/** The amounts that meet a call, and extensions of its due date: grant-extension over a week of closed days. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, addMarketDays, regTPaymentDate } from '@clearing/domain/market'
import fc from 'fast-check'
import { buy, line, load, newAccount, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

const reason = 'The wire is late.'
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function close() {
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
}
async function callsOf(accountNumber: string, view: { asOf?: string } = {}) {
  const { data } = await service.alpha.balanceSummary({ accountNumber, ...view })
  return data.calls.map((call) => ({
    ...call,
    outstanding: Number(call.outstanding),
    sellAmount: call.sellAmount === null ? null : Number(call.sellAmount),
    extensions: call.extensions.map(({ until }) => until),
  }))
}
async function listed(accountNumber: string) {
  const { data } = await service.alpha.listCalls({ accountNumber })
  return data.calls.map(({ kind, dueBy, overdue }) => `${kind} ${dueBy} ${overdue}`)
}
interface Extension {
  readonly accountNumber: string
  readonly kind: string
  readonly issuedOn: string
  readonly until: string
  readonly reason?: string
}
function grant(extension: Extension) {
  return service.operations.operations.grantExtension({ reason, ...extension })
}
async function refusal(extension: Extension): Promise<string> {
  return grant(extension).then(
    () => 'granted',
    (error) => String(error.message),
  )
}

describe('a Regulation T call', () => {
  let account: string
  let day: string
  let due: string

  test('names the deposit and the sale that meet it, and the day of the liquidation', async () => {
    account = await newAccount()
    day = await businessDate()
    due = regTPaymentDate(day)
    const margin = { acctType: '2', tradeDate: day }
    await load(
      line(account, { transType: 'Deposit', netAmount: '6000', ...margin }),
      buy(account, 'AAA', 1500, '12', margin),
    )
    const call = {
      kind: 'Fed',
      issuedOn: day,
      dueBy: due,
      overdue: false,
      outstanding: 3000,
      sellAmount: 6000,
      sellOutOn: addMarketDays(due, 1),
      extensions: [],
    }
    assert.deepEqual(await callsOf(account), [call])
    assert.match(
      await refusal({ accountNumber: account, kind: 'Fed', issuedOn: day, until: addDays(due, 1) }),
      /ERR\.2013/,
    )
    await close()
    assert.deepEqual(await callsOf(account), [call])
  })

  test('is extended by at most one payment period, and again only when that has passed', async () => {
    const call = { accountNumber: account, kind: 'Fed', issuedOn: day }
    const latest = regTPaymentDate(due)
    assert.match(await refusal({ ...call, until: due }), /ERR\.1015.*until/s)
    assert.match(
      await refusal({ ...call, until: addDays(latest, 1) }),
      new RegExp(`by ${latest} at the latest`),
    )
    assert.match(await refusal({ ...call, kind: 'Maintenance', until: latest }), /ERR\.2013/)
    assert.match(await refusal({ ...call, kind: 'House', until: latest }), /ERR\.1/)
    assert.match(await refusal({ ...call, accountNumber: '99999999', until: latest }), /ERR\.2003/)
    assert.match(await refusal({ ...call, until: latest, reason: ' ' }), /ERR\.1/)
    const { data } = await grant({ ...call, until: latest })
    assert.deepEqual(data, { ...call, dueBy: latest, extensions: 1 })
    const again = addMarketDays(latest, 1)
    assert.deepEqual((await grant({ ...call, until: again })).data.extensions, 2)
    const [found] = await callsOf(account)
    assert.deepEqual(
      [found?.dueBy, found?.sellOutOn, found?.extensions],
      [again, addMarketDays(again, 1), [latest, again]],
    )
    // The list shows the extension before the next close.
    assert.deepEqual(await listed(account), [`Fed ${again} false`])
  })

  test('is not overdue while it is extended, and the close of a past day is returned as it was known', async () => {
    const again = addMarketDays(regTPaymentDate(due), 1)
    assert.deepEqual((await callsOf(account, { asOf: day }))[0]?.extensions, [])
    for (let today = await businessDate(); today <= due; today = await businessDate()) await close()
    await close()
    assert.deepEqual(await listed(account), [`Fed ${again} false`])
    for (let today = await businessDate(); today <= again; today = await businessDate()) await close()
    await close()
    assert.deepEqual(await listed(account), [`Fed ${again} true`])
    const late = { accountNumber: account, kind: 'Fed', issuedOn: day, until: addMarketDays(again, 2) }
    assert.match(await refusal(late), /before that day has passed/)
  })

  test('adds an audit row with the reason, and an event', async () => {
    await service.eventsReported()
    const { data } = await service.alpha.listEvents({ types: ['call.extended'] })
    assert.deepEqual(
      data.events.map(({ accountnumber, data: of }) => [accountnumber, of.kind, of.issuedOn]),
      [
        [account, 'Fed', day],
        [account, 'Fed', day],
      ],
    )
    const { rows } = await service.query(
      `select detail::jsonb ->> 'reason' as reason from clearing.audit where action = 'grant-extension' and account_number = $1`,
      [account],
    )
    assert.deepEqual(rows, [{ reason }, { reason }])
  })
})

describe('a payment period of the cash account', () => {
  test('is extended before it ends: the call and the liquidation wait', async () => {
    const account = await newAccount()
    const day = await businessDate()
    const period = regTPaymentDate(day)
    const until = addMarketDays(period, 2)
    await load(buy(account, 'AAA', 100, '50', { tradeDate: day }))
    await close()
    const call = { accountNumber: account, kind: 'Cash', issuedOn: period, until }
    assert.match(await refusal({ ...call, issuedOn: day }), /ERR\.2013/)
    await grant(call)
    for (let today = await businessDate(); today <= period; today = await businessDate()) await close()
    assert.deepEqual(await listed(account), [`Cash ${until} false`])
    const [found] = await callsOf(account)
    assert.deepEqual(
      [found?.kind, found?.dueBy, found?.outstanding, found?.sellAmount, found?.extensions],
      ['Cash', until, 5000, 5000, [until]],
    )
    const liquidations = async () => {
      const { data } = await service.operations.operations.listBreaks({ accountNumber: account })
      return data.breaks.filter(({ kind }) => kind === 'Liquidate').length
    }
    await close()
    assert.equal(await liquidations(), 0)
    for (let today = await businessDate(); today <= until; today = await businessDate()) await close()
    await close()
    assert.equal(await liquidations(), 1)
  })
})

test('balance-summary returns buying power by class', async () => {
  const account = await newAccount()
  await load(line(account, { transType: 'Deposit', netAmount: '10000', acctType: '2' }))
  const { data } = await service.alpha.balanceSummary({ accountNumber: account })
  const powers = Object.fromEntries(data.buyingPowers.map((row) => [row.securityClass, Number(row.amount)]))
  assert.deepEqual(
    [powers.MarginSecurity, powers.Option, powers.NonMargin, powers.Municipal],
    [20_000, 10_000, 10_000, 142_857.14],
  )
  assert.equal(data.buyingPowers[0]?.amount, data.marginBalance.marginBuyingPower)
})

test('buying power of stock with and without loan value spent in full creates no call, and ten dollars more do', async () => {
  const { operations } = service.operations
  const stories = fc.sample(
    fc.record({
      deposit: fc.integer({ min: 500_000, max: 9_000_000 }),
      bought: fc.integer({ min: 0, max: 120 }),
      worth: fc.integer({ min: 70, max: 180 }),
      marginable: fc.boolean(),
    }),
    { numRuns: 6, seed: 20_261_123 },
  )
  const cents = (amount: number) => (amount / 100).toFixed(2)
  /** A new security, bought at its current price. */
  const purchase = async (account: string, symbol: string, price: string, more: object = {}) => {
    const named = { symbol, secTypeName: 'Common Stock', ...more }
    assert.deepEqual((await operations.loadSecurities({ lines: { ndjson: [named] } })).data.rejects, [])
    await priced(symbol, price)
    await load(buy(account, symbol, 1, price, { acctType: '2', tradeDate: await businessDate() }))
  }
  const priced = (symbol: string, price: string) =>
    operations.loadPrices({
      lines: { ndjson: [{ symbol, price, priceType: 'LastClose', priceDate: '2026-01-05T21:00:00Z' }] },
    })
  const callsNow = async (accountNumber: string) => {
    const { data } = await service.alpha.positionSummary({ accountNumber })
    return [data.accumFedAmount, data.maintCallAmount].map(Number)
  }
  for (const [index, { deposit, bought, worth, marginable }] of stories.entries()) {
    const account = await newAccount()
    const tradeDate = await businessDate()
    await load(line(account, { transType: 'Deposit', netAmount: cents(deposit), acctType: '2', tradeDate }))
    if (bought > 0) await purchase(account, `HELD${index}`, cents(Math.round((deposit * bought) / 100)))
    if (bought > 0) await priced(`HELD${index}`, cents(Math.round((deposit * bought * worth) / 10_000)))
    const { data } = await service.alpha.balanceSummary({ accountNumber: account })
    const name = marginable ? 'MarginSecurity' : 'NonMargin'
    const power = data.buyingPowers.find(({ securityClass }) => securityClass === name)
    assert.deepEqual(await callsNow(account), [0, 0])
    assert.ok(Number(power?.amount) > 0)
    await purchase(account, `FULL${index}`, Number(power?.amount).toFixed(2), { marginable })
    assert.deepEqual(await callsNow(account), [0, 0], `${name} ${JSON.stringify(stories[index])}`)
    await purchase(account, `MORE${index}`, '10.00', { marginable })
    assert.ok((await callsNow(account)).some((amount) => amount > 0))
  }
})
