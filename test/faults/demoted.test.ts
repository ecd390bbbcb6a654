/**
 * When a server refuses because it is not the primary, or no longer is, the database counts as unavailable: in pools,
 * in statements of every kind, and when the job queue completes a finished job (R114).
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseUnavailable, statementFault } from '../../server/src/database/faults.ts'
import { migrate } from '../../server/src/database/migrate.ts'
import { patiently } from '../../server/src/database/patiently.ts'
import { openPool, type Pool, type PoolName } from '../../server/src/database/pool.ts'
import { unprepared } from '../../server/src/database/statement.ts'
import { until } from '../../server/src/database/test-waiting.ts'
import { inTransaction, readInFirm } from '../../server/src/database/transaction.ts'
import { runJobs } from '../../server/src/jobs/run-jobs.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'

let primary: DatabaseServer
let standby: DatabaseServer
const pools: Pool[] = []
function openAt(server: DatabaseServer, name: PoolName): Pool {
  const pool = openPool({ name, url: server.url })
  pools.push(pool)
  return pool
}

before(async () => {
  primary = await startDatabaseServer()
  await migrate(openAt(primary, 'owner'))
  standby = await primary.followed()
})
after(async () => {
  for (const pool of pools) await pool.end()
  await standby?.dispose()
  await primary?.dispose()
})

function isReadOnly(fault: unknown): boolean {
  return fault instanceof DatabaseUnavailable && fault.reason === 'read-only'
}

const addLease = unprepared('insert into clearing.worker_lease values (gen_random_uuid(), now())')

test('a pool gives no connection to a standby', async () => {
  for (const name of ['app', 'operations', 'owner'] as const) {
    const pool = openAt(standby, name)
    await assert.rejects(readInFirm(pool, null, unprepared('select 1')), isReadOnly)
    await assert.rejects(
      inTransaction(pool, { firm: null }, (tx) => tx.run(addLease)),
      isReadOnly,
    )
  }
})

test('every refusal of a standby means that the database is unavailable', async () => {
  const session = new pg.Client(standby.url)
  await session.connect()
  const statements = [
    'insert into clearing.worker_lease values (gen_random_uuid(), now())',
    'update clearing.worker_lease set seen_at = now()',
    'delete from clearing.worker_lease',
    'select from clearing.worker_lease for update',
    "select nextval('graphile_worker.jobs_id_seq1')",
    'select pg_current_xact_id()',
    'listen news',
    'create table clearing.new_table ()',
    'lock table clearing.worker_lease in share row exclusive mode',
  ]
  try {
    for (const statement of statements) {
      await session.query('begin')
      const refusal: unknown = await session.query(statement).then(
        () => undefined,
        (error: unknown) => error,
      )
      await session.query('rollback')
      assert.ok(isReadOnly(statementFault(refusal, statement)), `${statement}: ${refusal}`)
    }
  } finally {
    await session.end()
  }
})

test('a write in a read-only transaction remains an error of the code', async () => {
  const pool = openAt(primary, 'operations')
  const mistake = { name: 'StatementFailed', code: '25006' }
  await assert.rejects(readInFirm(pool, null, addLease), mistake)
  const readOnly = { firm: null, readOnly: true, isolation: 'repeatable read' } as const
  await assert.rejects(
    inTransaction(pool, readOnly, (tx) => tx.run(addLease)),
    mistake,
  )
})

test('connections to a demoted primary are closed, and opened again when it accepts writes', async () => {
  const pool = openAt(primary, 'owner')
  const write = () => inTransaction(pool, { firm: null, repeatable: true }, (tx) => tx.run(addLease))
  await Promise.all(Array.from({ length: 4 }, write))
  assert.equal(pool.figures().open, 4)
  await primary.takeWrites(false)
  await assert.rejects(write(), isReadOnly)
  await assert.rejects(write(), isReadOnly)
  await until('the end of all connections', () => pool.figures().open === 0)
  await primary.takeWrites(true)
  await write()
})

for (const [how, end] of [
  ['ends', () => {}],
  [
    'fails',
    () => {
      throw new Error('made by the test')
    },
  ],
] as const) {
  test(`a job that ${how} while the server refuses writes is completed when it accepts them`, async () => {
    const lost: unknown[] = []
    const note = (fault: unknown) => lost.push(fault)
    process.on('unhandledRejection', note)
    let begun = 0
    const runner = await runJobs({
      owner: openAt(primary, 'owner'),
      tasks: {
        task: async () => {
          begun += 1
          if (begun > 1) return
          await primary.takeWrites(false)
          end()
        },
      },
      jobsAtOnce: 2,
      alone: true,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
    try {
      await primary.query("select graphile_worker.add_job('task')")
      await until('the beginning of the job', () => begun > 0)
      // By now the queue has tried to complete it.
      await pause(1_000)
      await primary.takeWrites(true)
      await until('the end of the job', async () => {
        const { rows } = await primary.query('select count(*) from graphile_worker._private_jobs')
        return rows[0].count === '0'
      })
      assert.equal(begun, how === 'ends' ? 1 : 2)
      assert.deepEqual(lost, [])
    } finally {
      process.off('unhandledRejection', note)
      await runner.stop()
    }
  })
}

test('a pool finds the promoted standby', async () => {
  const pool = openAt(standby, 'owner')
  await assert.rejects(readInFirm(pool, null, unprepared('select 1')), isReadOnly)
  // The nightly proof reads in this way, because its job is not retried.
  const patient = patiently(() => readInFirm(pool, null, unprepared('select 1 as one')))
  await standby.promote()
  assert.deepEqual(await patient, [{ one: 1 }])
  await inTransaction(pool, { firm: null }, (tx) => tx.run(addLease))
})
