import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { operations as contract } from '@clearing/protocol'
import { createClient } from '@clearing/sdk'
import { readConfig } from '../config/config.ts'
import { makeTestFolder } from '../database/test-folder.ts'
import { createLog } from '../observe/log.ts'
import { type Service, startService } from '../service.ts'

let folder: string
let service: Service
let alpha: ReturnType<typeof createClient>
let operations: ReturnType<typeof createClient>

async function start(): Promise<void> {
  service = await startService(readConfig({ PORT: '0', DATA_DIR: folder }, []), createLog('silent'))
  const baseUrl = service.address
  alpha = createClient({ baseUrl, clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' })
  operations = createClient({ baseUrl, clientId: 'operations', clientSecret: 'operations-sandbox-secret' })
}

before(async () => {
  folder = await makeTestFolder('clearing-demonstration-')
  await start()
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function summaryOf(accountNumber: string) {
  return (await alpha.positionSummary({ accountNumber })).data
}
async function positionsOf(accountNumber: string) {
  return (await summaryOf(accountNumber)).portfolios.map(({ symbol, quantity }) => [symbol, Number(quantity)])
}

describe('the demonstration accounts', () => {
  it('exist when the service becomes ready', async () => {
    const ready = await fetch(`${service.address}/health/ready`)
    assert.equal(ready.status, 200)
    for (let number = 30_100_001; number <= 30_100_009; number += 1) {
      const { data } = await alpha.getAccount({ accountNumber: `${number}` })
      assert.equal('accountStatus' in data && data.accountStatus, 'Open', `${number}`)
    }
  })

  it('have no open follow-up for a tax form', async () => {
    for (let number = 30_100_001; number <= 30_100_009; number += 1) {
      const { data } = await alpha.onboardingResult({ accountNumber: `${number}` })
      const owed = data.followUps.filter(
        ({ code, status }) => code === 'W9Certification' && status === 'Open',
      )
      assert.deepEqual(owed, [], `${number}`)
    }
  })

  it('have six equities after two years with dividends and a split', async () => {
    assert.deepEqual(await positionsOf('30100001'), [
      ['ANCR', 200],
      ['HRBR', 700],
      ['LUMN8', 200],
      ['PIERS', 700],
      ['QUAY', 400],
      ['TIDL', 400],
    ])
    const today = new Date().toISOString().slice(0, 10)
    const others = await alpha.nonTradeActivity({
      accountNumber: '30100001',
      dateFrom: `${Number(today.slice(0, 4)) - 3}${today.slice(4, 8)}01`,
      dateTo: today,
    })
    const kinds = new Set(others.data.activity.map(({ transType }) => transType))
    assert.deepEqual([...kinds].sort(), ['Deposit', 'Dividend', 'Fee', 'Interest', 'Split'])
  })

  it('have an open federal call and an open maintenance call', async () => {
    const summary = await summaryOf('30100002')
    // Half of the 14,284.95 bought today is due, less 895.04 of SMA from the deposit.
    assert.equal(Number(summary.fedCallAmount), 6_247.44)
    assert.equal(Number(summary.accumFedAmount), 6_247.44)
    // A quarter of 80,775.00 less equity of 8,280.15.
    assert.equal(Number(summary.maintCallAmount), 11_913.6)
    assert.equal(Number(summary.buyingPower), 0)
  })

  it('have bonds and a pool with a factor that have accrued interest', async () => {
    const summary = await summaryOf('30100003')
    assert.ok(Number(summary.accruedInterest) > 0)
    const pool = summary.portfolios.find(({ symbol }) => symbol === 'HMPL45')
    assert.equal(Number(pool?.currentFactor), 0.625)
    // 60,000 × 96.5% × 0.625.
    assert.equal(Number(pool?.marketValue), 36_187.5)
  })

  it('have short positions', async () => {
    assert.deepEqual(await positionsOf('30100004'), [
      ['MOOR', -1_000],
      ['QUAY', -100],
      ['TIDL', 500],
    ])
    const summary = await summaryOf('30100004')
    assert.ok(Number(summary.buyingPower) > 0)
    assert.equal(Number(summary.maintCallAmount), 0)
  })

  it('have three currencies', async () => {
    const { currencyTypeSummary } = await summaryOf('30100005')
    assert.deepEqual(
      currencyTypeSummary.map(({ name }) => name),
      ['CAD', 'EUR', 'USD'],
    )
  })

  it('have a wash sale whose loss is added to the cost of the replacement lot', async () => {
    const [lot] = (await summaryOf('30100006')).portfolios
    assert.equal(lot?.unrealizedGainLoss.wash, 'Y')
    const disallowed = Number(lot?.unrealizedGainLoss.washDisallowedAmt)
    assert.ok(disallowed > 3_600)
    // 200 at 75.50 with commission, and the loss.
    assert.equal(Number(lot?.unrealizedGainLoss.cost), 15_104.95 + disallowed)
  })

  it('have a fund, positions held away, a lot of unknown cost, and a purchase that was cancelled and rebilled', async () => {
    const bonds = await summaryOf('30100003')
    assert.equal(Number(bonds.totalMoneyMarket), 12_000)
    assert.ok(Number((await summaryOf('30100005')).assetsHeldAway) > 0)
    const range = { accountNumber: '30100003', dateFrom: '2020-01-01', dateTo: '2029-12-31' }
    const { activity } = (await alpha.tradeActivity(range)).data
    assert.deepEqual(
      activity
        .filter(({ symbol }) => symbol === 'PIERS')
        .map(({ tranId, price }) => `${tranId} ${Number(price)}`)
        .sort(),
      ['C 32.4', 'R 23.4', 'T 32.4'],
    )
  })

  it('contain every field of the specification, with values that vary', async () => {
    const numbers = Array.from({ length: 9 }, (_, at) => `${30_100_001 + at}`)
    const seen = new Map<string, Set<string>>()
    const note = (kind: string, record: object) => {
      for (const [name, value] of Object.entries(record)) {
        const values = seen.get(`${kind}.${name}`) ?? new Set<string>()
        seen.set(`${kind}.${name}`, values.add(JSON.stringify(value)))
        if (name.endsWith('Summary')) for (const group of value) note(`${kind}.${name}`, group)
      }
    }
    for (const accountNumber of numbers) {
      const summary = await summaryOf(accountNumber)
      note('summary', summary)
      for (const position of summary.portfolios) {
        note('position', position)
        note('gain', position.unrealizedGainLoss)
      }
      if (accountNumber === '30100009') continue
      const range = { accountNumber, dateFrom: '2020-01-01', dateTo: '2029-12-31' }
      for (const { activity } of [
        (await alpha.tradeActivity(range)).data,
        (await alpha.nonTradeActivity(range)).data,
      ])
        for (const record of activity) note('activity', record)
    }
    const constant = [...seen].filter(([, values]) => values.size < 2).map(([name]) => name)
    // All lines were entered today, and no item is waiting for operations.
    assert.deepEqual(constant.sort(), ['activity.enteredOn', 'gain.recon'])
    const { properties: summary } = contract['position-summary'].data
    const { properties: position } = summary.portfolios.items
    const { properties: group } = summary.industrySummary.items
    const expected = {
      summary,
      position,
      gain: position.unrealizedGainLoss.properties,
      activity: contract['trade-activity'].data.properties.activity.items.properties,
      'summary.industrySummary': group,
      'summary.assetSummary': group,
      'summary.accountTypeSummary': group,
      'summary.currencyTypeSummary': group,
    }
    const absent = Object.entries(expected).flatMap(([kind, fields]) =>
      Object.keys(fields)
        .filter((name) => !seen.has(`${kind}.${name}`))
        .map((name) => `${kind}.${name}`),
    )
    assert.deepEqual(absent, [])
  })

  it('have options, including a written one, and no break or alert for operations', async () => {
    assert.deepEqual(await positionsOf('30100007'), [
      ['HRBR45P', 5],
      ['QUAY', 200],
      ['QUAY140C', -2],
    ])
    assert.deepEqual((await operations.operations.listBreaks({})).data.breaks, [])
  })

  it('have an empty account, and one with ten thousand lots', async () => {
    assert.deepEqual(await positionsOf('30100008'), [])
    assert.deepEqual(await positionsOf('30100009'), [['HRBR', 20_000]])
    const detail = await alpha.positionDetail({ accountNumber: '30100009' })
    assert.equal(detail.data.portfolios.length, 10_000)
  })

  it('have their day closed, and the firm can list the calls', async () => {
    // The clock moves to the end of the day first, because today may not be a market day.
    const { data: closed } = await alpha.sandbox.closeBusinessDay({})
    assert.deepEqual(
      closed.checklist.filter(({ open }) => open),
      [],
    )
    assert.ok(closed.businessDate > closed.closedDate)
    const { data: again } = await operations.operations.closeBusinessDay({ date: closed.closedDate })
    assert.deepEqual(again, closed)
    const { data } = await alpha.listCalls({})
    assert.equal(closed.callsIssued, data.calls.length)
    // The purchase that lacks margin is of the day that was closed only on a market day, before its close.
    const calls = data.calls.filter(({ kind }) => kind !== 'Intraday')
    assert.deepEqual(
      calls.map(({ accountNumber, kind, state, outstanding }) => [
        accountNumber,
        kind,
        state,
        Number(outstanding),
      ]),
      [
        ['30100002', 'Fed', 'Open', 6_247.44],
        ['30100002', 'Maintenance', 'Open', 11_913.6],
      ],
    )
    const summary = await summaryOf('30100002')
    assert.equal(Number(summary.fedCallAmount), 6_247.44)
    const verified = await operations.operations.verifyBooks({})
    assert.deepEqual(verified.data.breaks, [])
    await assert.rejects(
      operations.operations.closeBusinessDay({ date: '2020-01-02' }),
      /ERR\.1015|open business day/,
    )
  })

  it('are not loaded again at the next start', async () => {
    const before = await summaryOf('30100001')
    await service.stop()
    await start()
    const { date: _, ...now } = await summaryOf('30100001')
    const { date: __, ...then } = before
    assert.deepEqual(
      { ...now, portfolios: now.portfolios.length },
      { ...then, portfolios: then.portfolios.length },
    )
    const { data } = await operations.operations.verifyBooks({})
    assert.equal(data.verified, true)
  })
})
