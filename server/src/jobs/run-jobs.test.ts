/**
 * Queued work survives three cases: a job that takes longer than a lease, connections that break at its end, and a
 * locked job that never reached its process.
 */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { openPool } from '../database/pool.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { until } from '../database/test-waiting.ts'
import { startFaultProxy } from '../database/testing/fault-proxy.ts'
import { inTransaction } from '../database/transaction.ts'
import { removeSupersededJobs } from '../store/jobs.ts'
import { type JobRunner, runJobs } from './run-jobs.ts'
import type { LeaseLimits } from './worker-lease.ts'

let database: TestDatabase
let session: pg.Client
before(async () => {
  database = await createTestDatabase()
  session = await database.superuser()
})
after(async () => {
  await database?.[Symbol.asyncDispose]()
})
beforeEach(() => session.query('delete from graphile_worker._private_jobs'))

const leases = { renewEveryMs: 50, lifetimeMs: 1_000 }
/** Of which no job is unlocked while a test runs. */
const lasting = { renewEveryMs: 50, lifetimeMs: 60_000 }

function start(task: () => Promise<void>, limits: LeaseLimits = leases): Promise<JobRunner> {
  return runJobs({
    owner: database.owner,
    tasks: { task },
    jobsAtOnce: 2,
    alone: true,
    leases: limits,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
}

function add() {
  return session.query("select graphile_worker.add_job('task')")
}

async function queued(): Promise<number> {
  return Number((await session.query('select count(*) from graphile_worker._private_jobs')).rows[0].count)
}

test('a job that takes longer than a lease runs once, because its process renews the lease', async () => {
  let begun = 0
  const runner = await start(async () => {
    begun += 1
    await pause(leases.lifetimeMs * 2)
  })
  try {
    await add()
    await until('the end of the job', async () => begun > 0 && (await queued()) === 0)
    assert.equal(begun, 1)
  } finally {
    await runner.stop()
  }
})

test('a job that ends while every connection breaks is completed', async () => {
  const lost: unknown[] = []
  const note = (fault: unknown) => lost.push(fault)
  process.on('unhandledRejection', note)
  let begun = 0
  const runner = await start(async () => {
    begun += 1
    if (begun > 1) return
    await session.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'clearing_owner' and datname = current_database()`,
    )
  })
  try {
    await add()
    await until('the end of the job', async () => begun > 0 && (await queued()) === 0)
    await pause(0)
    assert.deepEqual(lost, [])
  } finally {
    process.off('unhandledRejection', note)
    await runner.stop()
  }
})

test('a job that was locked for this process but never reached it is run', async () => {
  let done = 0
  const runner = await start(async () => {
    done += 1
  })
  try {
    await until('a renewed lease', async () => {
      const { rows } = await session.query('select worker_id from clearing.worker_lease')
      return rows.length > 0
    })
    await session.query(`
      with job as (select id from graphile_worker.add_job('task', run_at => now() + interval '1 hour'))
      select from job`)
    await session.query(`
      update graphile_worker._private_jobs set run_at = now(), attempts = 1, locked_at = now(),
        locked_by = (select worker_id from clearing.worker_lease limit 1)`)
    await until('the job', () => done === 1)
  } finally {
    await runner.stop()
  }
})

test('a job that is queued again while it runs needs no person when it fails, and is removed', async () => {
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const runner = await start(async () => {
    begun += 1
    if (begun > 1) return
    await gate.promise
    throw new Error('the connection was lost')
  }, lasting)
  const keyed = () => session.query("select graphile_worker.add_job('task', job_key => 'one')")
  const needPerson = async () => (await session.query('select * from clearing.failed_jobs()')).rows
  try {
    await keyed()
    await until('the first job', () => begun === 1)
    await keyed()
    await until('the second job', async () => begun === 2 && (await queued()) === 1)
    gate.resolve()
    await until('the failure', async () => {
      const { rows } = await session.query('select last_error from graphile_worker.jobs')
      return rows[0]?.last_error !== null
    })
    assert.deepEqual(await needPerson(), [])
    await inTransaction(database.operations, { firm: null }, (tx) => removeSupersededJobs(tx, 10))
    assert.equal(await queued(), 0)
  } finally {
    gate.resolve()
    await runner.stop()
  }
})

test('a queue that ends by itself is started again', async () => {
  const pools: WorkerPool[] = []
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => pools.push(workerPool))
  let done = 0
  const said: string[] = []
  const runner = await runJobs({
    owner: database.owner,
    tasks: {
      task: async () => {
        done += 1
      },
    },
    jobsAtOnce: 2,
    alone: true,
    leases,
    events,
    log: { info: () => {}, warn: () => {}, error: (_fault, message) => said.push(message) },
  })
  try {
    await pools[0]?.gracefulShutdown('a fault of the library')
    await add()
    await until('the job', () => done === 1)
    assert.equal(pools.length, 2)
    assert.ok(said.includes('the job queue is started again'), said.join())
    await until('the removal of the job', async () => (await queued()) === 0)
  } finally {
    await runner.stop()
  }
  assert.equal(pools.length, 2)
})

test('a queue whose listener is lost warns once, and says when it is connected again', async () => {
  await using proxy = await startFaultProxy(database.urls.owner)
  const owner = openPool({ name: 'owner', url: proxy.through(database.urls.owner), setting: 'DATABASE_URL' })
  const said: string[] = []
  const log = {
    info: (message: string) => said.push(message),
    warn: (message: string) => said.push(message),
    error: () => {},
  }
  const events: WorkerEvents = new EventEmitter()
  let attempts = 0
  events.on('pool:listen:error', () => {
    attempts += 1
  })
  const tasks = { task: async () => {} }
  const runner = await runJobs({ owner, tasks, jobsAtOnce: 2, alone: true, leases: lasting, log, events })
  try {
    proxy.inject({ kind: 'refuse' })
    await until('three failed attempts', () => attempts >= 3)
    const warnings = said.filter((message) => message.startsWith('the job queue gets no notifications'))
    assert.equal(warnings.length, 1, said.join('\n'))
    assert.match(warnings[0] ?? '', /^the job queue gets no notifications, and finds jobs by polling: \S/)
    proxy.inject(undefined)
    await until('the listener', () => said.includes('the job queue is connected again for notifications'))
  } finally {
    await runner.stop()
    await owner.end()
  }
})
