/** Bond trades without accrued interest in the feed: the service computes it to settlement, like fees of sales. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let account: string
const bond = {
  priceDivisor: '100',
  secTypeName: 'Corporate Bond',
  couponRate: '5',
  maturityDate: '2040-01-01',
}
before(async () => {
  service = await startRunningService()
  account = await openAndFollow(service.alpha, marginApplication())
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { ...bond, symbol: 'CORP' },
        { ...bond, symbol: 'YEARLY', couponFrequency: '1', dayCount: 'Act365', couponRate: '3.65' },
        { ...bond, symbol: 'USTN', secTypeName: 'Treasury Note', dayCount: 'ActAct', couponRate: '4' },
        { ...bond, symbol: 'ZERO', couponFrequency: '0' },
        { ...bond, symbol: 'YEN', currency: 'JPY' },
        { ...bond, symbol: 'FRESH', issueDate: '2025-02-18' },
        { ...bond, symbol: 'OVER', maturityDate: '2025-01-01' },
        { ...bond, symbol: 'POOL', currentFactor: '0.5' },
        { symbol: 'STOCK', secTypeName: 'Common Stock' },
      ],
    },
  })
  assert.deepEqual(data.rejects, [])
  await service.operations.operations.loadFxRates({
    lines: { ndjson: [{ currency: 'JPY', rate: '0.0067', date: '2025-01-02' }] },
  })
})
after(() => service?.stop())

type Line = Record<string, string>
let ids = 0
/** Settles on 2025-03-04, 63 days of 30/360 after the coupon of 2025-01-01. */
function trade(fields: Line): Line {
  ids += 1
  const usual = { transType: 'Trade', buySell: 'BUY', symbol: 'CORP', quantity: '10000', price: '99' }
  return { externalId: `I${ids}`, acctNo: account, tradeDate: '2025-03-03', ...usual, ...fields }
}
async function load(ndjson: Line[]) {
  return (await service.operations.operations.loadActivity({ lines: { ndjson } })).data
}
async function recordOf({ externalId = '' }: Line) {
  const range = { dateFrom: '2025-01-01', dateTo: '2025-12-31' }
  const { data } = await service.alpha.tradeActivity({ accountNumber: account, ...range })
  const found = data.activity.find(({ tagNo }) => tagNo === externalId)
  assert.ok(found, `no activity of ${externalId}`)
  return [Number(found.interest), Number(found.netAmount)]
}

const table: [what: string, fields: Line, interest: number, netAmount: number][] = [
  ['a purchase', {}, 87.5, -9987.5],
  [
    'a sale',
    { buySell: 'SEL', secFee: '0', quantity: '5000', price: '100', tradeDate: '2025-04-01' },
    63.19,
    5063.19,
  ],
  [
    'a short sale',
    { acctType: '3', symbol: 'USTN', buySell: 'SSL', secFee: '0', quantity: '1000', price: '100' },
    6.85,
    1006.85,
  ],
  ['a trade that settles later, and accrues longer', { settleDate: '2025-03-10' }, 95.83, -9995.83],
  ['a yearly coupon by actual days', { symbol: 'YEARLY', price: '100' }, 62, -10062],
  ['a bond before its first coupon', { symbol: 'FRESH' }, 22.22, -9922.22],
  ['yen, without cents', { symbol: 'YEN' }, 88, -9988],
  ['half the face of a pool', { symbol: 'POOL' }, 43.75, -4993.75],
  ['a trade that settles on the day of the coupon', { tradeDate: '2025-06-30' }, 0, -9900],
  ['no coupons', { symbol: 'ZERO' }, 0, -9900],
  ['a bond that has been repaid', { symbol: 'OVER' }, 0, -9900],
  ['a stock', { symbol: 'STOCK', quantity: '10' }, 0, -990],
  ['a feed that gives the interest', { interest: '80.00' }, 80, -9980],
  ['a feed that gives an interest of zero', { interest: '0' }, 0, -9900],
  ['a net amount that includes it', { netAmount: '-9987.50' }, 87.5, -9987.5],
  ['a net amount that excludes it', { netAmount: '-9900.00' }, 0, -9900],
  [
    'the net amount of a pool, which may have another factor',
    { symbol: 'POOL', netAmount: '-5678.90' },
    0,
    -5678.9,
  ],
]

describe('accrued interest that the feed omits', () => {
  for (const [what, fields, interest, netAmount] of table) {
    test(`of ${what}: ${interest}`, async () => {
      const line = trade(fields)
      assert.deepEqual((await load([line])).rejects, [])
      assert.deepEqual(await recordOf(line), [interest, netAmount])
    })
  }

  test('is part of no cost, is reversed by a cancel, and does not make a repeated line different', async () => {
    const line = trade({ quantity: '20000' })
    const [first, again] = [await load([line]), await load([line])]
    assert.deepEqual([first.accepted, again.duplicates, again.conflicts], [1, 1, 0])
    const detail = await service.alpha.positionDetail({ accountNumber: account })
    const lot = detail.data.portfolios.find(({ quantity }) => Number(quantity) === 20_000)
    assert.equal(Number(lot?.unrealizedGainLoss.cost), 19_800)
    const cancel = { externalId: 'IC', acctNo: account, cancelType: 'C', tagNo: line.externalId ?? '' }
    assert.deepEqual((await load([cancel])).rejects, [])
    const { data } = await service.operations.operations.verifyBooks({ accountNumber: account })
    assert.deepEqual(data.breaks, [])
  })

  test('is refused when the net amount agrees neither with it nor without it', async () => {
    const { rejects } = await load([trade({ netAmount: '-9950.00' })])
    assert.deepEqual(
      rejects.map(({ code, field }) => `${code} ${field}`),
      ['ERR.1015 netAmount'],
    )
  })
})

test('a maturity that is not after the issue is refused, also of a bond that is stored', async () => {
  const matures = { ...bond, maturityDate: '2030-01-15' }
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { ...matures, symbol: 'DAYAFTER', issueDate: '2030-01-14' },
        { ...matures, symbol: 'SAMEDAY', issueDate: '2030-01-15' },
        { ...matures, symbol: 'DAYLATER', issueDate: '2030-01-16' },
        { ...matures, symbol: 'NOISSUE' },
        { symbol: 'NOISSUE', issueDate: '2030-01-15' },
        { symbol: 'DAYAFTER', maturityDate: '2030-01-14' },
        { symbol: 'DAYAFTER', description: 'CHANGED' },
      ],
    },
  })
  assert.deepEqual(
    data.rejects.map(({ line, code, field }) => [line, code, field]),
    [2, 3, 5, 6].map((number) => [number, 'ERR.1024', 'maturityDate']),
  )
  assert.equal(data.accepted, 3)
})
