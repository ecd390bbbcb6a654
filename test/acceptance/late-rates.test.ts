/**
 * Cost in another currency at the rate of another day than its trade day. The message reports this rate, and reports a
 * change by a late rate.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await operations().loadSecurities({
    lines: {
      ndjson: [
        ...['EUR', 'GBP', 'JPY', 'CHF', 'USD'].map((currency) => ({ symbol: `S${currency}`, currency })),
      ].map((facts) => ({ ...facts, secTypeName: 'Common Stock' })),
    },
  })
  assert.deepEqual(data.rejects, [])
})
after(() => service?.stop())

type Line = Record<string, string>
function operations() {
  return service.operations.operations
}
async function rates(...ndjson: Line[]) {
  return assert.deepEqual((await operations().loadFxRates({ lines: { ndjson } })).data.rejects, [])
}
let ids = 0
async function buy(acctNo: string, symbol: string, tradeDate: string, fields: Line = {}) {
  ids += 1
  const trade = {
    transType: 'Trade',
    buySell: 'BUY',
    symbol,
    quantity: '10',
    price: '10',
    tradeDate,
    ...fields,
  }
  const { data } = await operations().loadActivity({
    lines: { ndjson: [{ externalId: `L${ids}`, acctNo, ...trade }] },
  })
  assert.deepEqual(data.rejects, [])
}
function newAccount() {
  return openAndFollow(service.alpha, applicationFor('Individual'))
}
/** The message, without its part on prices, and the cost in US dollars. */
async function costOf(accountNumber: string, asOf?: string) {
  const answers = await Promise.all([
    service.alpha.positionSummary({ accountNumber, ...(asOf ? { asOf } : {}) }),
    service.alpha.positionDetail({ accountNumber, ...(asOf ? { asOf } : {}) }),
  ])
  const [summary, detail] = answers.map(({ message }) =>
    (message ?? '').replace(/No price for [^:]*: [^.]*\. ?/, ''),
  )
  assert.equal(summary, detail)
  return [Number(answers[0]?.data.portfolios[0]?.unrealizedGainLoss.cost), summary]
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
function closeDay() {
  return service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
}
function nearest(what: string) {
  return `No exchange rate of the trade day for cost in ${what}: the nearest known counts.`
}
function restated(what: string) {
  return `Cost in ${what} is restated: the rate of that day came later.`
}

test('the rate before the trade day counts and is named until the rate of the day comes: then the cost changes and the message says so until the day is closed', async () => {
  const account = await newAccount()
  await rates({ currency: 'EUR', rate: '1.10', date: '2026-02-06' })
  await buy(account, 'SEUR', '2026-02-10')
  assert.deepEqual(await costOf(account), [110, nearest('EUR of 2026-02-10 (at 2026-02-06)')])
  await closeDay()
  await rates({ currency: 'EUR', rate: '1.20', date: '2026-02-10' })
  const day = await businessDate()
  assert.deepEqual(await costOf(account), [120, restated('EUR of 2026-02-10')])
  await closeDay()
  assert.deepEqual(await costOf(account), [120, ''])
  assert.deepEqual(
    await costOf(account, day),
    [120, restated('EUR of 2026-02-10')],
    'as it was known at the close',
  )
})

test('no cost is restated if the line came with the rate or after it, as when an account is migrated', async () => {
  const [before, same, after] = [await newAccount(), await newAccount(), await newAccount()]
  const transferred = {
    openDate: '2015-05-05',
    cost: '1000',
    transType: 'TransferIn',
    buySell: '',
    price: '',
  }
  await buy(before, 'SEUR', '2026-02-12')
  await closeDay()
  await buy(same, 'SEUR', '2026-02-12')
  await rates(
    { currency: 'EUR', rate: '1.30', date: '2026-02-12' },
    { currency: 'EUR', rate: '1.12', date: '2015-05-05' },
  )
  await buy(same, 'SEUR', '2026-02-20', transferred)
  assert.deepEqual(await costOf(before), [130, restated('EUR of 2026-02-12')])
  assert.deepEqual((await costOf(same))[1], '', 'no closed day had another cost')
  const day = await businessDate()
  await closeDay()
  await buy(after, 'SEUR', '2026-02-12')
  assert.deepEqual(await costOf(after), [130, ''])
  assert.deepEqual((await costOf(before, day))[1], restated('EUR of 2026-02-12'))
  assert.deepEqual((await costOf(same, day))[1], '')
})

test('a day that was closed before the rate came keeps its cost and its mark', async () => {
  const account = await newAccount()
  await rates({ currency: 'GBP', rate: '1.30', date: '2026-03-02' })
  await buy(account, 'SGBP', '2026-03-04')
  const day = await businessDate()
  await closeDay()
  await rates({ currency: 'GBP', rate: '1.25', date: '2026-03-04' })
  assert.deepEqual(await costOf(account, day), [130, nearest('GBP of 2026-03-04 (at 2026-03-02)')])
  assert.deepEqual(await costOf(account), [125, restated('GBP of 2026-03-04')])
})

test('before the start of the table its first rate counts, and several are named together', async () => {
  const account = await newAccount()
  await buy(account, 'SJPY', '2026-03-04', { price: '1000' })
  await buy(account, 'SJPY', '2026-03-05', { price: '1000' })
  await rates({ currency: 'JPY', rate: '0.0070', date: '2026-04-01' })
  const [cost, message] = await costOf(account)
  assert.equal(cost, 140)
  assert.equal(message, nearest('JPY of 2026-03-04 (at 2026-04-01), JPY of 2026-03-05 (at 2026-04-01)'))
})

test('nothing is reported for dollars, for a rate of the feed, and for an existing rate', async () => {
  const [account, withRate, there] = [await newAccount(), await newAccount(), await newAccount()]
  const day = await businessDate()
  await rates({ currency: 'CHF', rate: '1.15', date: day })
  await buy(account, 'SUSD', '2026-03-04')
  await buy(withRate, 'SCHF', '2026-03-04', { fxRate: '1.11' })
  await buy(there, 'SCHF', day)
  assert.deepEqual(await costOf(account), [100, ''])
  assert.deepEqual(await costOf(withRate), [111, ''])
  assert.deepEqual(await costOf(there), [115, ''])
})

test('activity shows the rate that counts: the feed’s own, else the table’s rate of the trade date or the last before it', async () => {
  const account = await newAccount()
  const rateOf = async (view: Line = {}) => {
    const range = {
      accountNumber: account,
      dateFrom: '2026-05-01',
      dateTo: '2026-05-31',
      dateField: 'tradeDate',
    }
    const both = await Promise.all([
      service.alpha.tradeActivity({ ...range, ...view } as never),
      service.alpha.nonTradeActivity({ ...range, ...view } as never),
    ])
    return both.flatMap(({ data }) => data.activity).map(({ fxRate }) => fxRate)
  }
  await rates({ currency: 'CHF', rate: '1.05', date: '2026-05-04' })
  await buy(account, 'SCHF', '2026-05-06')
  await buy(account, 'SCHF', '2026-05-07', { fxRate: '1.0625' })
  await buy(account, 'SUSD', '2026-05-08')
  ids += 1
  const deposit = {
    externalId: `L${ids}`,
    acctNo: account,
    transType: 'Deposit',
    currency: 'CHF',
    netAmount: '5',
  }
  await operations().loadActivity({ lines: { ndjson: [{ ...deposit, tradeDate: '2026-05-06' }] } })
  assert.deepEqual(await rateOf(), ['1.05', '1.0625', '1', '1.05'])
  const day = await businessDate()
  await closeDay()
  await rates({ currency: 'CHF', rate: '1.07', date: '2026-05-06' })
  assert.deepEqual(await rateOf(), ['1.07', '1.0625', '1', '1.07'])
  assert.deepEqual(await rateOf({ knownAt: day }), ['1.05', '1.0625', '1', '1.05'])
})
