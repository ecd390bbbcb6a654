/** A line of a feed with a process date or an as-of date that has not come is rejected. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import { fieldIndexOf, packRecord, splitRecord } from '../../server/src/books/activity-record.ts'
import { buy, type Line, line, load, newAccount, proves, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

/** The later of the business date and today's date. */
async function today() {
  const { businessDate, now } = (await service.alpha.sandbox.getClock({})).data
  const day = now.slice(0, 10)
  return day > businessDate ? day : businessDate
}
async function send(...ndjson: Line[]) {
  return (await service.operations.operations.loadActivity({ lines: { ndjson } })).data
}
async function refusalOf(sent: Line) {
  const { accepted, rejects } = await send(sent)
  assert.equal(accepted, 0, JSON.stringify(sent))
  return rejects.map(({ code, field }) => `${code} ${field}`)
}

describe('a process date', () => {
  test('may be the next business day, and no later day', async () => {
    const account = await newAccount()
    const day = await today()
    const next = addMarketDays(day, 1)
    for (const processDate of [day, next]) await load(buy(account, 'AAA', 1, '5', { processDate }))
    const after = addDays(next, 1)
    const { rejects } = await send(
      buy(account, 'AAA', 1, '5', { processDate: after }),
      buy(account, 'AAA', 1, '5', { processDate: after.replaceAll('-', '') }),
    )
    const most = `at most one business day after the business date and the trade date: ${next}.`
    const [code, field] = ['ERR.1024', 'processDate']
    assert.deepEqual(rejects, [
      { line: 1, code, field, reason: `processDate must be ${most}` },
      { line: 2, code, field, reason: `processDate must be ${most}` },
    ])
    await proves(account)
  })

  test('of a line that waits may be one business day after its trade date', async () => {
    const account = await newAccount()
    const tradeDate = addMarketDays(await today(), 5)
    const next = addMarketDays(tradeDate, 1)
    const data = await send(buy(account, 'AAA', 1, '5', { tradeDate, processDate: next }))
    assert.deepEqual([data.accepted, data.pending], [1, 1])
    for (const processDate of [addDays(next, 1), '2062-10-05'])
      assert.deepEqual(await refusalOf(buy(account, 'AAA', 1, '5', { tradeDate, processDate })), [
        'ERR.1024 processDate',
      ])
  })

  test('of a trade must not be before its trade date, and that of another line may be', async () => {
    const account = await newAccount()
    const of = (processDate: string) => buy(account, 'AAA', 1, '5', { tradeDate: '2025-03-05', processDate })
    await load(of('2025-03-05'), of('2025-03-06'))
    assert.deepEqual(await refusalOf(of('2025-03-04')), ['ERR.1024 processDate'])
    assert.deepEqual(await refusalOf({ ...of('2025-03-04'), transType: undefined }), ['ERR.1024 processDate'])
    const paid = { transType: 'Dividend', symbol: 'AAA', netAmount: '1', tradeDate: '2025-03-05' }
    await load(line(account, { ...paid, processDate: '2025-03-04' }))
    await proves(account)
  })

  test('of a cancel has the same bounds', async () => {
    const account = await newAccount()
    const bought = buy(account, 'AAA', 1, '5')
    await load(bought)
    const cancel = (processDate: string) =>
      line(account, { cancelType: 'C', tagNo: bought.externalId, tradeDate: undefined, processDate })
    const next = addMarketDays(await today(), 1)
    assert.deepEqual(await refusalOf(cancel(addDays(next, 1))), ['ERR.1024 processDate'])
    await load(cancel(next))
    await proves(account)
  })
})

describe('an as-of date', () => {
  test('may be today, and no later day', async () => {
    const account = await newAccount()
    const day = await today()
    await load(buy(account, 'AAA', 1, '5', { asOfDate: day }))
    const { rejects } = await send(buy(account, 'AAA', 1, '5', { asOfDate: addDays(day, 1) }))
    const reason = `asOfDate must not be after the business date and the trade date: at most ${day}.`
    assert.deepEqual(rejects, [{ line: 1, code: 'ERR.1024', field: 'asOfDate', reason }])
  })

  test('of a line that waits may be its trade date', async () => {
    const account = await newAccount()
    const tradeDate = addMarketDays(await today(), 5)
    const of = (asOfDate: string) => buy(account, 'AAA', 1, '5', { tradeDate, asOfDate })
    assert.equal((await send(of(tradeDate))).pending, 1)
    assert.deepEqual(await refusalOf(of(addDays(tradeDate, 1))), ['ERR.1024 asOfDate'])
  })

  test('that an earlier release stored makes the line a duplicate if it is sent again', async () => {
    const account = await newAccount()
    const sent = buy(account, 'AAA', 1, '5')
    await load(sent)
    const asOfDate = '2062-10-05'
    const of = [sent.externalId]
    const { rows } = await service.query('select record from clearing.activity where external_id = $1', of)
    const values = splitRecord(rows[0].record)
    values[fieldIndexOf('asOfDate')] = asOfDate
    await service.query('update clearing.activity set as_of_date = $3, record = $2 where external_id = $1', [
      sent.externalId,
      packRecord(values),
      asOfDate,
    ])
    const { duplicates, rejected } = await send({ ...sent, asOfDate })
    assert.deepEqual([duplicates, rejected], [1, 0])
  })
})

test('while closes are late, the dates are compared with the date of today', async () => {
  const account = await newAccount()
  const { data } = await service.alpha.sandbox.getClock({})
  const now = data.now.slice(0, 10)
  const openDay = (day: string) => service.query('update clearing.business_day set business_date = $1', [day])
  await openDay(addMarketDays(now, -5))
  try {
    const next = addMarketDays(now, 1)
    await load(buy(account, 'AAA', 1, '5', { processDate: next, asOfDate: now }))
    const late = { processDate: addDays(next, 1), asOfDate: addDays(now, 1) }
    assert.deepEqual(await refusalOf(buy(account, 'AAA', 1, '5', late)), [
      'ERR.1024 processDate',
      'ERR.1024 asOfDate',
    ])
  } finally {
    await openDay(data.businessDate)
  }
})
