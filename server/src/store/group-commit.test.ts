// A server without its standby: a flush of the log ends only when the test permits it.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../database/faults.ts'
import { confirmed, lookUp, statement } from '../database/statement.ts'
import { createTestDatabase, type TestDatabase, testServerVariable } from '../database/test-database.ts'
import { makeTestFolder } from '../database/test-folder.ts'
import { until } from '../database/test-waiting.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'
import { writeAuditRow } from './audit.ts'
import { writeEventOfFirm } from './firm-events.ts'

const firmId = '00000000-0000-4000-8000-000000000401'
const countState = statement<{ rows: bigint }>(
  'test-count-audit',
  'select count(*) as rows from clearing.audit',
)
const lookRows = lookUp<{ rows: bigint }>('test-look-audit', 'select count(*) as rows from clearing.audit')
/** Reads as the event log is read: a failover must not undo rows that a response has shown. */
const countRows = confirmed(countState)
const traceId = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`

let folder: string
let server: EmbeddedPostgres
let database: TestDatabase
let superuser: pg.Client
let other: pg.Client

before(async () => {
  folder = await makeTestFolder('group-commit-')
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
  process.env[testServerVariable] = server.urls.superuser
  database = await createTestDatabase()
  superuser = await database.superuser()
  other = await database.superuser()
  await superuser.query('set synchronous_commit = local')
  await superuser.query(
    `insert into clearing.firm (firm_id, name, created_at) values ('${firmId}', 'Alpha', now())`,
  )
})
afterEach(confirm)
after(async () => {
  await database[Symbol.asyncDispose]()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Makes each flush wait for a standby that does not exist. */
async function withhold(): Promise<void> {
  await superuser.query("alter system set synchronous_standby_names = 'absent'")
  await superuser.query('select pg_reload_conf()')
  // Each server process reads the setting at its own time. A commit that waits shows that the processes have read it.
  for (let waits = false; !waits; ) {
    const probe = watch(other.query("select pg_logical_emit_message(true, 'probe', '')"))
    await until('a commit that ends or waits', async () => probe.ended() || (await waitingSessions()) === 1)
    waits = !probe.ended()
    if (waits)
      await superuser.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      )
    await probe.result
  }
}

/** Permits flushes again, including those that wait. */
async function confirm(): Promise<void> {
  await superuser.query('alter system reset synchronous_standby_names')
  await superuser.query('select pg_reload_conf()')
  await other.query("select pg_logical_emit_message(true, 'probe', '')")
}

/** Leaves a commit that is not on disk and that the next look-up sees. */
async function leaveUnflushed(): Promise<void> {
  await superuser.query("alter system set wal_writer_delay = '10s'")
  await superuser.query('select pg_reload_conf()')
  const flushed = 'select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as all'
  // The log writer reads the setting at its own time, so it may have flushed the commit already.
  do {
    await superuser.query(
      "begin; set local synchronous_commit = off; select pg_logical_emit_message(true, 'probe', ''); commit",
    )
    await pause(300)
  } while ((await superuser.query(flushed)).rows[0].all)
}

/** Writes as every operation does: a row of the audit chain and an event, in one transaction. */
function write(): Promise<void> {
  return inTransaction(database.app, { firm: firmId }, async (tx) => {
    const at = new Date('2026-11-22T10:00:00Z')
    writeEventOfFirm(tx, { firmId, type: 'test.written', at, traceId, content: {} })
    writeAuditRow(tx, { firmId, at, actor: 'alpha', action: 'test', traceId, detail: {} })
  })
}

function watch<T>(work: Promise<T>): { readonly ended: () => boolean; readonly result: Promise<T> } {
  let ended = false
  const end = () => {
    ended = true
  }
  work.then(end, end)
  return { ended: () => ended, result: work }
}

async function waitingSessions(): Promise<number> {
  const found = await superuser.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'")
  return found.rows.length
}

function untilWaiting(sessions: number): Promise<true> {
  return until(
    `${sessions} sessions that wait for the flush`,
    async () => (await waitingSessions()) === sessions,
  )
}

test('writers of one firm wait for the disk together, and hold no lock of the audit chain or of the notifications meanwhile', async () => {
  await withhold()
  const writers = [1, 2, 3].map(() => watch(write()))
  // Each writer has committed and waits. If the first writer still held its lock, the others would wait for the lock.
  await untilWaiting(writers.length)
  await superuser.query(`select 1 from clearing.audit_head where firm_id = '${firmId}' for update nowait`)
  assert.deepEqual(
    writers.map(({ ended }) => ended()),
    [false, false, false],
    'no writer is answered before the flush',
  )
  await confirm()
  await Promise.all(writers.map(({ result }) => result))
  const chain = await superuser.query(
    'select sequence, previous_hash, hash from clearing.audit order by sequence',
  )
  assert.deepEqual(
    chain.rows.map(({ sequence }) => Number(sequence)),
    [1, 2, 3],
  )
  for (const [at, row] of chain.rows.slice(1).entries())
    assert.deepEqual(row.previous_hash, chain.rows[at].hash)
})

const readers: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['one statement', () => readInFirm(database.app, firmId, countRows)],
  ['a transaction', () => reading((tx) => tx.rows(countRows), false)],
  ['a repeatable read transaction', () => reading((tx) => tx.rows(countRows), true)],
  ['an abandoned write', () => refused()],
]

const readersOfState: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['one statement', () => readInFirm(database.app, firmId, countState)],
  ['a look-up', () => reading((tx) => tx.rows(lookRows), false)],
  ['a look-up in a body that could have committed a write and did not', () => lookingUp(async () => {})],
  ['a transaction', () => reading((tx) => tx.rows(countState), false)],
  ['a repeatable read transaction', () => reading((tx) => tx.rows(countState), true)],
]

for (const [name, read] of readersOfState) {
  test(`a read of state does not wait for the standby: ${name}`, async () => {
    await withhold()
    const writer = watch(write())
    await untilWaiting(1)
    await read()
    assert.equal(writer.ended(), false)
    await confirm()
    await writer.result
  })
}

function reading(body: (tx: Tx) => Promise<unknown>, oneView: boolean): Promise<unknown> {
  const isolation = oneView ? ({ isolation: 'repeatable read' } as const) : {}
  return inTransaction(database.app, { firm: firmId, readOnly: true, ...isolation }, body)
}

/** Reads as get-account does, and then records the access. */
function lookingUp(record: () => Promise<void>): Promise<unknown> {
  const scope = { firm: firmId, readOnly: true, repeatable: true, flushFollows: true }
  return inTransaction(database.app, scope, async (tx) => {
    const rows = await tx.rows(lookRows)
    await record()
    return rows
  })
}

function refused(): Promise<unknown> {
  return inTransaction(database.app, { firm: firmId }, async (tx) => {
    tx.abandon()
    return tx.rows(countRows)
  })
}

for (const [name, read] of readers) {
  test(`a read of rows that are not flushed is answered after the flush: ${name}`, async () => {
    await withhold()
    const writer = watch(write())
    await untilWaiting(1)
    const reader = watch(read())
    await untilWaiting(2)
    assert.deepEqual([writer.ended(), reader.ended()], [false, false])
    await confirm()
    await Promise.all([writer.result, reader.result])
  })
}

test('a look-up whose access is recorded waits only for the flush of the record', async () => {
  const countWritten = async () =>
    Number((await superuser.query('select count(*) from clearing.audit')).rows[0].count)
  const before = await countWritten()
  // A commit that is not on disk and that the look-up sees.
  await withhold()
  const reader = watch(lookingUp(write))
  await until(
    'the record of the access',
    async () => (await countWritten()) > before && (await waitingSessions()) > 0,
  )
  assert.equal(await waitingSessions(), 1)
  assert.equal(reader.ended(), false)
  await confirm()
  await reader.result
})

test('a flush by a session that is newer than a look-up does not count, because it may be on another server', async () => {
  const pool = database.open('app', { connectionsMax: 1 })
  await leaveUnflushed()
  const scope = { firm: firmId, readOnly: true, flushFollows: true }
  const reader = inTransaction(pool, scope, async (tx) => {
    await tx.rows(lookRows)
    await superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'clearing_app'",
    )
    await until('the end of the session', () => pool.figures().open === 0)
    await confirm()
  })
  await assert.rejects(
    reader,
    (fault: unknown) => fault instanceof DatabaseUnavailable && /newer than the read/.test(fault.message),
  )
})

test('a reader whose session ends before the flush is refused, and a writer gets the response that the outcome is unknown', async () => {
  await withhold()
  const writer = watch(write())
  await untilWaiting(1)
  const reader = watch(reading((tx) => tx.rows(countRows), false))
  await untilWaiting(2)
  await superuser.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
  await assert.rejects(writer.result, OutcomeUnknown)
  await assert.rejects(reader.result, DatabaseUnavailable)
})

test('a transaction that may be lost does not wait for a flush', async () => {
  await withhold()
  await inTransaction(database.app, { firm: firmId, mayBeLost: true }, async (tx) => {
    writeAuditRow(tx, { firmId, at: new Date(), actor: 'alpha', action: 'test', traceId, detail: {} })
  })
})
