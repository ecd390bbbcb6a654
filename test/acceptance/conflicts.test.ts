/**
 * A line with a known id and other contents is not a duplicate. It is counted as a conflict and reported with each
 * differing field (ERR.2018).
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'AAA', cusip: '037833100', description: 'AAA CORP', secTypeName: 'Common Stock' },
        { symbol: 'BBB', secTypeName: 'Common Stock' },
        { symbol: 'POOL', couponRate: '5', maturityDate: '2040-01-01', currentFactor: '0.9' },
        { symbol: 'OPT', putCall: 'Call', strike: '10', expiration: '2037-12-18', underlying: 'AAA' },
      ],
    },
  })
  assert.equal(data.accepted, 4)
})
after(() => service?.stop())

type Line = Record<string, unknown>
function newAccount() {
  return openAndFollow(service.alpha, marginApplication())
}
async function load(...lines: Line[]) {
  return (await service.operations.operations.loadActivity({ lines: { ndjson: lines } })).data
}
function counts(data: Awaited<ReturnType<typeof load>>) {
  return [data.received, data.accepted, data.duplicates, data.conflicts, data.rejected]
}
function named(data: Awaited<ReturnType<typeof load>>) {
  return data.rejects.map(({ line, code, field }) => [line, code, field])
}

let ids = 0
function buy(acctNo: string, more: Line = {}): Line {
  ids += 1
  return {
    externalId: `K${ids}`,
    acctNo,
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'AAA',
    quantity: '100',
    price: '50',
    commission: '4.95',
    tradeDate: '2025-03-03',
    note: 'FIRST',
    ...more,
  }
}

describe('a line with a known id', () => {
  const others: readonly (readonly [field: string, change: Line, named?: string])[] = [
    ['quantity', { quantity: '101' }],
    ['price', { price: '50.01' }],
    ['price', { price: undefined, netAmount: '-5004.95' }],
    ['commission', { commission: undefined }],
    ['netAmount', { netAmount: '-5004.96' }],
    ['secFee', { secFee: '0.01' }],
    ['buySell', { buySell: 'SEL', secFee: '0', quantity: '-100' }],
    ['cusip', { symbol: 'BBB' }, 'symbol'],
    ['acctType', { acctType: '2' }],
    ['tradeDate', { tradeDate: '2025-03-04' }],
    ['settleDate', { settleDate: '2025-03-10' }],
    [
      'transType',
      { transType: 'Dividend', buySell: undefined, quantity: undefined, price: undefined, netAmount: '5' },
    ],
    ['lotId', { lotId: 'K0' }],
    ['orderId', { orderId: 'O1' }],
    ['note', { note: 'SECOND' }],
    ['note', { note: undefined }],
    ['description', { description: 'OTHER WORDS' }],
    ['rebill', { rebill: 'Y', tagNo: 'K0' }],
    ['activityTypeViewsList', { activityTypeViewsList: ['ONE', 'TWO'] }],
  ]
  for (const [what, change, field = what] of others) {
    test(`and another ${what} is a conflict with the differing field, in the same load and in a later one`, async () => {
      const account = await newAccount()
      const line = buy(account)
      const other = { ...line, ...change }
      for (const [lines, expected] of [
        [
          [line, other],
          [2, 1, 0, 1, 0],
        ],
        [
          [other, line],
          [2, 0, 1, 1, 0],
        ],
      ] as const) {
        const data = await load(...lines)
        assert.deepEqual(counts(data), expected, JSON.stringify(data.rejects))
        const at = lines.indexOf(other) + 1
        assert.ok(
          data.rejects.some(
            ({ line: number, code, field: is }) => number === at && code === 'ERR.2018' && is === field,
          ),
          JSON.stringify(data.rejects),
        )
        assert.ok(data.rejects.every(({ line: number, code }) => number === at && code === 'ERR.2018'))
      }
      const { data } = await service.alpha.positionSummary({ accountNumber: account })
      assert.deepEqual(
        data.portfolios.map(({ symbol, quantity }) => [symbol, Number(quantity)]),
        [['AAA', 100]],
      )
    })
  }

  test('and another account is a conflict, and neither account has it twice', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const line = buy(one)
    const data = await load(line, { ...line, acctNo: other })
    assert.deepEqual([counts(data), named(data)], [[2, 1, 0, 1, 0], [[2, 'ERR.2018', 'acctNo']]])
    assert.match(
      data.rejects[0]?.reason ?? '',
      new RegExp(`externalId ${line.externalId} is stored with another acctNo`),
    )
    const { data: loaded } = await service.operations.operations.getLoad({ loadId: data.loadId })
    const rejects = loaded.rejects.map(({ sent: _, acceptedBy: _by, ...reject }) => reject)
    assert.deepEqual([loaded.conflicts, loaded.rejected, rejects], [1, 0, data.rejects])
    const { data: listed } = await service.operations.operations.listLoads({ size: 1 })
    assert.deepEqual(
      listed.loads.map(({ loadId, conflicts }) => [loadId, conflicts]),
      [[data.loadId, 1]],
    )
  })

  const spellings: readonly (readonly [what: string, first: Line, again: Line])[] = [
    ['numbers', {}, { quantity: 100, price: '50.000', commission: '4.950' }],
    ['dates', {}, { tradeDate: '20250303' }],
    ['names of fields', {}, { note: undefined, Note: 'FIRST' }],
    ['identifiers', {}, { symbol: undefined, cusip: '037833100' }],
    ['account type', {}, { acctType: 'Cash' }],
    ['amounts left out or given', {}, { netAmount: '-5004.95' }],
    [
      'amounts given or left out',
      { netAmount: '-5004.95', settleDate: '2025-03-04', secFee: '0' },
      { settleDate: undefined, netAmount: undefined, secFee: undefined },
    ],
    ['sides', { buySell: 'SEL', secFee: '0', quantity: '10' }, { quantity: '-10' }],
    ['texts of blanks', { note: '' }, { note: '  ' }],
    [
      'amounts of more places',
      {
        transType: 'Fee',
        buySell: undefined,
        symbol: undefined,
        quantity: undefined,
        price: undefined,
        commission: undefined,
        netAmount: '-1.005',
      },
      { netAmount: '-1.01' },
    ],
  ]
  for (const [what, first, again] of spellings) {
    test(`spelled differently is a duplicate: ${what}`, async () => {
      const line = buy(await newAccount(), first)
      const data = await load(line, { ...line, ...again })
      assert.deepEqual([counts(data), named(data)], [[2, 1, 1, 0, 0], []])
      const later = await load({ ...line, ...again })
      assert.deepEqual([counts(later), named(later)], [[1, 0, 1, 0, 0], []])
    })
  }

  test('is the same whatever its kind, and whatever the service has learned since', async () => {
    const account = await newAccount()
    const of = (transType: string, more: Line) => buy(account, { ...nothing, transType, ...more })
    const nothing = { buySell: undefined, price: undefined, commission: undefined, quantity: undefined }
    const bought = buy(account)
    const lines = [
      bought,
      { externalId: 'KC', acctNo: account, cancelType: 'C', tagNo: bought.externalId },
      buy(account, { rebill: 'Y', tagNo: bought.externalId, quantity: '90' }),
      buy(account, { buySell: 'SEL', quantity: '10', orderId: 'O9', lotId: 'NONE' }),
      of('TransferIn', { symbol: 'POOL', quantity: '1000', cost: '900', openDate: '2020-01-02' }),
      of('Redemption', { symbol: 'POOL', quantity: '100', price: '99', tradeDate: '2025-03-05' }),
      of('Redemption', { symbol: 'POOL', quantity: '100', tradeDate: '2025-03-06' }),
      of('Split', { ratio: '3:2', cashInLieu: '1.50', tradeDate: '2025-03-07' }),
      of('Merger', {
        toSymbol: 'BBB',
        ratio: '1:2',
        cashPerShare: '0.25',
        costShare: '0.5',
        tradeDate: '2025-04-01',
      }),
      of('ReturnOfCapital', {
        symbol: 'BBB',
        netAmount: '3',
        asOfDate: '2025-04-02',
        tradeDate: '2025-04-03',
      }),
      of('Exercise', {
        symbol: 'OPT',
        quantity: '1',
        toSymbol: 'AAA',
        netAmount: '-1000',
        tradeDate: '2025-04-04',
      }),
      of('Deposit', { symbol: undefined, netAmount: '12.345', currency: 'EUR' }),
      of('Deposit', { symbol: undefined, netAmount: '12.345', currency: 'EUR', fxRate: '1.1' }),
      of('Interest', { symbol: undefined, netAmount: '-2', processDate: '2025-03-09' }),
    ]
    assert.deepEqual(counts(await load(...lines)), [lines.length, lines.length, 0, 0, 0])
    await service.operations.operations.loadSecurities({
      lines: {
        ndjson: [
          {
            symbol: 'AAA',
            description: 'AAA HOLDINGS',
            industryGroupName: 'Ships',
            secTypeCode: 'S',
            sedol: '0263494',
          },
          { symbol: 'POOL', currentFactor: '0.8' },
        ],
      },
    })
    const again = await load(...lines)
    assert.deepEqual([counts(again), named(again)], [[lines.length, 0, lines.length, 0, 0], []])
  })

  test('is compared with the stored line, however often it is sent', async () => {
    const line = buy(await newAccount())
    const other = { ...line, quantity: '7' }
    await load(line)
    const data = await load(other, line, other, { ...line, price: '1' })
    assert.deepEqual(counts(data), [4, 0, 1, 3, 0])
    assert.deepEqual(named(data), [
      [1, 'ERR.2018', 'quantity'],
      [3, 'ERR.2018', 'quantity'],
      [4, 'ERR.2018', 'price'],
    ])
  })
})

describe('facts with a key', () => {
  const key = { priceType: 'LastClose', priceDate: '2025-06-30T20:00:00Z' }
  const price = (symbol: string, amount: string, more: Line = {}) => ({
    symbol,
    price: amount,
    ...key,
    ...more,
  })

  test('and other values are conflicts of their loads', async () => {
    const { operations } = service.operations
    const ndjson = [price('AAA', '5'), price('BBB', '7'), price('AAA', '5.0'), price('AAA', '6')]
    const { data } = await operations.loadPrices({ lines: { ndjson } })
    assert.deepEqual([counts(data), named(data)], [[4, 2, 1, 1, 0], [[4, 'ERR.2018', 'price']]])
    const later = await operations.loadPrices({ lines: { ndjson: [price('AAA', '5'), price('BBB', '8')] } })
    assert.deepEqual([counts(later.data), named(later.data)], [[2, 0, 1, 1, 0], [[2, 'ERR.2018', 'price']]])

    const rate = (amount: string, date = '2025-06-30') => ({ currency: 'EUR', rate: amount, date })
    await operations.loadFxRates({ lines: { ndjson: [rate('1.1')] } })
    const rates = await operations.loadFxRates({
      lines: { ndjson: [rate('1.2', '2025-07-01'), rate('1.10'), rate('1.2')] },
    })
    assert.deepEqual([counts(rates.data), named(rates.data)], [[3, 1, 1, 1, 0], [[3, 'ERR.2018', 'rate']]])

    const account = await newAccount()
    const report = (more: Line) => ({
      acctNo: account,
      symbol: 'AAA',
      asOfDate: '2025-06-30',
      quantity: '3',
      ...more,
    })
    await operations.loadHeldAway({ lines: { ndjson: [report({ cost: '10' })] } })
    const away = await operations.loadHeldAway({
      lines: { ndjson: [report({ cost: '10.00' }), report({ quantity: '4' })] },
    })
    assert.deepEqual(counts(away.data), [2, 0, 1, 1, 0])
    assert.deepEqual(named(away.data), [
      [2, 'ERR.2018', 'quantity'],
      [2, 'ERR.2018', 'cost'],
    ])
  })
})

test('history of any day since 1900 is accepted', async () => {
  const account = await newAccount()
  const lines = ['1900-01-01', '1929-10-28', '1969-12-31', '1970-01-01'].map((tradeDate) =>
    buy(account, { tradeDate, settleDate: undefined }),
  )
  assert.deepEqual(counts(await load(...lines)), [4, 4, 0, 0, 0])
  const early = await load(buy(account, { tradeDate: '1899-12-31' }))
  assert.deepEqual(named(early), [[1, 'ERR.1024', 'tradeDate']])
  const { data } = await service.alpha.positionDetail({ accountNumber: account })
  assert.deepEqual(
    data.portfolios.map(({ unrealizedGainLoss }) => unrealizedGainLoss.openDate.slice(0, 10)),
    ['1900-01-01', '1929-10-28', '1969-12-31', '1970-01-01'],
  )
  const activity = await service.alpha.tradeActivity({
    accountNumber: account,
    dateFrom: '1900-01-01',
    dateTo: '1909-12-31',
  })
  assert.deepEqual(
    activity.data.activity.map(({ processDate }) => processDate),
    ['19000101'],
  )
  const { data: proof } = await service.operations.operations.verifyBooks({ accountNumber: account })
  assert.deepEqual(proof.breaks, [])
})
