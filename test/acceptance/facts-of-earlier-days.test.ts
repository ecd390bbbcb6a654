/** Prices, reports and announcements of earlier days that name a symbol which has passed to another security since. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import {
  announced,
  book,
  buy,
  closeDay,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'
import { newCusip } from './written-on-stock.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
function counts({ data }: { data: { accepted: number; duplicates: number; rejects: readonly unknown[] } }) {
  return [data.accepted, data.duplicates, data.rejects]
}
const accepted = [1, 0, []]
const duplicate = [0, 1, []]

async function loadPrice(symbol: string, value: string, day: string, more: Line = {}) {
  const priceDate = startOfEasternDay(day).toISOString()
  const ndjson = [{ symbol, price: value, priceType: 'LastClose', priceDate, ...more }]
  return counts(await operations().loadPrices({ lines: { ndjson } }))
}
async function loadAway(acctNo: string, facts: Line) {
  const ndjson = [{ acctNo, acctType: '1', custodian: 'Bayside Trust', cost: '500', ...facts }]
  return counts(await operations().loadHeldAway({ lines: { ndjson } }))
}
async function loadLocation(symbol: string, asOfDate: string) {
  const ndjson = [{ location: 'DTC', symbol, asOfDate, quantity: '100' }]
  return counts(await operations().loadLocationPositions({ lines: { ndjson } }))
}
async function worthOf(accountNumber: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber })
  return [Number(data.totalAccountValue), Number(data.assetsHeldAway)]
}
async function pricesOf(cusip: string) {
  const { rows } = await service.query(
    `select price::numeric(20, 2)::text, (priced_at at time zone 'America/New_York')::date::text as day
     from clearing.price join clearing.security using (sec_no) where cusip = $1 order by priced_at, price.price`,
    [cusip],
  )
  return rows.map(({ price, day }) => `${Number(price)} of ${day}`)
}

let symbols = 0
/** A holder of 100 shares, and of 60 at another custodian. The symbol then passes in a reverse split of one for ten. */
async function passed() {
  symbols += 1
  const [symbol, former] = [`PST${symbols}`, `PSO${symbols}`]
  const [cusip, toCusip] = [newCusip(), newCusip()]
  await newSecurity({ symbol, cusip })
  const [account, before] = [await newAccount(), await today()]
  const priced = addDays(before, -4)
  const sent = {
    price: () => loadPrice(symbol, '10', priced),
    away: () => loadAway(account, { symbol, asOfDate: before, quantity: '60' }),
    location: () => loadLocation(symbol, before),
  }
  for (const send of Object.values(sent)) assert.deepEqual(await send(), accepted)
  await book(buy(account, symbol, '100', before))
  const value = await worthOf(account)
  await closeDay()
  const day = await today()
  const lines = [
    { symbol: former, cusip },
    { symbol, cusip: toCusip, secTypeName: 'Common Stock' },
  ]
  const { data } = await operations().loadSecurities({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
  await announced({ type: 'Split', cusip, toCusip, ratio: '1:10', exDate: day, payDate: day })
  return { account, symbol, former, cusip, toCusip, priced, before, day, value, sent }
}

describe('after a symbol passed to another security', () => {
  test('prices and reports of the day before are duplicates, and the value stays', async () => {
    const { account, value, sent, toCusip } = await passed()
    assert.deepEqual(value, [600, 600])
    assert.deepEqual(await worthOf(account), value)
    for (const send of Object.values(sent)) {
      assert.deepEqual(await send(), duplicate)
      assert.deepEqual(await worthOf(account), value)
    }
    assert.deepEqual(await pricesOf(toCusip), [])
  })

  test('a price means the security that had the symbol at the end of its day', async () => {
    const { symbol, former, cusip, toCusip, priced, before, day } = await passed()
    const after = addDays(day, 1)
    assert.deepEqual(await loadPrice(symbol, '11', priced, { correctionId: `C${symbol}` }), accepted)
    assert.deepEqual(await loadPrice(symbol, '9', before), accepted)
    assert.deepEqual(await loadPrice(symbol, '12', addDays(day, -1), { priceType: 'CurrentSnap' }), accepted)
    assert.deepEqual(await loadPrice(symbol, '100', day), accepted)
    assert.deepEqual(await loadPrice(symbol, '101', after), accepted)
    // No security had the later symbol of the first one before.
    assert.deepEqual(await loadPrice(former, '8', addDays(priced, -1)), accepted)
    assert.deepEqual(await pricesOf(toCusip), [`100 of ${day}`, `101 of ${after}`])
    const own = [`8 of ${addDays(priced, -1)}`, `10 of ${priced}`, `9 of ${before}`]
    assert.deepEqual(await pricesOf(cusip), [...own, `12 of ${addDays(day, -1)}`])
  })

  test('a price of the security received from before the exchange leaves the carried price', async () => {
    const { account, toCusip, priced } = await passed()
    assert.deepEqual(await loadPrice(undefined as never, '10', priced, { cusip: toCusip }), accepted)
    assert.deepEqual(await worthOf(account), [600, 600])
  })

  test('a report of the same custodian for the security received ends the one of the security given', async () => {
    const { account, symbol, day, before } = await passed()
    assert.deepEqual(
      await loadAway(account, { symbol, asOfDate: day, quantity: '5', custodian: 'Other' }),
      accepted,
    )
    await closeDay()
    assert.deepEqual(await worthOf(account), [1_100, 1_100])
    const asOfDate = await today()
    assert.deepEqual(await loadAway(account, { symbol, asOfDate, quantity: '6' }), accepted)
    await closeDay()
    assert.deepEqual(await worthOf(account), [1_100, 1_100])
    const { data } = await service.alpha.positionSummary({ accountNumber: account, asOf: before })
    assert.equal(Number(data.assetsHeldAway), 600)
  })
})

test('an announcement that is sent again is a duplicate after both of its symbols have passed', async () => {
  symbols += 1
  const [symbol, toSymbol] = [`PSA${symbols}`, `PSB${symbols}`]
  const stocks = [
    { symbol, cusip: newCusip() },
    { symbol: toSymbol, cusip: newCusip() },
  ]
  for (const stock of stocks) await newSecurity(stock)
  const exDate = addMarketDays(await today(), 3)
  const terms = { type: 'Spinoff', symbol, exDate, payDate: exDate, ratio: '1:4', costShare: '0.2', toSymbol }
  const choice = {
    ...{
      type: 'Merger',
      symbol,
      exDate,
      payDate: addMarketDays(exDate, 5),
      deadline: exDate,
      defaultOption: 'S',
    },
    options: [
      { option: 'C', cashPerShare: '1' },
      { option: 'S', toSymbol, ratio: '1:10' },
    ],
  }
  const lines: Line[] = [
    { externalId: `${symbol}-1`, ...terms },
    { externalId: `${symbol}-2`, ...choice },
    { externalId: `${symbol}-3`, amends: `${symbol}-1`, ...terms, ratio: '1:5' },
  ]
  const load = async () => counts(await operations().loadCorporateActions({ lines: { ndjson: lines } }))
  assert.deepEqual(await load(), [3, 0, []])
  await closeDay()
  const others = stocks.flatMap(({ symbol: name, cusip }) => [
    { symbol: `${name}O`, cusip },
    { symbol: name, cusip: newCusip(), secTypeName: 'Common Stock' },
  ])
  assert.deepEqual((await operations().loadSecurities({ lines: { ndjson: others } })).data.rejects, [])
  assert.deepEqual(await load(), [0, 3, []])
})
