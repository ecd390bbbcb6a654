/**
 * Corrections of rates, prices, and positions held away and at locations: a line with a correctionId. All figures
 * follow, and days that were closed before remain as they were known.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>

let service: RunningService
before(async () => {
  service = await startRunningService()
  const ndjson = [
    ...['NOK', 'SEK', 'DKK', 'CHF'].map((currency) => ({ symbol: `S${currency}`, currency })),
    { symbol: 'USS' },
    { symbol: 'LOC' },
  ].map((facts) => ({ ...facts, secTypeName: 'Common Stock' }))
  const fund = { symbol: 'FUND', secTypeName: 'Money Market Fund', moneyMarket: true }
  const { data } = await kinds().loadSecurities({ lines: { ndjson: [...ndjson, fund] } })
  assert.deepEqual(data.rejects, [])
})
after(() => service?.stop())

function kinds() {
  return service.operations.operations
}
interface Loaded {
  readonly accepted: number
  readonly duplicates: number
  readonly conflicts: number
  readonly rejected: number
  readonly rejects: readonly { readonly code: string; readonly field: string; readonly reason: string }[]
}
function loader(load: (body: { lines: { ndjson: Line[] } }) => Promise<{ data: Loaded }>) {
  return async (...ndjson: Line[]) => {
    const { data } = await load({ lines: { ndjson } })
    const { accepted, duplicates, conflicts, rejected, rejects } = data
    return { counts: [accepted, duplicates, conflicts, rejected], rejects }
  }
}
const rates = loader((body) => kinds().loadFxRates(body))
const prices = loader((body) => kinds().loadPrices(body))
const heldAway = loader((body) => kinds().loadHeldAway(body))
const locations = loader((body) => kinds().loadLocationPositions(body))
function accepted(count = 1) {
  return { counts: [count, 0, 0, 0], rejects: [] }
}
function duplicates(count = 1) {
  return { counts: [0, count, 0, 0], rejects: [] }
}
function reasonOf({ rejects }: Pick<Loaded, 'rejects'>) {
  return rejects.map(({ code, field, reason }) => [code, field, reason])
}

let ids = 0
async function trade(acctNo: string, buySell: string, fields: Line) {
  ids += 1
  const line = { externalId: `F${ids}`, acctNo, transType: 'Trade', buySell, secFee: '0', ...fields }
  const { data } = await kinds().loadActivity({ lines: { ndjson: [line] } })
  assert.deepEqual(data.rejects, [])
}
function newAccount() {
  return openAndFollow(service.alpha, applicationFor('Individual'))
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
function closeDay() {
  return service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
}
const everything = { dateFrom: '2020-01-01', dateTo: '2029-12-31' }
/** Cost and value of the position, closings, form rows and rates of lines in US dollars. */
async function figuresOf(accountNumber: string, view: Line = {}) {
  const asked = { accountNumber, ...view }
  const [summary, gains, form, activity] = await Promise.all([
    service.alpha.positionSummary(asked),
    service.alpha.realizedGains({ ...asked, ...everything }),
    service.alpha.taxReport({ ...asked, year: 2025 }),
    service.alpha.tradeActivity({ ...accountNumberAnd(view, accountNumber), ...everything } as never),
  ])
  return {
    cost: Number(summary.data.portfolios[0]?.unrealizedGainLoss.cost),
    value: Number(summary.data.totalAccountValue),
    gains: gains.data.closings.map(({ proceeds, cost, gainLoss }) => [proceeds, cost, gainLoss].map(Number)),
    form: form.data.rows.map(({ proceeds, cost, gainLoss }) => [proceeds, cost, gainLoss].map(Number)),
    fxRates: activity.data.activity.map(({ fxRate }) => Number(fxRate)),
  }
}
/** trade-activity has no asOf. */
function accountNumberAnd({ knownAt, asOf }: Line, accountNumber: string) {
  const known = knownAt ?? asOf
  return { accountNumber, ...(known === undefined ? {} : { knownAt: known }) }
}
/** The responses as they came, without the id of the call. */
async function bytesOf(accountNumber: string, asOf: string) {
  const range = { accountNumber, ...everything }
  // Closing a day moves the clock past the life of a token.
  const body = new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' })
  const answer = await fetch(`${service.address}/identity/connect/token`, { method: 'POST', body })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const ask = async (operation: string, asked: Line) => {
    const { status, text } = await service.post(operation, asked, { authorization: `Bearer ${token}` })
    assert.equal(status, 200, text)
    return text.replace(/"traceId":"[^"]*"/, '')
  }
  return Promise.all([
    ask('position-summary', { accountNumber, asOf }),
    ask('position-detail', { accountNumber, asOf }),
    ask('balance-summary', { accountNumber, asOf }),
    ask('realized-gains', { ...range, asOf }),
    ask('tax-report', { accountNumber, year: 2025, asOf }),
    ask('trade-activity', { ...range, knownAt: asOf }),
  ])
}

describe('an exchange rate', () => {
  test('is corrected by a line with a correctionId, and cost, gains, forms and activity follow', async () => {
    const account = await newAccount()
    const wrong = { currency: 'NOK', rate: '9.45', date: '2025-05-05' }
    const right = { ...wrong, rate: '0.0945' }
    assert.deepEqual(await rates(wrong, { currency: 'NOK', rate: '0.095', date: '2025-05-06' }), accepted(2))
    await trade(account, 'BUY', { symbol: 'SNOK', quantity: '100', price: '10', tradeDate: '2025-05-05' })
    await trade(account, 'SEL', { symbol: 'SNOK', quantity: '50', price: '11', tradeDate: '2025-05-06' })
    const before = await figuresOf(account)
    assert.deepEqual(before.gains, [[52.25, 4725, -4672.75]])

    const refused = await rates(right)
    assert.deepEqual(refused.counts, [0, 0, 1, 0])
    assert.deepEqual(reasonOf(refused), [
      [
        'ERR.2018',
        'rate',
        'A fact with this key is stored with another rate. To correct it, send the line with a correctionId.',
      ],
    ])
    assert.deepEqual(await figuresOf(account), before)

    assert.deepEqual(await rates({ ...right, correctionId: 'FIX-1' }), accepted())
    const after = await figuresOf(account)
    assert.deepEqual(after.gains, [[52.25, 47.25, 5]])
    assert.deepEqual([after.cost, after.form, after.fxRates], [47.25, [[52.25, 47.25, 5]], [0.0945, 0.095]])
    assert.deepEqual((await kinds().verifyBooks({})).data.breaks, [])
  })

  test('is corrected once by a file that is sent again, also after a further correction', async () => {
    const account = await newAccount()
    const wrong = { currency: 'SEK', rate: '9.1', date: '2025-05-05' }
    const first = { ...wrong, rate: '0.91', correctionId: 'FIX-1' }
    const second = { ...wrong, rate: '0.091', correctionId: 'FIX-2' }
    assert.deepEqual(await rates(wrong, first), accepted(2))
    assert.deepEqual(await rates(wrong, first), duplicates(2))
    await trade(account, 'BUY', { symbol: 'SSEK', quantity: '100', price: '10', tradeDate: '2025-05-05' })
    const costNow = async () => (await figuresOf(account)).cost
    assert.equal(await costNow(), 910)
    assert.deepEqual(await rates(second), accepted())
    assert.deepEqual(await rates(wrong, first), duplicates(2))
    assert.equal(await costNow(), 91)
    assert.deepEqual(await rates({ ...wrong, correctionId: 'BACK' }, second), {
      counts: [1, 1, 0, 0],
      rejects: [],
    })
    assert.equal(await costNow(), 9100, 'the first rate again')

    const other = await rates({ ...second, rate: '0.092' })
    assert.deepEqual(
      [other.counts, reasonOf(other).map(([code, field]) => [code, field])],
      [[0, 0, 1, 0], [['ERR.2018', 'rate']]],
    )
    const unfounded = await rates({ ...second, date: '2025-05-04' }, { ...second, date: '2025-05-04' })
    assert.deepEqual(unfounded.counts, [0, 0, 0, 2])
    assert.deepEqual(reasonOf(unfounded)[0], [
      'ERR.2003',
      'correctionId',
      'There is no fact with this key that the line could correct.',
    ])
    assert.equal(await costNow(), 9100)
  })

  test('that is corrected after a close leaves the closed day as it was known', async () => {
    const account = await newAccount()
    await rates({ currency: 'DKK', rate: '1.5', date: '2025-05-05' })
    await trade(account, 'BUY', { symbol: 'SDKK', quantity: '10', price: '10', tradeDate: '2025-05-05' })
    await trade(account, 'SEL', { symbol: 'SDKK', quantity: '5', price: '10', tradeDate: '2025-05-06' })
    const day = await businessDate()
    await closeDay()
    const closed = await bytesOf(account, day)
    const before = await figuresOf(account, { asOf: day })
    assert.deepEqual([before.cost, before.gains], [75, [[75, 75, 0]]])

    assert.deepEqual(
      await rates({ currency: 'DKK', rate: '0.15', date: '2025-05-05', correctionId: 'A' }),
      accepted(),
    )
    const corrected = { cost: 7.5, gains: [[7.5, 7.5, 0]], form: [[7.5, 7.5, 0]], fxRates: [0.15, 0.15] }
    const { value: _, ...now } = await figuresOf(account)
    assert.deepEqual(now, corrected)
    assert.deepEqual(await bytesOf(account, day), closed)
    const { value, ...nowOfThatDay } = await figuresOf(account, { asOf: day, knownAt: 'now' })
    assert.deepEqual(nowOfThatDay, corrected)
    const { data } = await service.alpha.listCorrections({ accountNumber: account })
    assert.deepEqual(
      data.days.map(({ date, value: values }) => [date, Number(values.now)]),
      [[day, value]],
    )

    const next = await businessDate()
    await closeDay()
    assert.deepEqual(await bytesOf(account, day), closed)
    await rates({ currency: 'DKK', rate: '0.16', date: '2025-05-05', correctionId: 'B' })
    assert.equal((await figuresOf(account, { asOf: next })).cost, 7.5)
    assert.equal((await figuresOf(account)).cost, 8)
    assert.deepEqual(await bytesOf(account, day), closed)
    assert.deepEqual((await kinds().verifyBooks({})).data.breaks, [])
  })
})

describe('a report of another custodian', () => {
  test('is corrected for its account alone, now and not as known before', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    const day = await businessDate()
    await prices({ symbol: 'USS', price: '10', priceType: 'LastClose', priceDate: day })
    const report = { custodian: 'OB', symbol: 'USS', asOfDate: day, quantity: '5', cost: '40' }
    assert.deepEqual(
      await heldAway({ ...report, acctNo: account }, { ...report, acctNo: other }),
      accepted(2),
    )
    const away = async (accountNumber: string, view: Line = {}) => {
      const { data } = await service.alpha.positionSummary({ accountNumber, ...view })
      return Number(data.assetsHeldAway)
    }
    await closeDay()
    const closed = await bytesOf(account, day)
    assert.deepEqual((await heldAway({ ...report, acctNo: account, quantity: '50' })).counts, [0, 0, 1, 0])
    const right = { ...report, acctNo: account, quantity: '50', cost: undefined, correctionId: 'C1' }
    assert.deepEqual(await heldAway(right), accepted())
    assert.deepEqual(await heldAway(right), duplicates())
    assert.deepEqual([await away(account), await away(other)], [500, 50])
    assert.equal(await away(account, { asOf: day }), 50)
    assert.deepEqual(await bytesOf(account, day), closed)
    assert.equal(await away(account, { asOf: day, knownAt: 'now' }), 500)
    assert.deepEqual(await heldAway({ ...right, quantity: '0', correctionId: 'C2' }), accepted())
    assert.equal(await away(account), 0)
    assert.deepEqual((await heldAway({ ...right, custodian: 'OTHER' })).counts, [0, 0, 0, 1])
    await closeDay()
    assert.deepEqual((await kinds().verifyBooks({})).data.breaks, [])
  })
})

test('a position at a location is corrected, and its difference ends', async () => {
  const account = await newAccount()
  const asOfDate = await businessDate()
  await trade(account, 'BUY', { symbol: 'LOC', quantity: '50', price: '1', tradeDate: '2025-05-05' })
  const report = { location: 'DTC', asOfDate, symbol: 'LOC', quantity: '5' }
  assert.deepEqual(await locations(report), accepted())
  const differenceOf = async () =>
    (await kinds().listLocationDifferences({ size: 100 })).data.differences.find(
      ({ symbol }) => symbol === 'LOC',
    )?.difference
  assert.equal(await differenceOf(), '-45')
  const right = { ...report, quantity: '50', correctionId: 'C1' }
  assert.deepEqual(await locations(right), accepted())
  assert.deepEqual(await locations(report, right), duplicates(2))
  assert.equal(await differenceOf(), undefined)
})

describe('a price', () => {
  test('is corrected at its time stamp, and closed days keep the price that they knew', async () => {
    const account = await newAccount()
    const day = await businessDate()
    await trade(account, 'BUY', { symbol: 'SCHF', quantity: '10', price: '9', tradeDate: '2025-05-05' })
    await rates({ currency: 'CHF', rate: '1', date: '2025-05-05' })
    const wrong = { symbol: 'SCHF', price: '100', priceType: 'LastClose', priceDate: '2025-05-06T15:00:00Z' }
    assert.deepEqual(await prices(wrong), accepted())
    const value = async (view: Line = {}) => {
      const { data } = await service.alpha.positionSummary({ accountNumber: account, ...view })
      return Number(data.portfolios[0]?.marketValue)
    }
    assert.equal(await value(), 1000)
    assert.deepEqual(await prices({ ...wrong, price: '11', correctionId: 'P1' }), accepted())
    assert.equal(await value(), 110)
    await closeDay()
    const closed = await bytesOf(account, day)
    assert.deepEqual(await prices({ ...wrong, price: '12', correctionId: 'P2' }), accepted())
    assert.deepEqual(
      await prices(wrong, { ...wrong, price: '11', correctionId: 'P1' }, { ...wrong, price: '12' }),
      duplicates(3),
    )
    assert.deepEqual([await value(), await value({ asOf: day })], [120, 110])
    assert.equal(await value({ asOf: day, knownAt: 'now' }), 120)
    assert.deepEqual(await bytesOf(account, day), closed)
    await closeDay()
    assert.deepEqual((await kinds().verifyBooks({})).data.breaks, [])
  })

  test('of a fund can get a yield, another yield, or none', async () => {
    const account = await newAccount()
    await trade(account, 'BUY', {
      symbol: 'FUND',
      quantity: '36500',
      price: '1',
      tradeDate: '2025-05-05',
    })
    const earned = async () => {
      const { data } = await service.alpha.balanceSummary({ accountNumber: account })
      return Number(data.availableWithdrawal.pendingMoneyMarketInterest)
    }
    /** The interest of a night of the next close. */
    const nightAt = async (correctionId: string | undefined, fundYield: string | undefined) => {
      const line = {
        ...{ symbol: 'FUND', price: '1', priceType: 'LastClose', priceDate: '2025-05-05T12:00:00Z' },
        ...{ yield: fundYield, correctionId },
      }
      assert.deepEqual(await prices(line), accepted())
      const before = await earned()
      const day = await businessDate()
      await closeDay()
      const nights = (Date.parse(await businessDate()) - Date.parse(day)) / 86_400_000
      return ((await earned()) - before) / nights
    }
    assert.equal(await nightAt(undefined, undefined), 0)
    assert.equal(await nightAt('Y1', '1'), 1)
    assert.equal(await nightAt('Y2', '2'), 2)
    assert.equal(await nightAt('Y3', undefined), 0)
    assert.deepEqual((await kinds().verifyBooks({})).data.breaks, [])
  })
})
