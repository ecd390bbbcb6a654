/** kill -9 while the lines of an announced corporate action are booked, amended and reversed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addMarketDays } from '@clearing/domain/market'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

/** More than a portion of an examination. */
const holders = 3_000
const openedAtOnce = 100
const waitMaxMs = 120_000
const lookEveryMs = 5

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMaxMs
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, 'it never came')
    await pause(lookEveryMs)
  }
}

/** Whole accounts: the jobs after a close review them and make their statements. */
async function openAccounts({ alpha, query }: ServiceProcess): Promise<string[]> {
  const accounts: string[] = []
  while (accounts.length < holders) {
    const applications = Array.from({ length: openedAtOnce }, () =>
      applicationOf({ taxIdNumber: newTaxId() }),
    )
    const { data } = await alpha.openAccounts({ accounts: applications as never })
    assert.equal(data.rejected, 0, JSON.stringify(data).slice(0, 500))
    accounts.push(...data.results.map(({ accountNumber }) => accountNumber ?? ''))
  }
  await until(async () => {
    const { rows } = await query("select from clearing.account where status <> 'Open'")
    return rows.length === 0
  })
  return accounts
}

/** The lines of the action that count, and the cash that they brought. */
async function booked(service: ServiceProcess) {
  const { rows } = await service.query(
    `select count(*) filter (where correction is null)::int as made, count(*) filter (where correction = 'C')::int as cancelled,
       coalesce(sum(net_amount), 0)::int as cash from clearing.activity where external_id like 'CA-%'`,
  )
  const [{ made, cancelled, cash }] = rows
  return { made: made as number, cancelled: cancelled as number, cash: cash as number }
}

async function stateOf(service: ServiceProcess) {
  const { rows } = await service.query(`select state from clearing.announcement where external_id = 'D1'`)
  return rows[0]?.state as string
}

/** Starts the service. Every account holds ten shares of HELD, whose dividend of the next day is announced as D1. */
async function startWithHolders(service: ServiceProcess) {
  await service.start()
  const accounts = await openAccounts(service)
  const desk = () => service.operations.operations
  const symbols = ['HELD', 'OTHER']
  const ndjson = symbols.map((symbol) => ({ symbol, secTypeName: 'Common Stock' }))
  await desk().loadSecurities({ lines: { ndjson } })
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  const payDate = addMarketDays(businessDate, 1)
  const { data } = await desk().loadActivity({
    lines: {
      ndjson: accounts.map((acctNo) => ({
        externalId: `buy ${acctNo}`,
        acctNo,
        transType: 'Trade',
        buySell: 'BUY',
        symbol: 'HELD',
        quantity: '10',
        price: '5',
        tradeDate: businessDate,
      })),
    },
  })
  assert.equal(data.accepted, holders)
  const announce = async (externalId: string, fields: object) => {
    const loaded = await desk().loadCorporateActions({ lines: { ndjson: [{ externalId, ...fields }] } })
    assert.deepEqual([loaded.data.accepted, loaded.data.rejects], [1, []])
  }
  const dividend = { type: 'Dividend', exDate: payDate, payDate, cashPerShare: '1' }
  await announce('D1', { ...dividend, symbol: 'HELD' })
  const closeDay = () =>
    service.alpha.sandbox
      .closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } }, { retries: 0 })
      .catch(() => undefined)
  return { announce, dividend, closeDay }
}

test('lines that were cut off are completed, each once, and a cancel that was cut off leaves none', async () => {
  const service = await makeServiceProcess()
  try {
    const { announce, dividend, closeDay } = await startWithHolders(service)
    const closing = closeDay()
    await until(async () => (await booked(service)).made > 0)
    await service.kill(true)
    await closing
    await service.start()
    const cut = await booked(service)
    assert.ok(
      cut.made > 0 && cut.made < holders,
      `${cut.made} of ${holders} lines were booked before the kill`,
    )
    // Each announcement has every open one examined.
    await announce('D2', { ...dividend, symbol: 'OTHER' })
    await until(async () => (await stateOf(service)) === 'Booked')
    assert.deepEqual(await booked(service), { made: holders, cancelled: 0, cash: holders * 10 })

    await announce('X1', { cancelType: 'C', tagNo: 'D1' })
    await until(async () => (await booked(service)).cancelled > 0)
    await service.kill(true)
    await service.start()
    const reversed = await booked(service)
    assert.ok(
      reversed.cancelled > 0 && reversed.cancelled < holders,
      `${reversed.cancelled} lines were reversed`,
    )
    await announce('D3', { ...dividend, symbol: 'OTHER', cashPerShare: '3' })
    await until(async () => (await stateOf(service)) === 'Cancelled')
    assert.deepEqual(await booked(service), { made: holders, cancelled: holders, cash: 0 })
    const { rows } = await service.query('select sum(amount)::int as cash from clearing.cash_balance')
    assert.equal(rows[0].cash, holders * -50)
  } finally {
    await service.dispose()
  }
})

test('an amendment that was cut off reverses every line and books it anew, each once', async () => {
  const service = await makeServiceProcess()
  try {
    const { announce, dividend, closeDay } = await startWithHolders(service)
    await closeDay()
    await until(async () => (await stateOf(service)) === 'Booked')
    await announce('A1', { ...dividend, amends: 'D1', symbol: 'HELD', cashPerShare: '2' })
    await until(async () => (await booked(service)).cancelled > 0)
    await service.kill(true)
    await service.start()
    const amending = await booked(service)
    assert.ok(
      amending.made === holders && amending.cancelled > 0 && amending.cancelled < holders,
      `${amending.cancelled} lines were reversed and ${amending.made} booked`,
    )
    assert.equal(await stateOf(service), 'Amending')
    await announce('D2', { ...dividend, symbol: 'OTHER' })
    await until(async () => (await booked(service)).made > holders)
    await service.kill(true)
    await service.start()
    const half = await booked(service)
    assert.ok(
      half.cancelled === holders && half.made > holders && half.made < 2 * holders,
      `${half.made - holders} lines of the amendment were booked`,
    )
    await announce('D3', { ...dividend, symbol: 'OTHER', cashPerShare: '3' })
    await until(async () => (await stateOf(service)) === 'Booked')
    assert.deepEqual(await booked(service), { made: 2 * holders, cancelled: holders, cash: holders * 20 })
  } finally {
    await service.dispose()
  }
})
