import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, OutcomeUnknown } from './faults.ts'
import { openPool, type Pool, type PoolLimits } from './pool.ts'
import type { TestDatabase } from './test-database.ts'
import { until } from './test-waiting.ts'
import { type FaultProxy, startFaultProxy } from './testing/fault-proxy.ts'
import { createParcelDatabase, firmA, insertParcel, selectParcel, selectParcels } from './testing/parcels.ts'
import { inTransaction, readInFirm } from './transaction.ts'

let db: TestDatabase
let proxy: FaultProxy
let pool: Pool
before(async () => {
  db = await createParcelDatabase()
  proxy = await startFaultProxy(db.urls.app)
  pool = openThrough(60_000)
})
after(async () => {
  await pool.end()
  await proxy[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

function openThrough(answerTimeoutMs: number): Pool {
  return openPool({
    name: 'app',
    url: proxy.through(db.urls.app),
    // The limits of the server are high, so that the limit of the answer ends each wait. A busy machine is slow to
    // connect.
    limits: {
      connectionsMax: 2,
      acquireTimeoutMs: 5_000,
      answerTimeoutMs,
      statementTimeoutMs: 600_000,
      idleInTransactionTimeoutMs: 600_000,
    },
  })
}
/** A server that is not silent answers sooner, also on a busy machine. */
const silenceMs = 1_500

let parcels = 0

/** Inserts one parcel through the proxy; the insert is sent before COMMIT or together with it. */
async function insert(travels: 'before' | 'together'): Promise<{ number: string; fault: unknown }> {
  const number = `parcel-${++parcels}`
  const fault = await inTransaction(pool, { firm: firmA }, async (tx) => {
    if (travels === 'before') await tx.run(insertParcel, [number, 1])
    else tx.later(insertParcel, [number, 1])
  }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { number, fault }
}

async function isThere(number: string): Promise<boolean> {
  return (await readInFirm(db.app, firmA, selectParcel, [number])).length === 1
}

/** Waits until the locks of broken connections are gone, because their backends may still run. */
async function settle(): Promise<void> {
  const client = await db.owner.acquire()
  await client.query('begin; lock table clearing.parcel in exclusive mode; rollback')
  client.release()
}

const rounds = 20

for (const travels of ['before', 'together'] as const) {
  test(`a connection cut before COMMIT reaches the server leaves the outcome unknown and no row (insert ${travels})`, async () => {
    for (let round = 0; round < rounds; round++) {
      proxy.inject({ kind: 'cut', at: 'before-commit' })
      const { number, fault } = await insert(travels)
      assert.ok(fault instanceof OutcomeUnknown)
      await settle()
      assert.equal(await isThere(number), false)
    }
  })

  test(`a connection cut after COMMIT has reached the server leaves the outcome unknown and the row stored (insert ${travels})`, async () => {
    for (let round = 0; round < rounds; round++) {
      proxy.inject({ kind: 'cut', at: 'after-commit' })
      const { number, fault } = await insert(travels)
      assert.ok(fault instanceof OutcomeUnknown)
      await until('the row', () => isThere(number))
    }
  })

  test(`a connection cut between COMMIT and its response leaves the outcome unknown and the row stored (insert ${travels})`, async () => {
    for (let round = 0; round < rounds; round++) {
      proxy.inject({ kind: 'cut', at: 'before-reply' })
      const { number, fault } = await insert(travels)
      assert.ok(fault instanceof OutcomeUnknown)
      assert.equal(await isThere(number), true)
    }
  })

  test(`a connection cut after the response does not affect the transaction or the next one (insert ${travels})`, async () => {
    for (let round = 0; round < rounds; round++) {
      proxy.inject({ kind: 'cut', at: 'after-reply' })
      const { number, fault } = await insert(travels)
      assert.equal(fault, undefined)
      assert.equal(await isThere(number), true)
      const next = await readInFirm(pool, firmA, selectParcel, [number])
      assert.equal(next.length, 1)
    }
  })
}

test('a statement without a response from the server fails within the limit, and nothing is committed', {
  timeout: 60_000,
}, async () => {
  const strict = openThrough(silenceMs)
  const attempt = inTransaction(strict, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['silenced', 1])
    proxy.inject({ kind: 'silence' })
    await tx.rows(selectParcels)
  })
  await assert.rejects(
    attempt,
    (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'silent',
  )
  await assert.rejects(readInFirm(strict, firmA, selectParcels), DatabaseUnavailable)
  proxy.inject(undefined)
  assert.ok((await readInFirm(strict, firmA, selectParcels)).length > 0)
  await strict.end()
  await settle()
  assert.equal(await isThere('silenced'), false)
})

test('a COMMIT without a response from the server leaves the outcome unknown', async () => {
  const strict = openThrough(silenceMs)
  const attempt = inTransaction(strict, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['silenced at commit', 1])
    proxy.inject({ kind: 'silence' })
  })
  await assert.rejects(attempt, OutcomeUnknown)
  proxy.inject(undefined)
  await strict.end()
})

test('every caller gets an error while connections are refused, and the pool recovers by itself', async () => {
  await readInFirm(pool, firmA, selectParcels)
  proxy.inject({ kind: 'refuse' })
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, () => readInFirm(pool, firmA, selectParcels)),
  )
  for (const attempt of attempts) {
    assert.ok(attempt.status === 'rejected' && attempt.reason instanceof DatabaseUnavailable)
  }
  proxy.inject(undefined)
  // A slow machine takes longer to connect than a caller waits in this test.
  const answered = async () => {
    while ((await readInFirm(pool, firmA, selectParcels).catch(() => undefined)) === undefined)
      await pause(20)
  }
  await Promise.all(Array.from({ length: 20 }, answered))
})

test('a read succeeds after idle connections broke', async () => {
  await Promise.all([readInFirm(pool, firmA, selectParcels), readInFirm(pool, firmA, selectParcels)])
  assert.equal(pool.figures().idle, 2)
  await terminateOthers()
  assert.ok((await readInFirm(pool, firmA, selectParcels)).length > 0)
})

test('a connection that breaks during a repeatable body is replaced', async () => {
  let runs = 0
  const weight = await inTransaction(pool, { firm: firmA, repeatable: true }, async (tx) => {
    runs++
    await tx.run(insertParcel, ['repeated', runs])
    if (runs === 1) {
      await terminateOthers()
    }
    return (await tx.row(selectParcel, ['repeated']))?.weight
  })
  assert.deepEqual([runs, weight], [2, 2])
})

test('a slow network delays responses and breaks none', async () => {
  proxy.inject({ kind: 'delay', delayMs: 20 })
  const { number, fault } = await insert('before')
  proxy.inject(undefined)
  assert.equal(fault, undefined)
  assert.equal(await isThere(number), true)
})

/** A pool whose callers stop waiting before the proxy releases a new connection. */
function openImpatient(limits: Partial<PoolLimits>) {
  const impatient = openPool({
    name: 'app',
    url: proxy.through(db.urls.app),
    limits: { connectionsMax: 1, acquireTimeoutMs: 50, connectTimeoutMs: 600_000, ...limits },
  })
  const read = () => readInFirm(impatient, firmA, selectParcels)
  const giveUp = () =>
    assert.rejects(
      read(),
      (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'away',
    )
  return { impatient, read, giveUp }
}

test('a connection that opens after its caller has stopped waiting serves the next caller', async () => {
  const { impatient, read, giveUp } = openImpatient({})
  const before = proxy.counts.connections
  proxy.inject({ kind: 'hold' })
  await giveUp()
  // The attempt continues, and no other attempt begins.
  await giveUp()
  assert.deepEqual(impatient.figures(), { open: 1, idle: 0, waiting: 0 })
  proxy.inject(undefined)
  await until('an idle connection', () => impatient.figures().idle === 1)
  assert.ok((await read()).length > 0)
  assert.equal(proxy.counts.connections - before, 1)
  await impatient.end()
})

test('the pool never has more abandoned connection attempts than connections, and its end also ends the attempts', {
  timeout: 120_000,
}, async () => {
  const { impatient, giveUp } = openImpatient({ connectionsMax: 3 })
  const before = proxy.counts.connections
  proxy.inject({ kind: 'hold' })
  for (let round = 0; round < 3; round++) await Promise.all([giveUp(), giveUp(), giveUp(), giveUp()])
  await until('three connections', () => proxy.counts.connections - before === 3)
  assert.deepEqual(impatient.figures(), { open: 3, idle: 0, waiting: 0 })
  await impatient.end(600_000)
  assert.equal(impatient.figures().open, 0)
  proxy.inject(undefined)
})

test('a connection attempt has a time limit of its own', async () => {
  const { impatient, giveUp } = openImpatient({ connectTimeoutMs: 100 })
  proxy.inject({ kind: 'hold' })
  await giveUp()
  await until('the end of the attempt', () => impatient.figures().open === 0)
  proxy.inject(undefined)
  await impatient.end()
})

async function terminateOthers(): Promise<void> {
  const client = await db.app.acquire()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = current_database() and pid <> pg_backend_pid()',
  )
  client.release()
}
