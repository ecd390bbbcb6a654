import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { BusinessDay } from '../business-day/close-day.ts'
import { unprepared } from '../database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { until } from '../database/test-waiting.ts'
import { inTransaction, readInFirm } from '../database/transaction.ts'
import { queue } from '../store/jobs.ts'
import { isSandboxClockMoved, lockClock, readClock, readNextDue, writeClock } from '../store/sandbox-clock.ts'
import { CallDrain } from './call-drain.ts'
import { ClockMover } from './move-clock.ts'
import { RestoreWatch } from './restore-watch.ts'
import { SandboxClock, settingAt } from './sandbox-clock.ts'
import { Snapshots } from './snapshots.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database?.[Symbol.asyncDispose]())

function fail(fault: unknown) {
  throw fault
}
const hourMs = 3_600_000

/** Moves the clock only in the database, as another process does. */
function moveTo(now: Date, frozen: boolean) {
  return inTransaction(database.owner, { firm: null }, async (tx) => {
    const stored = await lockClock(tx)
    writeClock(tx, { ...settingAt(now, frozen, Date.now()), advance: stored.advance })
  })
}

describe('the clock of the sandbox', () => {
  it('is one clock for all processes, and keeps its time when they restart', async () => {
    const later = new Date(Date.now() + 100 * hourMs)
    {
      await using one = await SandboxClock.open(database.owner, fail)
      await using two = await SandboxClock.open(database.owner, fail)
      assert.equal(one.aheadMs(), 0)
      await moveTo(later, true)
      await until('both processes read the moved clock', () => one.frozen && two.frozen)
      assert.deepEqual([one.now(), two.now()], [later, later])
    }
    await using third = await SandboxClock.open(database.owner, fail)
    assert.deepEqual([third.now(), third.frozen], [later, true])
    await moveTo(later, false)
    await until('it runs', () => !third.frozen)
    const aheadMs = third.aheadMs()
    assert.ok(aheadMs > 99.9 * hourMs && aheadMs <= 100 * hourMs)
  })

  it('prevents the start of production on a database whose clock was moved', async () => {
    const check = () =>
      inTransaction(database.operations, { firm: null, readOnly: true }, isSandboxClockMoved)
    await moveTo(new Date(Date.now() + hourMs), false)
    assert.equal(await check(), true)
    await database.owner.pg.query('update clearing.sandbox_clock set offset_ms = 0')
    assert.equal(await check(), false)
    await database.owner.pg.query('delete from clearing.sandbox_clock')
    assert.equal(await check(), false)
    await using _again = await SandboxClock.open(database.owner, fail)
  })

  it('moves while a transaction that has queued work for a later time goes on', async () => {
    const due = new Date('2030-01-01T11:00:00Z')
    await inTransaction(database.operations, { firm: null }, async (tx) => {
      queue(tx, { task: 'none', payload: {}, key: 'later', due })
      await tx.row(unprepared('select 1'))
      await moveTo(new Date('2030-01-01T10:00:00Z'), false)
    })
    const job = "select run_at from graphile_worker._private_jobs where key = 'later'"
    const { rows } = await database.owner.pg.query(job)
    const waitsMs = new Date(rows[0].run_at).getTime() - Date.now()
    assert.ok(waitsMs > hourMs - 10_000 && waitsMs <= hourMs, `${waitsMs}`)
  })

  it('makes queued work due at the corresponding time of the wall clock, and changes that time after each move', async () => {
    const now = new Date('2030-01-01T12:00:00Z')
    await moveTo(now, false)
    const due = new Date(now.getTime() + 30_000)
    const payload = { job: { notBefore: due.toISOString() } }
    await inTransaction(database.operations, { firm: null }, async (tx) =>
      queue(tx, { task: 'none', payload, key: 'none', due }),
    )
    const waitsMs = async () => {
      const { rows } = await database.owner.pg.query(
        "select run_at, run_at = 'infinity' as never from graphile_worker._private_jobs where key = 'none'",
      )
      return rows[0].never ? Number.POSITIVE_INFINITY : new Date(rows[0].run_at).getTime() - Date.now()
    }
    const first = await waitsMs()
    assert.ok(first > 20_000 && first <= 30_000, `${first}`)
    await moveTo(new Date(now.getTime() + 10_000), true)
    assert.equal(await waitsMs(), Number.POSITIVE_INFINITY)
    const next = await inTransaction(database.owner, { firm: null }, (tx) => readNextDue(tx, now))
    assert.deepEqual(next, due)
    await moveTo(new Date(now.getTime() + 20_000), false)
    assert.ok((await waitsMs()) <= 10_000)
    await moveTo(due, true)
    assert.ok((await waitsMs()) <= 0)
  })
})

describe('the drain of calls', () => {
  it('refuses new calls, and begins the work when the running calls have ended', async () => {
    const drain = new CallDrain()
    const { promise: leaving, resolve: leave } = Promise.withResolvers<void>()
    const running = drain.run(() => leaving.then(() => 'left'))
    const order: string[] = []
    const drained = drain.runDrained(10_000, async () => {
      order.push('alone')
      return 'done'
    })
    assert.equal(await drain.run(async () => 'in'), undefined)
    assert.equal(await drain.runDrained(0, async () => 'twice'), undefined)
    order.push('a call runs')
    leave()
    assert.equal(await drained, 'done')
    assert.equal(await running, 'left')
    assert.deepEqual(order, ['a call runs', 'alone'])
    assert.equal(await drain.run(async () => 'in'), 'in')
  })

  it('admits calls again if a running call takes too long', async () => {
    const drain = new CallDrain()
    const { promise: leaving, resolve: leave } = Promise.withResolvers<void>()
    const running = drain.run(() => leaving)
    assert.equal(await drain.runDrained(20, async () => 'alone'), undefined)
    assert.equal(await drain.run(async () => 'in'), 'in')
    leave()
    await running
    assert.equal(await drain.runDrained(20, async () => 'alone'), 'alone')
  })
})

describe('a restore', () => {
  it('makes another process refuse new calls until it ends, and lets the running calls of that process finish', async () => {
    const { owner } = database
    await using one = await SandboxClock.open(owner, fail)
    await using two = await SandboxClock.open(owner, fail)
    const there = new CallDrain()
    let forgotten = 0
    const watch = new RestoreWatch({ owner, drain: there, forget: () => forgotten++, onFault: fail })
    two.onChange(() => watch.look())
    const snapshots = new Snapshots({
      owner,
      clock: one,
      drain: new CallDrain(),
      forget: () => {},
      afterRestore: async () => {},
    })
    const firmId = randomUUID()
    await database.operations.pg.query(
      'insert into clearing.firm (firm_id, name, created_at) values ($1, $2, now())',
      [firmId, 'A'],
    )
    await snapshots.save('two processes')
    // Locks one table and then needs another, as two transactions of a request do.
    const running = there.run(() =>
      inTransaction(owner, { firm: null }, async (tx) => {
        await tx.rows(unprepared('select from clearing.account'))
        await until('the other process refuses calls', () => there.refusing)
        return readInFirm(owner, null, unprepared('select from clearing.audit'))
      }),
    )
    const { kind } = await snapshots.restore('two processes', {
      firmId,
      clientId: 'alpha',
      traceId: '',
      operation: 'restore-snapshot',
    })
    assert.equal(kind, 'restored')
    assert.deepEqual(await running, [])
    await until('the other process admits calls again', () => !there.refusing)
    assert.equal(forgotten, 1)
  })
})

describe('a restore in another process', () => {
  const begin = new Date('2030-03-01T12:00:00Z')
  for (const [when, close] of [
    ['during a close, which completes', async () => ({ kind: 'closed' })],
    ['during a close, which then fails', () => Promise.reject(new Error('the close was not begun'))],
  ] as const)
    it(`ends a move of the clock: ${when}`, async () => {
      const { owner, operations } = database
      // Nothing works on queued jobs here, and a move waits for them.
      await owner.pg.query('delete from graphile_worker._private_jobs')
      await moveTo(begin, true)
      await using clock = await SandboxClock.open(owner, fail)
      await until('the clock is read', () => clock.frozen && clock.now() >= begin)
      const closed: string[] = []
      const businessDay = {
        close: async ({ date }: { readonly date: string }) => {
          closed.push(date)
          await inTransaction(owner, { firm: null }, async (tx) => {
            // The day is stored before its close, so that a killed advance names it when it continues.
            assert.deepEqual((await lockClock(tx)).advance?.closedDays, [date])
            writeClock(tx, { ...settingAt(begin, true, Date.now()), advance: null })
          })
          return close()
        },
      } as unknown as BusinessDay
      const closeAt = '18:00'
      const mover = new ClockMover({ owner, operations, spare: operations, clock, businessDay, closeAt })
      const to = (now: Date) => new Date(now.getTime() + 240 * hourMs)
      const moved = await mover.advance({ to, by: '', firmId: '', clientId: '', traceId: '' })
      assert.deepEqual([moved.kind, closed.length], ['restored', 1])
      const shown = await inTransaction(owner, { firm: null, readOnly: true }, readClock)
      assert.deepEqual([shown.frozenAt, shown.advance], [begin, null])
    })
})

describe('an advance of the clock', () => {
  it('excludes advances of other processes, and ends at its next stop when the service stops', async () => {
    const { owner, operations } = database
    await owner.pg.query('delete from graphile_worker._private_jobs')
    const begin = new Date('2031-03-03T12:00:00Z')
    await moveTo(begin, true)
    await using clock = await SandboxClock.open(owner, fail)
    await until('the clock is read', () => clock.frozen && clock.now() >= begin)
    const closing = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const closed: string[] = []
    const businessDay = {
      close: async ({ date }: { readonly date: string }) => {
        closed.push(date)
        closing.resolve()
        await mayEnd.promise
        return { kind: 'closed' }
      },
    } as unknown as BusinessDay
    const moves = { owner, operations, spare: operations, clock, businessDay, closeAt: '18:00' } as const
    const [one, two] = [new ClockMover(moves), new ClockMover(moves)]
    const end = new Date(begin.getTime() + 240 * hourMs)
    const advance = { by: 'a 1', firmId: '', clientId: '', traceId: '' }
    const advancing = one.advance({ ...advance, to: () => end })
    await closing.promise
    const other = await two.advance({ ...advance, by: '', to: (now) => new Date(now.getTime() + hourMs) })
    assert.deepEqual(other, { kind: 'busy', to: end })
    const stopping = one.stop()
    mayEnd.resolve()
    await stopping
    assert.deepEqual([(await advancing).kind, closed.length], ['stopped', 1])
    const back = (await two.advance({ ...advance, by: '', to: () => begin })).kind
    assert.equal(back, 'backwards')
  })
})
