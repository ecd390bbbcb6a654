/**
 * Journals that deliver shares held long against a short position, or move them to another account type, in every view
 * of the books, through the sdk.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationOf } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.loadSecurities({
    lines: { ndjson: [{ symbol: 'BOX', secTypeName: 'Common Stock', description: 'BOX CORP' }] },
  })
  assert.deepEqual(data.rejects, [])
})
after(() => service?.stop())

type Line = Record<string, unknown>
let ids = 0
function line(acctNo: string, fields: Line): Line & { externalId: string } {
  ids += 1
  return { externalId: `S${ids}`, acctNo, symbol: 'BOX', tradeDate: '2026-01-05', ...fields }
}
async function load(...lines: Line[]) {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
}
function journals(acctNo: string, quantity: number, fields: Line = {}) {
  const journal = { transType: 'Journal', ...fields }
  return [
    line(acctNo, { ...journal, acctType: '1', quantity: String(-quantity) }),
    line(acctNo, { ...journal, acctType: '3', quantity: String(quantity) }),
  ] as const
}

/** A margin account with 100 shares that cost 4,400, and a short sale of 100 for 5,000. */
async function openBox(): Promise<string> {
  const account = await openAndFollow(
    service.alpha,
    applicationOf({}, { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  const trade = { transType: 'Trade', quantity: '100', secFee: '0', tradeDate: '2025-03-03' }
  await load(
    line(account, { ...trade, buySell: 'BUY', acctType: '1', price: '44' }),
    line(account, { ...trade, buySell: 'SSL', acctType: '3', price: '50' }),
  )
  return account
}
async function gainsOf(accountNumber: string, view: Line = {}) {
  const range = { dateFrom: '2020-01-01', dateTo: '2029-12-31' }
  const { data } = await service.alpha.realizedGains({ accountNumber, ...range, ...view })
  return data.closings.map(({ kind, acctType, quantity, proceeds, cost, gainLoss }) => {
    return [kind, acctType, quantity, proceeds, cost, gainLoss]
  })
}
async function heldIn(accountNumber: string, view: Line = {}) {
  const { data } = await service.alpha.positionSummary({ accountNumber, ...view })
  return data.portfolios.map(({ acctType, quantity }) => [acctType, Number(quantity)])
}
async function agrees(accountNumber: string) {
  const { data } = await service.operations.operations.verifyBooks({ accountNumber })
  assert.deepEqual([data.verified, data.breaks], [true, []])
  assert.deepEqual((await service.operations.operations.listBreaks({ accountNumber })).data.breaks, [])
}

const both = [
  ['Cash', 100],
  ['Short', -100],
]
const covered = ['Cover', 'Short', -100, -4400, -5000, 600]

test('the gain is realized and reported, whichever journal comes first, and the books agree', async () => {
  for (const order of ['as they are', 'reversed']) {
    const account = await openBox()
    const pair = journals(account, 100)
    await load(...(order === 'reversed' ? pair.toReversed() : pair))
    assert.deepEqual([await gainsOf(account), await heldIn(account)], [[covered], []], order)
    const { data } = await service.alpha.taxReport({ accountNumber: account, year: 2026 })
    assert.deepEqual(
      data.rows.map(({ description, proceeds, cost, gainLoss }) => [description, proceeds, cost, gainLoss]),
      [['100 sh. BOX CORP (short sale)', 5000, 4400, 600]],
    )
    await agrees(account)
  }
})

test('shares that are journalled in by an earlier load than out keep their cost, and are sold with a gain', async () => {
  const account = await openBox()
  const [out, into] = journals(account, 60)
  await load({ ...into, acctType: '2' })
  await agrees(account)
  await load(out)
  await agrees(account)
  const sale = { transType: 'Trade', buySell: 'SEL', quantity: '60', price: '54', secFee: '0' }
  await load(line(account, { ...sale, acctType: '2', tradeDate: '2026-01-06' }))
  assert.deepEqual(await gainsOf(account), [['Sale', 'Margin', 60, 3240, 2640, 600]])
  assert.deepEqual(await heldIn(account), [
    ['Cash', 40],
    ['Short', -100],
  ])
  await agrees(account)
})

test('a part closes a part, and a cancel and a rebill of a journal open and close it again', async () => {
  const account = await openBox()
  const [out, into] = journals(account, 100)
  await load(out, into)
  const cancel = { ...out, externalId: `${out.externalId}C`, cancelType: 'C', tagNo: out.externalId }
  await load(cancel)
  // Only the short position is journalled, which therefore leaves the account.
  assert.deepEqual([await gainsOf(account), await heldIn(account)], [[], [['Cash', 100]]])
  await agrees(account)
  const rebill = { ...out, externalId: `${out.externalId}R`, rebill: 'Y', tagNo: out.externalId }
  await load({ ...rebill, quantity: '-60' })
  assert.deepEqual(await gainsOf(account), [['Cover', 'Short', -60, -2640, -3000, 360]])
  assert.deepEqual(await heldIn(account), [['Cash', 40]])
  await agrees(account)
})

test('journals for a closed day are in what is known now, and not in what was known at its close', async () => {
  const account = await openBox()
  const { businessDate: day } = (await service.alpha.sandbox.getClock({})).data
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'BOX has no price.' } })
  await load(...journals(account, 100, { tradeDate: day }))
  const atClose = { asOf: day }
  assert.deepEqual([await gainsOf(account, atClose), await heldIn(account, atClose)], [[], both])
  const now = { asOf: day, knownAt: 'now' }
  assert.deepEqual([await gainsOf(account, now), await heldIn(account, now)], [[covered], []])
  await agrees(account)
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'BOX has no price.' } })
  assert.deepEqual([await gainsOf(account), await heldIn(account)], [[covered], []])
  await agrees(account)
})
