/**
 * Finds missing lines: matured options and bonds that are still traded or held, and corporate actions that a holder did
 * not receive.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { applicationFor, marginApplication } from './applications.ts'
import { openAndFollow, refusalOf } from './calling.ts'
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
function newAccount() {
  return openAndFollow(service.alpha, marginApplication())
}
function newAccountOfBeta() {
  return openAndFollow(
    service.beta,
    applicationFor('Individual', { entityNumber: '302', main: { repCode: 'BB01' } }),
  )
}
let names = 0
/** A new security for each case. */
async function security(facts: Line = {}): Promise<string> {
  names += 1
  const symbol = `S${names}`
  const { data } = await operations().loadSecurities({
    lines: { ndjson: [{ symbol, secTypeName: 'Common Stock', ...facts }] },
  })
  assert.deepEqual(data.rejects, [])
  return symbol
}
const option = { secTypeName: 'Option', multiplier: '100', underlying: 'XYZ', putCall: 'Call', strike: '50' }
const bond = { secTypeName: 'Corporate Bond', priceDivisor: '100', couponRate: '0' }

let ids = 0
function line(acctNo: string, fields: Line): Line {
  ids += 1
  return { externalId: `M${ids}`, acctNo, tradeDate: '2026-01-05', ...fields }
}
function buy(acctNo: string, symbol: string, fields: Line = {}): Line {
  return line(acctNo, { transType: 'Trade', buySell: 'BUY', symbol, quantity: '10', price: '5', ...fields })
}
async function load(...ndjson: Line[]) {
  const { data } = await operations().loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
}
/** Breaks other than those of activity without entitlement, which other tests cover. */
async function breaksOf(accountNumber: string) {
  const { data } = await operations().listBreaks({ accountNumber })
  return data.breaks.filter(({ kind }) => kind !== 'NotEntitled')
}
async function kindsOf(accountNumber: string) {
  return (await breaksOf(accountNumber)).map(({ kind }) => kind)
}
function closeDay() {
  return service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
}

describe('a trade of a matured security', () => {
  const table: [what: string, facts: Line, tradeDate: string, raised: boolean][] = [
    ['a bond a day after its maturity', { ...bond, maturityDate: '2025-06-30' }, '2025-07-01', true],
    ['a bond years after its maturity', { ...bond, maturityDate: '2001-02-15' }, '2026-01-05', true],
    ['a bond on its last day', { ...bond, maturityDate: '2025-06-30' }, '2025-06-30', false],
    ['an option after its expiration', { ...option, expiration: '2025-12-19' }, '2025-12-22', true],
    ['an option on its last day', { ...option, expiration: '2025-12-19' }, '2025-12-19', false],
    ['a stock', {}, '2025-12-22', false],
  ]
  for (const [what, facts, tradeDate, raised] of table) {
    test(`${raised ? 'is a break that says what to do' : 'is not a break'}: ${what}`, async () => {
      const account = await newAccount()
      await load(buy(account, await security(facts), { tradeDate }))
      const breaks = await breaksOf(account)
      assert.deepEqual(
        breaks.map(({ kind }) => kind),
        raised ? ['TradedAfterEnd'] : [],
      )
      if (raised)
        assert.match(breaks[0]?.reason ?? '', new RegExp(`was traded on ${tradeDate}. Cancel the line, or`))
    })
  }

  test('is no break after its cancel, in the same load and in a later one, and sales and late lines are checked too', async () => {
    const account = await newAccount()
    const symbol = await security({ ...bond, maturityDate: '2025-06-30' })
    const bought = buy(account, symbol, { tradeDate: '2025-06-02' })
    const sold = buy(account, symbol, { buySell: 'SEL', tradeDate: '2025-08-01' })
    const late = buy(account, symbol, { tradeDate: '2025-07-15' })
    const cancelOf = ({ externalId }: Line) =>
      line(account, { tradeDate: undefined, cancelType: 'C', tagNo: externalId })
    await load(bought, sold)
    await load(late)
    assert.deepEqual(await kindsOf(account), ['TradedAfterEnd', 'TradedAfterEnd'])
    await load(cancelOf(late))
    assert.deepEqual(await kindsOf(account), ['TradedAfterEnd'])
    const mistaken = buy(account, symbol, { tradeDate: '2025-09-01' })
    await load(mistaken, cancelOf(mistaken), cancelOf(sold))
    assert.deepEqual(await kindsOf(account), [])
  })
})

test('a trade after a reviewed maturity is no break', async () => {
  const account = await newAccount()
  await load(
    buy(account, await security({ ...bond, maturityDate: '2025-06-30' }), { tradeDate: '2025-07-01' }),
  )
  const { data } = await operations().listWork({ queues: ['Break'], accountNumber: account })
  const workIds = data.work.map(({ workId }) => workId)
  await operations().settleWork({ workIds, reason: 'The issuer extended it.' })
  assert.deepEqual(await kindsOf(account), [])
})

describe('a matured security that is still held', () => {
  const cases: [what: string, facts: Line, held: Line, kind: string, end: Line][] = [
    [
      'a long option that expires',
      { ...option, expiration: '2026-01-16' },
      { quantity: '3', acctType: '2' },
      'ExpiredHeld',
      { transType: 'Expiration', acctType: '2', tradeDate: '2026-01-16' },
    ],
    [
      'a written option that is assigned in cash',
      { ...option, putCall: 'Put', expiration: '2026-02-20' },
      { buySell: 'SSL', acctType: '2', secFee: '0' },
      'ExpiredHeld',
      { transType: 'Assignment', acctType: '2', quantity: '10', netAmount: '-400', tradeDate: '2026-02-20' },
    ],
    [
      'a bond that is repaid',
      { ...bond, maturityDate: '2026-03-01' },
      { acctType: '2' },
      'MaturedHeld',
      { transType: 'Maturity', acctType: '2', tradeDate: '2026-03-02' },
    ],
  ]
  for (const [what, facts, held, kind, end] of cases) {
    test(`is a break from the close until its line comes: ${what}`, async () => {
      const account = await newAccount()
      const symbol = await security(facts)
      const priced = { symbol, price: '3', priceType: 'LastClose', priceDate: '2026-01-02T21:00:00Z' }
      await operations().loadPrices({ lines: { ndjson: [priced] } })
      await load(buy(account, symbol, held))
      assert.deepEqual(await kindsOf(account), [])
      await closeDay()
      const [found, ...others] = await breaksOf(account)
      assert.deepEqual([found?.kind, others.length], [kind, 0])
      assert.match(found?.reason ?? '', /is still held. Load its /)
      const { data, message } = await service.alpha.positionSummary({ accountNumber: account })
      assert.deepEqual(
        data.portfolios.map(({ symbol: of, unrealizedGainLoss }) => `${of} ${unrealizedGainLoss.recon}`),
        [`${symbol} Y`],
      )
      // The last price of the option no longer counts.
      const isOption = kind === 'ExpiredHeld'
      assert.equal(
        message.includes(`held without a price of the underlying: ${symbol}. Valued at 0`),
        isOption,
      )
      assert.equal(Number(data.netMarket) === 0, isOption)
      assert.equal(Number(data.gainLoss) === 0, isOption)
      await closeDay()
      assert.equal((await kindsOf(account)).length, 1, 'it is reported once')
      await load(line(account, { symbol, ...end }))
      assert.deepEqual(await kindsOf(account), [])
    })
  }

  test('keeps a day from being closed without a reason', async () => {
    const account = await newAccount()
    await load(buy(account, await security({ ...bond, maturityDate: '2026-01-31' })))
    await closeDay()
    const { status, rejections } = await refusalOf(service.alpha.sandbox.closeBusinessDay({}))
    assert.equal(status, 409)
    assert.ok(
      rejections.some(({ reason }) => /MaturedHeld \d/.test(reason)),
      JSON.stringify(rejections),
    )
    const refused = rejections.map(({ code }) => code)
    assert.deepEqual(new Set(refused), new Set(['ERR.2017']))
  })

  test('is not one that ends later, was sold, or whose line came in time', async () => {
    const account = await newAccount()
    const [later, sold, reported] = [
      await security({ ...bond, maturityDate: '2040-01-31' }),
      await security({ ...option, expiration: '2026-01-16' }),
      await security({ ...bond, maturityDate: '2026-01-30' }),
    ]
    await load(
      buy(account, later),
      buy(account, sold),
      buy(account, sold, { buySell: 'SEL', secFee: '0', tradeDate: '2026-01-12' }),
      buy(account, reported),
      line(account, { transType: 'Maturity', symbol: reported, tradeDate: '2026-01-30' }),
    )
    await closeDay()
    assert.deepEqual(await kindsOf(account), [])
  })
})

describe('a corporate action', () => {
  const actions: [what: string, fields: Line, needs?: 'other'][] = [
    ['split', { transType: 'Split', ratio: '2:1' }],
    ['reverse split', { transType: 'Split', ratio: '1:5' }],
    ['dividend in shares', { transType: 'StockDividend', ratio: '1:10' }],
    ['merger', { transType: 'Merger', ratio: '1:2' }, 'other'],
    ['spin-off', { transType: 'Spinoff', ratio: '1:5', costShare: '0.2' }, 'other'],
    ['change of name', { transType: 'NameChange' }, 'other'],
    ['return of capital', { transType: 'ReturnOfCapital', netAmount: '1', asOfDate: '2026-02-10' }],
  ]
  for (const [what, fields, needs] of actions) {
    test(`that one account type received and the other did not is a break until it comes: ${what}`, async () => {
      const account = await newAccount()
      const symbol = await security()
      const toSymbol = needs === undefined ? undefined : await security()
      await load(buy(account, symbol), buy(account, symbol, { acctType: '2' }))
      const action = (acctType: string) =>
        line(account, { symbol, toSymbol, acctType, tradeDate: '2026-02-10', ...fields })
      await load(action('1'))
      await closeDay()
      const [found, ...others] = await breaksOf(account)
      assert.deepEqual([found?.kind, others.length], ['ActionMissed', 0])
      assert.match(
        found?.reason ?? '',
        /of 2026-02-10, and account type 2 of this account did not. Load its line/,
      )
      await load(action('2'))
      assert.deepEqual(await kindsOf(account), [])
      await closeDay()
      assert.deepEqual(await kindsOf(account), [])
    })
  }

  test('that one holder received is missing for the others, including other firms and short holders', async () => {
    const symbol = await security()
    const [reported, long, short, other] = [
      await newAccount(),
      await newAccount(),
      await newAccount(),
      await newAccountOfBeta(),
    ]
    await load(
      buy(reported, symbol),
      buy(long, symbol),
      buy(short, symbol, { acctType: '3', buySell: 'SSL', secFee: '0' }),
      buy(other, symbol),
      line(reported, { transType: 'Split', symbol, ratio: '3:2', tradeDate: '2026-02-10' }),
    )
    await closeDay()
    for (const account of [long, short, other])
      assert.deepEqual(await kindsOf(account), ['ActionMissed'], account)
    assert.deepEqual(await kindsOf(reported), [])
    // Their own lines may have another date.
    await load(line(long, { transType: 'Split', symbol, ratio: '3:2', tradeDate: '2026-02-12' }))
    assert.deepEqual(await kindsOf(long), [])
    assert.deepEqual(await kindsOf(other), ['ActionMissed'])
  })

  test('is not missing when the shares were bought or received after it', async () => {
    const symbol = await security()
    const [reported, bought, moved] = [await newAccount(), await newAccount(), await newAccount()]
    await load(
      buy(reported, symbol),
      line(reported, { transType: 'Split', symbol, ratio: '2:1', tradeDate: '2026-02-10' }),
      buy(bought, symbol, { tradeDate: '2026-02-11' }),
      line(moved, {
        transType: 'TransferIn',
        symbol,
        quantity: '10',
        openDate: '2020-01-02',
        cost: '90',
        tradeDate: '2026-02-20',
      }),
    )
    await closeDay()
    for (const account of [reported, bought, moved]) assert.deepEqual(await kindsOf(account), [], account)
  })

  test('is not missing for a holder who chose another option of an announced action', async () => {
    const symbol = await security()
    const [one, other] = [await newAccount(), await newAccount()]
    const first = (await service.alpha.sandbox.getClock({})).data.businessDate
    const [deadline, payDate] = [addMarketDays(first, 1), addMarketDays(first, 2)]
    await load(buy(one, symbol), buy(other, symbol))
    const choice = {
      externalId: `CHOICE-${symbol}`,
      type: 'Dividend',
      symbol,
      exDate: deadline,
      payDate,
      deadline,
      options: [
        { option: 'Cash', type: 'Dividend', cashPerShare: '0.5' },
        { option: 'Shares', type: 'StockDividend', ratio: '1:2' },
      ],
      defaultOption: 'Cash',
    }
    const { data } = await operations().loadCorporateActions({ lines: { ndjson: [choice] } })
    assert.deepEqual(data.rejects, [])
    const elections = [{ option: 'Shares' }]
    await service.alpha.elect({ corporateActionId: choice.externalId, accountNumber: one, elections })
    for (const _ of [first, deadline, payDate]) await closeDay()
    const { entitlements } = (
      await service.alpha.listActionEntitlements({ corporateActionId: choice.externalId })
    ).data
    assert.deepEqual(entitlements.flatMap(({ lines }) => lines.map(({ transType }) => transType)).sort(), [
      'Dividend',
      'StockDividend',
    ])
    assert.deepEqual(await kindsOf(other), [])
    // A line of another action whose id begins with that of the announcement is missing for the others.
    const externalId = `CA-${choice.externalId}-2-${one}-1-1`
    const tradeDate = (await service.alpha.sandbox.getClock({})).data.businessDate
    await load({ ...line(one, { transType: 'Split', symbol, ratio: '2:1', tradeDate }), externalId })
    await closeDay()
    assert.deepEqual(await kindsOf(other), ['ActionMissed'])
  })

  test('that was cancelled is not missing', async () => {
    const symbol = await security()
    const [reported, other] = [await newAccount(), await newAccount()]
    const split = line(reported, { transType: 'Split', symbol, ratio: '2:1', tradeDate: '2026-02-10' })
    await load(buy(reported, symbol), buy(other, symbol), split)
    await closeDay()
    assert.deepEqual(await kindsOf(other), ['ActionMissed'])
    await load(line(reported, { tradeDate: undefined, cancelType: 'C', tagNo: split.externalId }))
    await closeDay()
    assert.deepEqual(await kindsOf(other), [])
  })
})
