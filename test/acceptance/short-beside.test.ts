/** Shares held beside a short sale: realized gains, positions, the forms of the year and the stored books agree. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'AAA', cusip: '037833100', secTypeName: 'Common Stock', description: 'AAA CORP' },
        { symbol: 'OLD', cusip: '594918104', secTypeName: 'Common Stock', description: 'OLD CORP' },
      ],
    },
  })
  assert.deepEqual(data.rejects, [])
})
after(() => service?.stop())

let ids = 0
function trade(acctNo: string, buySell: string, tradeDate: string, fields: Line): Line {
  ids += 1
  const externalId = `B${ids}`
  const common = {
    symbol: 'AAA',
    quantity: '100',
    acctType: buySell === 'SSL' || buySell === 'BCV' ? '3' : '2',
  }
  return { externalId, acctNo, transType: 'Trade', buySell, tradeDate, secFee: '0', ...common, ...fields }
}

async function load(...lines: Line[]) {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
}

async function verify(accountNumber: string) {
  const { data } = await service.operations.operations.verifyBooks({ accountNumber })
  assert.deepEqual(data.breaks, [])
}

async function rowsOf(accountNumber: string, year: number) {
  const { data } = await service.alpha.taxReport({ accountNumber, year })
  return data.rows.map((row) => [row.box, row.dateAcquired, row.gainLoss, row.term])
}

async function gainsOf(accountNumber: string) {
  const { data } = await service.alpha.realizedGains({
    accountNumber,
    dateFrom: '2019-01-01',
    dateTo: '2027-12-31',
  })
  const { shortTerm, longTerm } = data.totals
  return {
    closings: data.closings.map((row) => [row.gainLoss, row.openDate, row.holdingStart, row.term]),
    sums: [shortTerm.gainLoss, longTerm.gainLoss],
  }
}

async function termsOf(accountNumber: string) {
  const { data } = await service.alpha.positionDetail({ accountNumber })
  return data.portfolios.map((row) => [Number(row.quantity), row.unrealizedGainLoss.term])
}

// Publication 550, Short Sales, example 2, in later years.
test('the holding period begins when the short sale closes, also after late lines and cancels', async () => {
  const account = await openAndFollow(service.alpha, applicationFor('Individual'))
  const bought = trade(account, 'BUY', '2021-05-04', { price: '10' })
  const soldShort = trade(account, 'SSL', '2021-10-04', { price: '16' })
  const covered = trade(account, 'BCV', '2021-11-02', { price: '18' })
  await load(bought, soldShort)
  assert.deepEqual(await termsOf(account), [
    [100, 'Short'],
    [-100, 'Short'],
  ])
  await verify(account)
  await load(covered)
  assert.deepEqual(await termsOf(account), [[100, 'Long']])
  await load(trade(account, 'SEL', '2022-06-03', { price: '18' }))
  assert.deepEqual(await gainsOf(account), {
    closings: [
      [-200, '2021-10-04', '2021-10-04', 'Short'],
      [800, '2021-05-04', '2021-11-02', 'Short'],
    ],
    sums: [600, 0],
  })
  assert.deepEqual(await rowsOf(account, 2022), [['A', '2021-05-04', 800, 'Short']])
  await verify(account)

  // Late: the account held other shares for more than one year, so the loss is Long. FIFO sells these shares.
  await load(trade(account, 'BUY', '2020-10-01', { price: '12' }))
  assert.deepEqual(await gainsOf(account), {
    closings: [
      [-200, '2021-10-04', '2021-10-04', 'Long'],
      [600, '2020-10-01', '2020-10-01', 'Long'],
    ],
    sums: [0, 400],
  })
  assert.deepEqual(await rowsOf(account, 2021), [['D', '2021-11-02', -200, 'Long']])
  await verify(account)

  const cancels = [soldShort, covered].map(({ externalId }) => {
    ids += 1
    return { externalId: `B${ids}`, acctNo: account, cancelType: 'C', tagNo: externalId }
  })
  await load(...cancels, trade(account, 'SEL', '2022-06-06', { price: '18' }))
  assert.deepEqual((await gainsOf(account)).closings, [
    [600, '2020-10-01', '2020-10-01', 'Long'],
    [800, '2021-05-04', '2021-05-04', 'Long'],
  ])
  assert.deepEqual(await rowsOf(account, 2021), [])
  await verify(account)
})

test('a loss beside shares held for more than one year is Long for as many shares', async () => {
  const account = await openAndFollow(service.alpha, applicationFor('Individual'))
  await load(
    trade(account, 'BUY', '2020-01-06', { symbol: 'OLD', quantity: '60', price: '10' }),
    trade(account, 'SSL', '2021-10-04', { symbol: 'OLD', price: '16' }),
    trade(account, 'BCV', '2021-11-02', { symbol: 'OLD', price: '18' }),
  )
  assert.deepEqual(await gainsOf(account), {
    closings: [
      [-120, '2021-10-04', '2021-10-04', 'Long'],
      [-80, '2021-10-04', '2021-10-04', 'Short'],
    ],
    sums: [-80, -120],
  })
  assert.deepEqual(await rowsOf(account, 2021), [
    ['D', '2021-11-02', -120, 'Long'],
    ['A', '2021-11-02', -80, 'Short'],
  ])
  await verify(account)
})
