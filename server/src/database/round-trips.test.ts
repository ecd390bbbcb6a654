import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitFailed, DatabaseUnavailable, StatementFailed } from './faults.ts'
import { lookUp, type Statement, statement } from './statement.ts'
import { startFaultProxy } from './testing/fault-proxy.ts'
import { createBeforeTests, db, openThrough } from './testing/parcel-database.ts'
import {
  firmA,
  firmB,
  insertParcel,
  lockParcel,
  type Parcel,
  selectParcel,
  selectParcels,
} from './testing/parcels.ts'
import { inTransaction, readInFirm, type Tx } from './transaction.ts'

createBeforeTests()

const lookUpParcel = lookUp<Parcel>(
  'look-up-parcel',
  'select number, weight from clearing.parcel where number = $1',
)

test('a write of two steps needs two round trips, a read needs one, and a body without statements needs none', async () => {
  await using proxy = await startFaultProxy(db.urls.app)
  await using other = await openThrough(proxy)
  await readInFirm(other.pool, firmA, selectParcel, ['warm'])
  const roundTrips = async (body: (tx: Tx) => Promise<unknown>, readOnly = false): Promise<number> => {
    const before = proxy.counts.roundTrips
    await inTransaction(other.pool, { firm: firmA, readOnly }, body)
    return proxy.counts.roundTrips - before
  }
  const write = await roundTrips(async (tx) => {
    await Promise.all([tx.row(lockParcel, ['none']), tx.rows(selectParcels)])
    tx.later(insertParcel, ['counted-1', 1])
    tx.later(insertParcel, ['counted-2', 1])
  })
  assert.equal(write, 2)
  // A write needs one more while a part of the log is not on disk. The server also writes to the log itself.
  const reads = []
  for (let attempt = 0; attempt < 50; attempt++)
    reads.push(await roundTrips((tx) => tx.rows(selectParcels), true))
  assert.equal(Math.min(...reads), 1)
  assert.equal(await roundTrips(async () => {}), 0)
  assert.equal(proxy.counts.connections, 1)
})

test('look-ups of several readers of a firm are sent together, and each gets its own result', async () => {
  await using proxy = await startFaultProxy(db.urls.app)
  await using other = await openThrough(proxy)
  for (const number of ['first', 'second'])
    await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, [number, number.length]))
  await readInFirm(other.pool, firmA, selectParcel, ['warm'])
  const look = (firm: string, number: string) =>
    inTransaction(other.pool, { firm, readOnly: true }, (tx) => tx.row(lookUpParcel, [number]))
  const trips: number[] = []
  // Each read needs one more while a part of the log is not on disk, also because of other tests.
  for (let attempt = 0; attempt < 50; attempt++) {
    const before = proxy.counts.roundTrips
    const found = await Promise.all([
      look(firmA, 'first'),
      look(firmB, 'first'),
      look(firmA, 'second'),
      look(firmA, 'none'),
    ])
    trips.push(proxy.counts.roundTrips - before)
    assert.deepEqual(found, [
      { number: 'first', weight: 5 },
      undefined,
      { number: 'second', weight: 6 },
      undefined,
    ])
  }
  assert.equal(Math.min(...trips), 2, 'one for each firm')
})

test('a refused look-up fails for its own reader only', async () => {
  const broken = lookUp<{ quotient: number }>('look-up-broken', 'select 1 / $1::int as quotient')
  const look = (divisor: number) =>
    inTransaction(db.app, { firm: firmA, readOnly: true }, (tx) => tx.row(broken, [divisor]))
  const settled = await Promise.allSettled([look(1), look(0), look(1), look(0), look(1)])
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value?.quotient : one.reason.constructor)),
    [1, StatementFailed, 1, StatementFailed, 1],
  )
})

test('a look-up whose connection broke during an earlier look-up is repeated if it is repeatable, and refused otherwise', async () => {
  const endBackend = lookUp('look-up-its-end', 'select pg_terminate_backend(pg_backend_pid())')
  const look = (repeatable: boolean, what: Statement<unknown> = lookUpParcel) =>
    inTransaction(db.app, { firm: firmA, readOnly: true, repeatable }, (tx) =>
      tx.rows(what, what === lookUpParcel ? ['none'] : []),
    )
  const settled = await Promise.allSettled([look(false, endBackend), look(true), look(false)])
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.constructor)),
    [DatabaseUnavailable, [], DatabaseUnavailable],
  )
})

test('statements of one turn are answered in the order in which they were sent', async () => {
  const [inserted, seen, missing] = await inTransaction(db.app, { firm: firmA }, (tx) =>
    Promise.all([
      tx.run(insertParcel, ['ordered', 7]),
      tx.row(selectParcel, ['ordered']),
      tx.row(selectParcel, ['-']),
    ]),
  )
  assert.deepEqual([inserted, seen, missing], [1, { number: 'ordered', weight: 7 }, undefined])
})

test('a failed statement of a turn does not affect earlier statements, and later statements are not run', async () => {
  const outcome = await inTransaction(db.app, { firm: firmA }, async (tx) => {
    const settled = await Promise.allSettled([
      tx.run(insertParcel, ['before', 1]),
      tx.run(insertParcel, ['light', -1]),
      tx.run(insertParcel, ['behind', 1]),
    ])
    tx.abandon()
    return settled.map(({ status }) => status)
  }).catch((fault: unknown) => fault)
  assert.ok(outcome instanceof CommitFailed)
})

test('a statement that failed in its first round trip can be used again on the same connection', async () => {
  const pool = db.open('app', { connectionsMax: 1 })
  const fresh = statement<Parcel>(
    'fresh-select',
    'select number, weight from clearing.parcel where weight = $1::int',
  )
  for (const sent of ['no number', '1', 'none', '2']) {
    const attempt = readInFirm(pool, firmA, fresh, [sent])
    if (/\d/.test(sent)) await attempt
    else
      await assert.rejects(
        attempt,
        (fault: unknown) => fault instanceof StatementFailed && fault.code === '22P02',
      )
  }
  const behind = statement<Parcel>(
    'fresh-behind',
    'select number, weight from clearing.parcel where weight = 0',
  )
  const together = inTransaction(pool, { firm: firmA }, (tx) =>
    Promise.all([tx.rows(fresh, ['x']), tx.rows(behind)]),
  )
  await assert.rejects(together, StatementFailed)
  assert.deepEqual(await readInFirm(pool, firmA, behind), [])
})
