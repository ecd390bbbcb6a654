/**
 * Large loads run in a thread of their own, with the same result. Nothing is lost when the body or the thread
 * ends early.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { PartUnavailable } from '../../part-unavailable.ts'
import { bodyOf, ndjsonOf, openTestBooks, type TestBooks, testNow } from '../testing/books-database.ts'
import { LoadThread } from './load-thread.ts'
import { runBody } from './run-body.ts'

const accounts = Array.from({ length: 20 }, (_, number) => `T${String(number).padStart(7, '0')}`)
const traceId = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const load = {
  kind: 'load-activity',
  format: 'ndjson',
  source: 'a',
  clientId: 'operations',
  traceId,
} as const
const lines = 12_000

let books: TestBooks
let thread: LoadThread
before(async () => {
  books = await openTestBooks(accounts)
  thread = startThread()
})
after(async () => {
  await thread?.close()
  await books?.[Symbol.asyncDispose]()
})

function startThread() {
  const silent = { error() {}, warn() {} }
  const clock = { now: () => testNow, aheadMs: () => 0 }
  return new LoadThread({ pool: books.database.operations, clock, log: silent })
}

/** One of every hundred lines names no account. */
function deposits(set: string): Buffer {
  const rows = Array.from({ length: lines }, (_, number) => ({
    externalId: `${set}${number}`,
    acctNo: number % 100 === 99 ? 'NOBODY' : accounts[number % accounts.length],
    transType: 'Deposit',
    netAmount: '1.25',
    tradeDate: '2026-11-20',
  }))
  return Buffer.from(ndjsonOf(rows))
}

async function stateOf(condition: string) {
  const text = `select state from clearing.load where ${condition}`
  const [row] = await inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    tx.rows(unprepared<{ state: string }>(text)),
  )
  return row?.state
}

async function linesOf(set: string): Promise<number> {
  const text = `select count(*)::int as lines from clearing.activity_key where external_id like '${set}%'`
  const [row] = await inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    tx.rows(unprepared<{ lines: number }>(text)),
  )
  return row?.lines ?? 0
}

/** The lines of each batch according to the audit trail, which has one row for each part. */
async function batchesOf(loadId: string): Promise<number[]> {
  const text = `select (detail::jsonb ->> 'lines')::int as lines from clearing.audit where target = '${loadId}' order by lines desc`
  const rows = await inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    tx.rows(unprepared<{ lines: number }>(text)),
  )
  return rows.map(({ lines: ofPart }) => ofPart)
}

describe('a large load', () => {
  test('has the same result in its own thread as in the thread of calls, and leaves the thread of calls free', async () => {
    await thread.run(load, bodyOf(deposits('warm')))
    const body = deposits('apart')
    const [usedBefore, ownBefore] = [process.cpuUsage(), process.threadCpuUsage()]
    const { loadId, ...apart } = await thread.run(load, bodyOf(body))
    const used = microsecondsOf(process.cpuUsage(usedBefore))
    const own = microsecondsOf(process.threadCpuUsage(ownBefore))
    const settings = { ...load, pool: books.database.operations, now: () => testNow }
    const { loadId: _, ...inPlace } = await runBody(settings, bodyOf(deposits('place')))
    assert.deepEqual(apart, inPlace)
    assert.equal(apart.accepted, lines - lines / 100)
    assert.equal(apart.rejects.length > 0, true)
    assert.equal(await stateOf(`load_id = '${loadId}'`), 'Complete')
    assert.ok(own < used / 2, `the thread of calls took ${own} of ${used} µs`)
  })

  test('has the same result in smaller batches of one part while calls run without a pause', async () => {
    thread.calls.begin()
    const { loadId, accepted, rejected } = await thread
      .run(load, bodyOf(deposits('beside')))
      .finally(() => thread.calls.end())
    assert.deepEqual({ accepted, rejected }, { accepted: lines - lines / 100, rejected: lines / 100 })
    assert.equal(await stateOf(`load_id = '${loadId}'`), 'Complete')
    assert.deepEqual(await batchesOf(loadId), [4_950, 4_950, 1_980])
  })

  test('throws the fault of the body if the body breaks off, and keeps the lines that were booked', async () => {
    class Gone extends Error {}
    const breaking = async function* () {
      yield* bodyOf(deposits('broken'))
      throw new Gone('the client is gone')
    }
    await assert.rejects(thread.run({ ...load, source: 'broken' }, breaking()), Gone)
    assert.equal(await stateOf("source = 'broken'"), 'CutOff')
    assert.ok((await linesOf('broken')) > 0)
    const { accepted, duplicates } = await thread.run(load, bodyOf(deposits('broken')))
    assert.equal(accepted + duplicates, lines - lines / 100)
    assert.equal(await linesOf('broken'), lines - lines / 100)
  })

  test('is refused as unavailable if its thread ends, and books each line once when it is sent again', async () => {
    const first = startThread()
    const body = deposits('ended')
    const ending = async function* () {
      const pieces = bodyOf(body)
      for await (const piece of pieces) yield piece
      await first.close()
      yield Buffer.from('\n')
    }
    await assert.rejects(first.run(load, ending()), PartUnavailable)
    await assert.rejects(first.run(load, bodyOf(body)), PartUnavailable)
    const { accepted, duplicates } = await thread.run(load, bodyOf(body))
    assert.equal(accepted + duplicates, lines - lines / 100)
    assert.equal(await linesOf('ended'), lines - lines / 100)
  })
})

function microsecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}
