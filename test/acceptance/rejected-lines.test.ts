/** A rejected line is stored as it was sent: a JSON object with the digits of its numbers, from NDJSON and from CSV. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { limits } from '@clearing/protocol'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function sentOf(lines: { ndjson: string } | { csv: string }) {
  const { operations } = service.operations
  const { data: load } = await operations.loadPrices({ lines })
  const { data } = await operations.getLoad({ loadId: load.loadId })
  return data.rejects.map(({ line, sent }) => [line, sent])
}

test('a line of NDJSON is stored with all its digits, and a line of CSV by the names of its first line', async () => {
  const line = '{"symbol":"NOSUCH","price":1.10000000000000000001,"priceTime":"2026-01-02T21:00:00Z"}'
  const [found] = await sentOf({ ndjson: line })
  assert.deepEqual(JSON.parse(String(found?.[1])), {
    symbol: 'NOSUCH',
    price: '1.10000000000000000001',
    priceTime: '2026-01-02T21:00:00Z',
  })
  const [fromCsv] = await sentOf({ csv: 'symbol,price\nNOSUCH,12\n' })
  assert.deepEqual(JSON.parse(String(fromCsv?.[1])), { symbol: 'NOSUCH', price: '12' })
})

test('a line that is not an object, or is too long, is not stored', async () => {
  assert.deepEqual(
    (await sentOf({ ndjson: '[1]\n' })).map(([, sent]) => sent),
    [''],
  )
  const long = JSON.stringify({ symbol: 'NOSUCH', note: 'x'.repeat(limits.rejectedLineLengthMax) })
  for (const [, sent] of await sentOf({ ndjson: `${long}\n` })) assert.equal(sent, '')
})

describe('a rejected line of activity', () => {
  let account = ''
  let ofBeta = ''
  let today = ''
  before(async () => {
    account = await openAndFollow(service.alpha, applicationFor('Individual'))
    ofBeta = await openAndFollow(
      service.beta,
      applicationOf({}, { entityNumber: '302', main: { repCode: 'BB01' } }),
    )
    today = (await service.alpha.sandbox.getClock({})).data.businessDate
  })

  const deposit = (externalId: string, changes: object = {}) => ({
    externalId,
    acctNo: account,
    acctType: '1',
    transType: 'Deposit',
    netAmount: '100',
    tradeDate: today,
    ...changes,
  })
  const load = async (...lines: object[]) =>
    (await service.operations.operations.loadActivity({ lines: { ndjson: lines } })).data
  const acceptedBy = async (loadId: string) =>
    (await service.operations.operations.getLoad({ loadId })).data.rejects.map((reject) => reject.acceptedBy)
  const failed = async () => {
    const { failures } = (await service.operations.operations.listFailures({})).data
    return failures.filter(({ source }) => source === 'Reject').map(({ cause, count }) => [cause, count])
  }

  test('names the later load that accepted the line of its id, and is no failure any more', async () => {
    const failedBefore = await failed()
    const wrong = { netAmount: 'dear', tradeDate: 'yesterday' }
    const { loadId, rejected } = await load(
      deposit('LATER-1', wrong),
      { externalID: 'LATER-2', ACCTNO: account.toLowerCase(), netAmount: 'dear' },
      deposit('LATER-3', { acctNo: 'NOSUCH99' }),
    )
    assert.equal(rejected, 3)
    const counts = new Map((await failed()).map(([cause, count]) => [cause, Number(count)]))
    for (const [cause, count] of failedBefore)
      counts.set(String(cause), (counts.get(String(cause)) ?? 0) - Number(count))
    const { rejects } = (await service.operations.operations.getLoad({ loadId })).data
    for (const cause of new Set(rejects.map(({ code }) => code))) {
      const lines = new Set(rejects.filter(({ code }) => code === cause).map(({ line }) => line))
      assert.equal(counts.get(cause), lines.size, `${cause} counts lines, not reasons`)
    }
    assert.deepEqual([...new Set(await acceptedBy(loadId))], [null])

    await load(deposit('LATER-1', { acctNo: ofBeta }))
    assert.deepEqual([...new Set(await acceptedBy(loadId))], [null], 'the id of another firm')
    const second = await load(deposit('LATER-1'), deposit('LATER-2'), deposit('LATER-3'))
    assert.equal(second.accepted, 3)
    const { rejects: after } = (await service.operations.operations.getLoad({ loadId })).data
    for (const { line, acceptedBy: by } of after)
      assert.equal(by, line === 3 ? null : second.loadId, `line ${line}: no account has the number of line 3`)
    const left = new Set(after.filter(({ line }) => line === 3).map(({ code }) => code))
    assert.equal((await failed()).length, new Set([...failedBefore.map(([cause]) => cause), ...left]).size)
  })

  test('counts as accepted when the corrected line waits for its trade date', async () => {
    const { loadId } = await load(deposit('WAITS-1', { netAmount: 'dear' }))
    const second = await load(deposit('WAITS-1', { tradeDate: addMarketDays(today, 2) }))
    assert.equal(second.pending, 1)
    assert.deepEqual(await acceptedBy(loadId), [second.loadId])
  })

  test('is not accepted by an earlier load, and a conflict is not accepted by any', async () => {
    const first = await load(deposit('EARLIER-1'))
    const second = await load(deposit('EARLIER-1', { netAmount: 'dear' }))
    assert.deepEqual(await acceptedBy(second.loadId), [null])
    const third = await load(deposit('EARLIER-1', { netAmount: '7' }))
    assert.equal(third.conflicts, 1)
    // As a load does that began before the one with the conflict.
    await service.query(
      "update clearing.load set started_at = started_at + interval '1 day' where load_id = $1",
      [first.loadId],
    )
    assert.deepEqual(await acceptedBy(second.loadId), [first.loadId])
    assert.deepEqual(await acceptedBy(third.loadId), [null])
  })

  test('with an escaped character that no text holds does not fail the list', async () => {
    const { loadId } = await load(deposit('NUL\u0000', { netAmount: 'dear' }))
    assert.ok((await acceptedBy(loadId)).every((by) => by === null))
    await failed()
  })
})
