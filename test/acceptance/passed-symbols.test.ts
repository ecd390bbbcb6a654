/** A symbol passes to another security. Lines that named the first one by it are repeated and corrected there. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await loadSecurities(
    ...old.map((of) => of.first),
    { symbol: 'OTHER', ...stock },
    { symbol: 'GIVEN', description: 'GIVEN INC', ...stock },
  )
  // The symbols were known at a close.
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
})
after(() => service?.stop())

type Line = Record<string, unknown>
const stock = { secTypeName: 'Common Stock' }
const cusips = [
  '037833100',
  '594918104',
  '023135106',
  '02079K305',
  '88160R101',
  '67066G104',
  '92826C839',
  '478160104',
]
const [
  cusipA = '',
  cusipB = '',
  cusipC = '',
  cusipD = '',
  cusipE = '',
  cusipF = '',
  cusipG = '',
  cusipH = '',
] = cusips
function pair(symbol: string, cusip: string, next: string) {
  return {
    symbol,
    cusip,
    next,
    first: { symbol, cusip, description: `${symbol} FIRST`, ...stock },
    renamed: { symbol: `${symbol}OLD`, cusip },
    second: { symbol, cusip: next, description: `${symbol} SECOND`, ...stock },
  }
}
type Pair = ReturnType<typeof pair>
const [closed, received, waiting, sameDay] = [
  pair('PAS', cusipA, cusipB),
  pair('REC', cusipC, cusipD),
  pair('WAI', cusipE, cusipF),
  pair('DAY', cusipG, cusipH),
]
const old = [closed, received, waiting]

function operations() {
  return service.operations.operations
}
async function loadSecurities(...ndjson: Line[]) {
  const { data } = await operations().loadSecurities({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
}
function newAccount() {
  return openAndFollow(service.alpha, applicationFor('Individual'))
}
/** The first security has another symbol, and its symbol belongs to no security. */
function rename(of: Pair) {
  return loadSecurities(of.renamed)
}
function pass(of: Pair) {
  return loadSecurities(of.second)
}

let ids = 0
function buy(acctNo: string, more: Line = {}): Line {
  ids += 1
  return {
    externalId: `S${ids}`,
    acctNo,
    transType: 'Trade',
    buySell: 'BUY',
    quantity: '100',
    price: '5',
    tradeDate: '2025-03-03',
    ...more,
  }
}
function cancel(of: Line, more: Line = {}): Line {
  return { ...of, externalId: `C${of.externalId}`, cancelType: 'C', tagNo: of.externalId, ...more }
}
async function load(...ndjson: Line[]) {
  const { data } = await operations().loadActivity({ lines: { ndjson } })
  const rejects = data.rejects.map(({ code, field }) => `${code} ${field}`)
  return [data.accepted, data.duplicates, data.conflicts, data.rejected, ...rejects]
}
async function held(accountNumber: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber })
  return data.portfolios.map(({ description, quantity }) => `${description} ${Number(quantity)}`).sort()
}
async function proves(accountNumber: string) {
  assert.deepEqual((await operations().verifyBooks({ accountNumber })).data.breaks, [])
}

describe('after a symbol passed to another security', () => {
  for (const [when, of] of [
    ['on a later day', closed],
    ['on the day on which the security was loaded', sameDay],
  ] as const) {
    test(`${when}, lines that named the first one by it are duplicates, and can be cancelled and rebilled`, async () => {
      const { symbol, cusip, next } = of
      if (of === sameDay) await loadSecurities(of.first)
      const [account, other] = [await newAccount(), await newAccount()]
      const lines = [
        buy(account, { symbol }),
        buy(account, { symbol, quantity: '10' }),
        buy(account, { symbol, cusip, quantity: '1' }),
        buy(other, { symbol }),
      ] as const
      assert.deepEqual(await load(...lines), [4, 0, 0, 0])
      await rename(of)
      assert.deepEqual(await load(...lines), [0, 4, 0, 0], 'no security has the symbol')
      assert.deepEqual(await load(cancel(lines[2], { cusip: undefined })), [1, 0, 0, 0])
      await pass(of)
      assert.deepEqual(await load(...lines), [0, 4, 0, 0])
      assert.deepEqual(await load({ ...lines[0], quantity: '7' }), [0, 0, 1, 0, 'ERR.2018 quantity'])
      // Another security is another one.
      assert.deepEqual(await load({ ...lines[0], symbol: 'OTHER' }), [0, 0, 1, 0, 'ERR.2018 symbol'])
      assert.deepEqual(await load({ ...lines[0], symbol: undefined, cusip: next }), [
        0,
        0,
        1,
        0,
        'ERR.2018 cusip',
      ])
      assert.deepEqual(await load(cancel(lines[0], { symbol: 'OTHER' })), [0, 0, 0, 1, 'ERR.1015 symbol'])
      assert.deepEqual(await load(cancel(lines[0], { cusip: next })), [0, 0, 0, 1, 'ERR.1015 cusip'])
      const cancels = [cancel(lines[0]), cancel(lines[1], { cusip })]
      assert.deepEqual(await load(...cancels), [2, 0, 0, 0])
      assert.deepEqual(await load(...cancels), [0, 2, 0, 0])
      const rebill = {
        ...lines[0],
        externalId: `R${ids}`,
        rebill: 'Y',
        tagNo: lines[0].externalId,
        quantity: '90',
      }
      assert.deepEqual(await load(rebill), [1, 0, 0, 0])
      assert.deepEqual(await load(rebill), [0, 1, 0, 0])
      assert.deepEqual(await held(account), [`${symbol} FIRST 90`])
      // A rebill that names the second security corrects the security.
      const corrected = {
        ...lines[3],
        externalId: `T${ids}`,
        rebill: 'Y',
        tagNo: lines[3].externalId,
        cusip: next,
      }
      assert.deepEqual(await load(cancel(lines[3]), corrected), [2, 0, 0, 0])
      assert.deepEqual(await held(other), [`${symbol} SECOND 100`])
      await proves(account)
      await proves(other)
    })
  }

  test('a new line with the CUSIP of the first one may have the symbol, and one with the symbol alone has the second', async () => {
    const account = await newAccount()
    const { symbol, cusip, next } = closed
    const first = buy(account, { symbol, cusip })
    assert.deepEqual(await load(first, buy(account, { symbol })), [2, 0, 0, 0])
    assert.deepEqual(await load(first), [0, 1, 0, 0])
    assert.deepEqual(await held(account), [`${symbol} FIRST 100`, `${symbol} SECOND 100`])
    assert.deepEqual(await load(buy(account, { symbol: `${symbol}OLD`, cusip: next })), [
      0,
      0,
      0,
      1,
      'ERR.1015 symbol',
    ])
    assert.deepEqual(await load(buy(account, { symbol: 'OTHER', cusip })), [0, 0, 0, 1, 'ERR.1015 symbol'])
    assert.deepEqual(await load(buy(account, { symbol: 'NONE', cusip })), [0, 0, 0, 1, 'ERR.1015 symbol'])
  })

  test('a line that received the first one is a duplicate and can be cancelled', async () => {
    const account = await newAccount()
    const { symbol, next } = received
    const given = buy(account, { symbol: 'GIVEN' })
    const merger: Line = {
      externalId: `M${ids}`,
      acctNo: account,
      transType: 'Merger',
      symbol: 'GIVEN',
      toSymbol: symbol,
      ratio: '1:2',
      tradeDate: '2025-04-01',
    }
    assert.deepEqual(await load(given, merger), [2, 0, 0, 0])
    for (const change of [rename, pass]) {
      await change(received)
      assert.deepEqual(await load(given, merger), [0, 2, 0, 0])
    }
    const other = { ...merger, toSymbol: undefined, toCusip: next }
    assert.deepEqual(await load(other), [0, 0, 1, 0, 'ERR.2018 toCusip'])
    assert.deepEqual(await load(cancel(merger)), [1, 0, 0, 0])
    assert.deepEqual(await held(account), ['GIVEN INC 100'])
    await proves(account)
  })

  test('a pending line is posted in the first one', async () => {
    const account = await newAccount()
    const { symbol, cusip } = waiting
    const { businessDate } = (await service.alpha.sandbox.getClock({})).data
    const tradeDate = addMarketDays(businessDate, 1)
    const line = buy(account, { symbol, tradeDate })
    const taken = buy(account, { symbol, tradeDate, quantity: '10' })
    assert.deepEqual(await load(line, taken), [2, 0, 0, 0])
    const { lines } = (await service.alpha.listPendingLines({ accountNumber: account })).data
    const { rows } = await service.query('select sec_no from clearing.security where cusip = $1', [cusip])
    assert.deepEqual(
      lines.map(({ secNo }) => secNo),
      [String(rows[0].sec_no), String(rows[0].sec_no)],
    )
    await rename(waiting)
    assert.deepEqual(await load(line), [0, 1, 0, 0], 'no security has the symbol')
    assert.deepEqual(await load(cancel(taken)), [1, 0, 0, 0])
    await pass(waiting)
    assert.deepEqual(await load(line, { ...line, secNo: '1' }), [0, 1, 1, 0, 'ERR.2018 secNo'])
    await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
    assert.deepEqual(await held(account), [`${symbol} FIRST 100`])
    assert.deepEqual(await load(line, cancel(taken)), [0, 2, 0, 0])
    assert.deepEqual(await load(cancel(line)), [1, 0, 0, 0])
    assert.deepEqual(await held(account), [])
    await proves(account)
  })
})

test('the stock record of a closed day has the security and the name of that day', async () => {
  const [cusip, next] = ['17275R102', '254687106']
  const of = pair('STK', cusip, next)
  await loadSecurities(of.first)
  const account = await newAccount()
  await load(buy(account, { symbol: 'STK' }))
  const businessDate = async () => (await service.alpha.sandbox.getClock({})).data.businessDate
  const closed = await businessDate()
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
  await rename(of)
  await pass(of)
  const record = async (security: string, asOf?: string) => {
    const { data } = await operations().stockRecord({ security, ...(asOf && { asOf }) })
    return [data.symbol, data.cusip, data.description, Number(data.longQuantity), data.holders.length]
  }
  const then = ['STK', cusip, 'STK FIRST', 100, 1]
  assert.deepEqual(await record('stk', closed), then)
  assert.deepEqual(await record(cusip, closed), then)
  for (const asOf of [undefined, await businessDate()]) {
    assert.deepEqual((await record('STK', asOf)).slice(1), [next, 'STK SECOND', 0, 0])
    assert.equal((await record(cusip, asOf))[0], 'STKOLD')
  }
})
