/** The intraday margin deficit on days on which more than trades changes an account. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { type Line, line, load, newAccount, service, startBeforeTests } from './booked-lines.ts'
import { goBeforeClose } from './close-of-day.ts'

startBeforeTests()

let yesterday = ''
let today = ''

async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function setPrices(prices: Record<string, string>) {
  const { now: priceDate } = (await service.alpha.sandbox.getClock({})).data
  const quotes = Object.entries(prices).map(([symbol, price]) => {
    return { symbol, price, priceType: 'LastClose', priceDate }
  })
  const { data } = await service.operations.operations.loadPrices({ lines: { ndjson: quotes } })
  assert.deepEqual(data.rejects, [])
}
async function close() {
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'A test.' } })
}
async function deficitOf(accountNumber: string, view: { asOf?: string; knownAt?: string } = {}) {
  const { data } = await service.alpha.balanceSummary({ accountNumber, ...view })
  return Number(data.openCall.dayTradeCall)
}

function trade(buySell: string, symbol: string, quantity: number, price: number, more: Line = {}): Line {
  return {
    transType: 'Trade',
    buySell,
    symbol,
    quantity: String(quantity),
    price: String(price),
    secFee: '0',
    ...more,
  }
}
function buy(symbol: string, quantity: number, price: number, more: Line = {}) {
  return trade('BUY', symbol, quantity, price, more)
}
function sell(symbol: string, quantity: number, price: number, more: Line = {}) {
  return trade('SEL', symbol, quantity, price, more)
}
function cash(netAmount: number, more: Line = {}): Line {
  return { transType: netAmount < 0 ? 'Withdrawal' : 'Deposit', netAmount: String(netAmount), ...more }
}
function late(): Line {
  return { tradeDate: yesterday }
}
function moved(transType: string, symbol: string, quantity: number, more: Line = {}): Line {
  const from = transType === 'TransferIn' ? { openDate: '2020-01-02', cost: '1000' } : {}
  return { transType, symbol, quantity: String(quantity), ...from, ...more }
}

interface Case {
  /** The lines of yesterday: by default, 40,000 of stock on 10,000 of equity, which leaves no excess. */
  readonly held?: readonly Line[]
  /** What arrives today, dated today by default. */
  readonly lines: readonly Line[]
  readonly deficit: number
  readonly level?: number
}

const full = [cash(20_000), buy('HELD', 800, 50), cash(-10_000)]
const duplicate = buy('MORE', 400, 100)
const dayTrade = [buy('NEXT', 800, 100), sell('NEXT', 800, 100)]
const more = [buy('NEXT', 400, 100)]

/** A case without a deficit ends with a level of 0, unless `level` states another. */
const cases: Record<string, () => Case> = {
  'a purchase without excess': () => ({ lines: more, deficit: 10_000 }),
  'a deposit of yesterday that arrives today': () => ({
    lines: [cash(10_000, late()), ...more],
    deficit: 0,
  }),
  'a deposit of yesterday that arrives after the purchase': () => ({
    lines: [...more, cash(10_000, late())],
    deficit: 0,
  }),
  'a deposit of today after the purchase': () => ({ lines: [...more, cash(10_000)], deficit: 10_000 }),
  'a purchase of yesterday that arrives today': () => ({
    lines: [buy('NEXT', 400, 100, late())],
    deficit: 0,
    level: -10_000,
  }),
  'and another purchase today': () => ({
    lines: [buy('NEXT', 400, 100, late()), buy('NEXT', 4, 100)],
    deficit: 10_100,
  }),
  'stock that is transferred in': () => ({
    lines: [moved('TransferIn', 'MORE', 400), buy('NEXT', 1_200, 100)],
    deficit: 0,
  }),
  'stock that is transferred in after the purchase': () => ({
    lines: [...more, moved('TransferIn', 'MORE', 400)],
    deficit: 10_000,
  }),
  'stock that is transferred out': () => ({ lines: [moved('TransferOut', 'HELD', 400)], deficit: 15_000 }),
  'stock from the cash account': () => ({
    held: [...full, cash(40_000, { acctType: '1' }), buy('MORE', 400, 100, { acctType: '1' })],
    lines: [
      moved('Journal', 'MORE', -400, { acctType: '1' }),
      moved('Journal', 'MORE', 400),
      buy('NEXT', 1_200, 100),
    ],
    deficit: 0,
  }),
  'cash between both types of the margin account': () => ({
    lines: [
      { transType: 'Journal', netAmount: '-5000' },
      { transType: 'Journal', netAmount: '5000', acctType: '3' },
    ],
    deficit: 0,
  }),
  'a purchase of yesterday that is cancelled': () => ({
    held: [cash(20_000), buy('HELD', 800, 50), duplicate],
    lines: [{ ...duplicate, ...late(), cancelType: 'C', tagNo: 'yesterday 2' }, ...more],
    deficit: 0,
  }),
  'stock that a merger pays out': () => ({
    held: [cash(20_000), buy('PAID', 800, 50), cash(-10_000)],
    lines: [{ transType: 'Merger', symbol: 'PAID', cashPerShare: '50' }, ...dayTrade],
    deficit: 10_000,
  }),
  'a Treasury that matures': () => ({
    held: [cash(2_000), buy('BILL', 100_000, 100, { interest: '0' })],
    lines: [{ transType: 'Maturity', symbol: 'BILL', quantity: '100000' }, ...dayTrade],
    deficit: 18_000,
  }),
  'a purchase of a fund': () => ({ held: [cash(10_000)], lines: [buy('FUND', 1_000, 10)], deficit: 0 }),
  'a larger purchase of a fund': () => ({
    held: [cash(10_000)],
    lines: [buy('FUND', 1_500, 10)],
    deficit: 5_000,
  }),
  'a fund that is bought and sold': () => ({
    held: [cash(10_000)],
    lines: [buy('FUND', 1_500, 10), sell('FUND', 1_500, 10)],
    deficit: 5_000,
  }),
  'a fund that has loan value': () => ({
    lines: [moved('TransferIn', 'FUND', 4_000), buy('NEXT', 1_200, 100)],
    deficit: 0,
  }),
  'a fee': () => ({ lines: [{ transType: 'Fee', netAmount: '-25' }], deficit: 0, level: -25 }),
  'a fee, and a purchase after it': () => ({
    lines: [{ transType: 'Fee', netAmount: '-25' }, buy('NEXT', 4, 100)],
    deficit: 125,
  }),
  'a journal of cash to the cash account': () => ({
    lines: [
      { transType: 'Journal', netAmount: '-500' },
      { transType: 'Journal', netAmount: '500', acctType: '1' },
    ],
    deficit: 500,
  }),
  'a fee between trades of one order': () => ({
    lines: [{ transType: 'Fee', netAmount: '-25' }, ...dayTrade],
    deficit: 20_025,
  }),
  'stock that is split': () => ({
    held: [cash(30_000), buy('HALF', 400, 100)],
    lines: [{ transType: 'Split', symbol: 'HALF', ratio: '2:1' }, buy('NEXT', 800, 100)],
    deficit: 0,
  }),
  'calls on stock that rises later': () => ({
    held: [cash(20_000)],
    lines: [sell('CALL', 8, 5), cash(-4_000)],
    deficit: 0,
  }),
}

async function loadSecurities() {
  const stocks = ['HELD', 'NEXT', 'MORE', 'PAID', 'HALF', 'RISE'].map((symbol) => {
    return { symbol, secTypeName: 'Common Stock' }
  })
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        ...stocks,
        { symbol: 'FUND', secTypeName: 'Mutual Fund' },
        {
          symbol: 'BILL',
          secTypeName: 'US Treasury',
          priceDivisor: '100',
          couponRate: '4',
          couponFrequency: '2',
          issueDate: '2020-01-02',
          maturityDate: today,
        },
        {
          symbol: 'CALL',
          secTypeName: 'Equity Option',
          underlying: 'RISE',
          putCall: 'Call',
          strike: '100',
          multiplier: '100',
          expiration: '2090-12-15',
        },
      ],
    },
  })
  assert.deepEqual(data.rejects, [])
}

const accounts = new Map<string, string>()

async function deficits(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, account] of accounts) found[name] = await deficitOf(account)
  return found
}

/** Each name with the value of its case. */
function expected(figureOf: (one: Case) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(cases).map(([name, make]) => [name, figureOf(make())]))
}

describe('the intraday margin deficit', () => {
  before(async () => {
    yesterday = await businessDate()
    today = addMarketDays(yesterday, 1)
    await goBeforeClose(service, yesterday)
    await loadSecurities()
    const hundred = { NEXT: '100', MORE: '100', HALF: '100', RISE: '100', BILL: '100' }
    await setPrices({ ...hundred, HELD: '50', PAID: '50', FUND: '10', CALL: '5' })
    for (const [name, make] of Object.entries(cases)) {
      const account = await newAccount()
      accounts.set(name, account)
      const { held = full } = make()
      const lines = held.map((fields, at) => {
        return line(account, {
          tradeDate: yesterday,
          acctType: '2',
          ...fields,
          externalId: `yesterday ${at} ${account}`,
        })
      })
      await load(...lines)
    }
    await close()
    assert.equal(await businessDate(), today)
    await goBeforeClose(service, today)
    await setPrices({ HALF: '50', RISE: '135', CALL: '40' })
  })

  test('follows transfers, journals, late lines, cancels and corporate actions', async () => {
    for (const [name, account] of accounts) {
      for (const fields of cases[name]?.().lines ?? []) {
        const { tagNo } = fields
        const tagged = tagNo === undefined ? {} : { tagNo: `${tagNo} ${account}` }
        await load(line(account, { tradeDate: today, acctType: '2', ...fields, ...tagged }))
      }
    }
    assert.deepEqual(
      await deficits(),
      expected(({ deficit }) => deficit),
    )
  })

  test('is one dollar if one dollar more is withdrawn', async () => {
    const exact = [...accounts].filter(([name]) => cases[name]?.().deficit === 0)
    await load(...exact.map(([, account]) => line(account, { tradeDate: today, acctType: '2', ...cash(-1) })))
    assert.deepEqual(
      await deficits(),
      expected(({ deficit, level = 0 }) => (deficit === 0 ? 1 - level : deficit)),
    )
  })

  test('is as it was known at the close of its day, unless the request asks for what is known now', async () => {
    const account = accounts.get('a purchase without excess') ?? ''
    await close()
    assert.equal(await deficitOf(account, { asOf: today }), 10_000)
    await load(line(account, { acctType: '2', ...cash(4_000, late()) }))
    await load(line(account, { acctType: '2', ...cash(1_000, { tradeDate: today }) }))
    // The deposit of the day came after the purchase.
    assert.equal(await deficitOf(account, { asOf: today }), 10_000)
    assert.equal(await deficitOf(account, { asOf: today, knownAt: 'now' }), 6_000)
    assert.equal(await deficitOf(account, { asOf: yesterday, knownAt: 'now' }), 0)
    // The call of the last close: the next close counts the deposits.
    assert.equal(await deficitOf(account), 10_000)
  })
})
