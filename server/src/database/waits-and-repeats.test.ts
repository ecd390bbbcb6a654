import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from './faults.ts'
import { statement } from './statement.ts'
import { createBeforeTests, db } from './testing/parcel-database.ts'
import {
  firmA,
  insertParcel,
  lockParcel,
  selectParcel,
  selectParcels,
  weighParcel,
} from './testing/parcels.ts'
import { inTransaction, readInFirm } from './transaction.ts'

createBeforeTests()

const sleepLong = statement('sleep-long', 'select pg_sleep(30)')

test('a statement waits for a lock no longer than the limit', async () => {
  await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['locked', 1]))
  const impatient = db.open('app', { lockTimeoutMs: 50 })
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.row(lockParcel, ['locked'])
    const attempt = inTransaction(impatient, { firm: firmA }, (other) =>
      other.run(weighParcel, ['locked', 2]),
    )
    await assert.rejects(
      attempt,
      (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'busy',
    )
  })
})

test('a statement that takes too long is ended by the server', async () => {
  const impatient = db.open('app', { statementTimeoutMs: 50 })
  const attempt = readInFirm(impatient, firmA, sleepLong)
  await assert.rejects(
    attempt,
    (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'busy',
  )
  assert.deepEqual(impatient.figures(), { open: 1, idle: 1, waiting: 0 })
})

test('a transaction left idle is ended by the server, and its connection is not returned to the pool', async () => {
  const impatient = db.open('app', { idleInTransactionTimeoutMs: 50 })
  const attempt = inTransaction(impatient, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['idle', 1])
    const client = await impatient.acquire()
    await client.query('select pg_sleep(0.3)')
    client.release()
    await tx.run(insertParcel, ['idle-2', 1])
  })
  await assert.rejects(
    attempt,
    (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'lost',
  )
  assert.equal(impatient.figures().open, 1)
})

test('a caller waits for a connection no longer than the limit', async () => {
  const narrow = db.open('app', { connectionsMax: 1, acquireTimeoutMs: 2_000 })
  await inTransaction(narrow, { firm: firmA }, async (tx) => {
    await tx.rows(selectParcels)
    const attempt = readInFirm(narrow, firmA, selectParcels)
    await assert.rejects(
      attempt,
      (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'busy',
    )
  })
  assert.ok((await readInFirm(narrow, firmA, selectParcels)).length > 0)
})

test('only a repeatable body is run again after a serialization failure', async () => {
  await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['counter', 0]))
  const raise = (repeatable: boolean) => {
    let runs = 0
    const scope = { firm: firmA, isolation: 'repeatable read', repeatable } as const
    return inTransaction(db.app, scope, async (tx) => {
      const seen = await tx.row(selectParcel, ['counter'])
      if (++runs === 1) {
        await inTransaction(db.app, { firm: firmA }, (other) =>
          other.run(weighParcel, ['counter', (seen?.weight ?? 0) + 10]),
        )
      }
      await tx.run(weighParcel, ['counter', (seen?.weight ?? 0) + 1])
      return runs
    })
  }
  await assert.rejects(
    raise(false),
    (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'contended',
  )
  assert.equal(await raise(true), 2)
  assert.deepEqual(await readInFirm(db.app, firmA, selectParcel, ['counter']), [
    { number: 'counter', weight: 21 },
  ])
})

test('two repeatable transactions that deadlock both succeed', async () => {
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    tx.later(insertParcel, ['left', 0])
    tx.later(insertParcel, ['right', 0])
  })
  let arrived = 0
  const { promise: both, resolve: open } = Promise.withResolvers<void>()
  const swap = (first: string, second: string) =>
    inTransaction(db.app, { firm: firmA, repeatable: true }, async (tx) => {
      await tx.row(lockParcel, [first])
      if (++arrived === 2) open()
      await both
      await tx.row(lockParcel, [second])
      return tx.run(weighParcel, [second, 5])
    })
  assert.deepEqual(await Promise.all([swap('left', 'right'), swap('right', 'left')]), [1, 1])
})

test('a repeatable call succeeds although a table changes under cached plans', async () => {
  const pool = db.open('app', { connectionsMax: 1 })
  const owner = await db.owner.acquire()
  await owner.query(
    "create table clearing.shelf (name text); insert into clearing.shelf values ('a'); grant select on clearing.shelf to clearing_app",
  )
  const selectShelf = statement<Record<string, unknown>>('select-shelf', 'select * from clearing.shelf')
  assert.deepEqual(await readInFirm(pool, firmA, selectShelf), [{ name: 'a' }])
  await owner.query('alter table clearing.shelf add column height integer default 2')
  owner.release()
  assert.deepEqual(await readInFirm(pool, firmA, selectShelf), [{ name: 'a', height: 2 }])
})
