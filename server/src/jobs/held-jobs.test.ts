/** A held job is run once by the process that queued it. If that process does not do the work, a worker does. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { OutcomeUnknown } from '../database/faults.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { unprepared } from '../database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { until } from '../database/test-waiting.ts'
import { type FaultProxy, startFaultProxy } from '../database/testing/fault-proxy.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { HeldJobs, type WorkHeld } from '../store/held-jobs.ts'
import { moveJobs } from '../store/job-move.ts'
import { queue } from '../store/jobs.ts'
import { countDueJobs, readLastJob } from '../store/sandbox-clock.ts'
import { type JobRunner, runJobs } from './run-jobs.ts'

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

const leases = { renewEveryMs: 50, lifetimeMs: 300 }

interface Process {
  readonly jobs: HeldJobs
  readonly runner: JobRunner
  /** The payloads of the jobs that a worker of this process has run. */
  readonly byWorkers: unknown[]
}

async function startProcess(work: WorkHeld): Promise<Process> {
  const jobs = new HeldJobs()
  const byWorkers: unknown[] = []
  const runner = await runJobs({
    owner: database.owner,
    tasks: {
      task: async (payload) => {
        byWorkers.push(payload)
      },
    },
    jobsAtOnce: 4,
    alone: false,
    leases,
    held: { jobs, work },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  return { jobs, runner, byWorkers }
}

function queueIn(tx: Tx, jobs: HeldJobs, payload: unknown): void {
  jobs.queue(tx, { task: 'task', payload, key: `job:${JSON.stringify(payload)}` })
}

function queueHeld(jobs: HeldJobs, payload: unknown): Promise<void> {
  return inTransaction(database.app, { firm: null }, async (tx) => queueIn(tx, jobs, payload))
}

async function queued(): Promise<{ attempts: number; held: boolean }[]> {
  const { rows } = await session.query(
    "select attempts, locked_by like 'held-%' as held from graphile_worker._private_jobs order by id",
  )
  return rows
}

async function isEmpty(): Promise<boolean> {
  return (await queued()).length === 0
}

/** Work whose only effect is the end of the job. */
function endJob(end: (tx: Tx) => void): Promise<void> {
  return inTransaction(database.app, { firm: null }, async (tx) => end(tx))
}

test('a wait for due work does not wait for work that is held since it began', async () => {
  const released = Promise.withResolvers<void>()
  const one = await startProcess(() => released.promise)
  const due = (last: bigint) => inTransaction(database.owner, { firm: null }, (tx) => countDueJobs(tx, last))
  try {
    await queueHeld(one.jobs, { no: 1 })
    const last = await inTransaction(database.owner, { firm: null }, readLastJob)
    assert.equal(await due(last), 1)
    await queueHeld(one.jobs, { no: 2 })
    assert.deepEqual([await due(last), await due(last - 1n)], [1, 0])
    const job = { task: 'of no worker', payload: {}, key: 'of no worker', due: null }
    await inTransaction(database.app, { firm: null }, async (tx) => queue(tx, job))
    assert.deepEqual([await due(last), await due(last - 1n)], [2, 1])
  } finally {
    released.resolve()
    await one.runner.stop()
  }
})

describe('a held job', () => {
  test('is run after its commit, and removed in the transaction of its work', async () => {
    const done: unknown[] = []
    let during: unknown
    const one = await startProcess(async (payload, end) => {
      during = await queued()
      await endJob(end)
      done.push(payload)
    })
    try {
      await queueHeld(one.jobs, { no: 1 })
      await until('the removal of the job', async () => done.length === 1 && (await isEmpty()))
      assert.deepEqual(during, [{ attempts: 1, held: true }])
      assert.deepEqual(done, [{ no: 1 }])
      assert.deepEqual(one.byWorkers, [])
      assert.deepEqual(one.jobs.ids, [])
    } finally {
      await one.runner.stop()
    }
  })

  test('is not run when its transaction is rolled back', async () => {
    const begun: unknown[] = []
    const one = await startProcess(async (payload) => {
      begun.push(payload)
    })
    try {
      const fault = new Error('no')
      const failing = inTransaction(database.app, { firm: null }, async (tx) => {
        queueIn(tx, one.jobs, {})
        await tx.rows(unprepared('select'))
        throw fault
      })
      await assert.rejects(failing, fault)
      await queueHeld(one.jobs, { next: true })
      await until('the next job', () => begun.length > 0)
      assert.deepEqual(begun, [{ next: true }])
    } finally {
      await one.runner.stop()
    }
  })

  test('is not run by a worker while its process works longer than a lease', async () => {
    let begun = 0
    const one = await startProcess(async (_payload, end) => {
      begun += 1
      await pause(leases.lifetimeMs * 4)
      await endJob(end)
    })
    try {
      await queueHeld(one.jobs, {})
      await until('the removal of the job', async () => begun > 0 && (await isEmpty()))
      assert.equal(begun, 1)
      assert.deepEqual(one.byWorkers, [])
    } finally {
      await one.runner.stop()
    }
  })

  test('is run by a worker when its work fails', async () => {
    let begun = 0
    const one = await startProcess(async () => {
      begun += 1
      throw new Error('no')
    })
    try {
      await queueHeld(one.jobs, { no: 2 })
      await until('a worker that takes the job', async () => one.byWorkers.length > 0 && (await isEmpty()))
      assert.equal(begun, 1)
      assert.deepEqual(one.byWorkers, [{ no: 2 }])
    } finally {
      await one.runner.stop()
    }
  })

  test('is run by another process when its own has died', async () => {
    const other = await startProcess(() => Promise.reject(new Error('it holds no job')))
    try {
      // A process that dies right after the commit: it renews no lease and never begins.
      const died = new HeldJobs()
      died.start(() => new Promise(() => {}), 1)
      await queueHeld(died, { no: 3 })
      await until('a worker that takes the job', async () => other.byWorkers.length > 0 && (await isEmpty()))
      assert.deepEqual(other.byWorkers, [{ no: 3 }])
    } finally {
      await other.runner.stop()
    }
  })

  test('ends without effect on the queue when a worker has the job by now', async () => {
    const jobs = new HeldJobs()
    let end: (tx: Tx) => void = () => {}
    jobs.start(async (_payload, its) => {
      end = its
    }, 1)
    await queueHeld(jobs, {})
    await session.query("update graphile_worker._private_jobs set locked_by = 'a worker'")
    await endJob(end)
    assert.deepEqual(await queued(), [{ attempts: 1, held: false }])
  })

  test('that waits when its process stops is free for workers at once', async () => {
    const finish = Promise.withResolvers<void>()
    const one = await startProcess(async (_payload, end) => {
      await finish.promise
      await endJob(end)
    })
    for (const no of [1, 2, 3]) await queueHeld(one.jobs, { no })
    const stopped = one.runner.stop()
    finish.resolve()
    await stopped
    const { rows } = await session.query('select payload, locked_by from graphile_worker._private_jobs')
    assert.deepEqual(rows, [{ payload: { no: 3 }, locked_by: null }])
  })

  test('is queued for workers when too many wait', async () => {
    const jobs = new HeldJobs(1)
    jobs.start(() => new Promise(() => {}), 1)
    for (const no of [1, 2, 3]) await queueHeld(jobs, { no })
    assert.deepEqual(await queued(), [
      { attempts: 1, held: true },
      { attempts: 1, held: true },
      { attempts: 0, held: null },
    ])
  })

  test('has one job for a key', async () => {
    const jobs = new HeldJobs()
    jobs.start(() => new Promise(() => {}), 1)
    await queueHeld(jobs, { same: true })
    await queueHeld(jobs, { same: true })
    const { rows } = await session.query('select from graphile_worker._private_jobs where key is not null')
    assert.equal(rows.length, 1)
  })

  test('stops together with the workers, which begin no further job meanwhile', async () => {
    const finish = Promise.withResolvers<void>()
    const one = await startProcess(async (_payload, end) => {
      await finish.promise
      await endJob(end)
    })
    await queueHeld(one.jobs, { no: 1 })
    // Ends the search with which each worker begins.
    await pause(leases.lifetimeMs)
    const stopped = one.runner.stop()
    await queueHeld(one.jobs, { no: 2 })
    await pause(leases.lifetimeMs)
    finish.resolve()
    await stopped
    assert.deepEqual(one.byWorkers, [])
    assert.deepEqual(await queued(), [{ attempts: 0, held: null }])
  })

  test('moves with its firm while it is locked', async () => {
    await using cell = await createTestDatabase()
    const jobs = new HeldJobs()
    jobs.start(() => new Promise(() => {}), 1)
    await queueHeld(jobs, { firmId: 'A' })
    await queueHeld(jobs, { firmId: 'B' })
    const moved = await moveJobs({ from: database.owner, to: cell.owner, firmId: 'A' })
    assert.equal(moved, 1)
    const firms = 'select payload, locked_by is not null as locked from graphile_worker._private_jobs'
    assert.deepEqual((await session.query(firms)).rows, [{ payload: { firmId: 'B' }, locked: true }])
    const there = await inTransaction(cell.owner, { firm: null }, (tx) => tx.rows(unprepared(firms)))
    assert.deepEqual(there, [{ payload: { firmId: 'A' }, locked: false }])
  })
})

describe('when the connection is cut', () => {
  const cuts = ['before-commit', 'after-commit', 'before-reply'] as const
  let proxy: FaultProxy
  let cutPool: Pool
  before(async () => {
    proxy = await startFaultProxy(database.urls.app)
    cutPool = openPool({ name: 'app', url: proxy.through(database.urls.app) })
  })
  after(async () => {
    await cutPool?.end()
    await proxy?.[Symbol.asyncDispose]()
  })

  test('at the COMMIT that queues a job, a worker runs the job if it is there', async () => {
    const begun: unknown[] = []
    const one = await startProcess(async (payload) => {
      begun.push(payload)
    })
    try {
      for (const at of cuts) {
        proxy.inject({ kind: 'cut', at })
        const queueing = inTransaction(cutPool, { firm: null }, async (tx) => queueIn(tx, one.jobs, at))
        await assert.rejects(queueing, OutcomeUnknown)
      }
      const areRun = async () => one.byWorkers.length === 2 && (await isEmpty())
      await until('a worker that takes the jobs', areRun)
      assert.deepEqual(one.byWorkers.toSorted(), ['after-commit', 'before-reply'])
      assert.deepEqual(begun, [])
    } finally {
      await one.runner.stop()
    }
  })

  test('at the COMMIT that does the work, a worker runs the job if it is not done', async () => {
    const ended: unknown[] = []
    const one = await startProcess(async (payload, end) => {
      proxy.inject({ kind: 'cut', at: payload as (typeof cuts)[number] })
      const working = inTransaction(cutPool, { firm: null }, async (tx) => end(tx))
      await assert.rejects(working, OutcomeUnknown)
      ended.push(payload)
      await working
    })
    try {
      for (const at of cuts) {
        await queueHeld(one.jobs, at)
        await until('the end of the work', () => ended.at(-1) === at)
      }
      await until('the removal of the jobs', isEmpty)
      assert.deepEqual(one.byWorkers, ['before-commit'])
      assert.deepEqual(one.jobs.ids, [])
    } finally {
      await one.runner.stop()
    }
  })
})
