import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CommitFailed, DatabaseUnavailable, StatementFailed } from './faults.ts'
import { json, lookUp, type Statement, statement, unprepared } from './statement.ts'
import type { TestDatabase } from './test-database.ts'
import { startFaultProxy } from './testing/fault-proxy.ts'
import {
  createParcelDatabase,
  firmA,
  firmB,
  insertParcel,
  lockParcel,
  type Parcel,
  selectFirms,
  selectParcel,
  selectParcels,
  weighParcel,
} from './testing/parcels.ts'
import { inTransaction, readInFirm, type Tx } from './transaction.ts'

let db: TestDatabase
before(async () => {
  db = await createParcelDatabase()
})
after(async () => {
  await db[Symbol.asyncDispose]()
})

const insertDepotless = statement(
  'insert-depotless',
  "insert into clearing.parcel (firm_id, number, weight, depot) values (clearing.current_firm(), $1, 1, 'nowhere')",
)
const lookUpParcel = lookUp<Parcel>(
  'look-up-parcel',
  'select number, weight from clearing.parcel where number = $1',
)
const lookUpFirms = lookUp<{ firm: string }>(
  'look-up-firms',
  'select distinct firm_id as firm from clearing.parcel',
)
const sleepLong = statement('sleep-long', 'select pg_sleep(30)')

async function numbersOf(firm: string): Promise<string[]> {
  return (await readInFirm(db.operations, firm, selectParcels)).map(({ number }) => number)
}

test('what the body returns was committed and is seen by others', async () => {
  const count = await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['kept', 3]))
  assert.equal(count, 1)
  assert.deepEqual(await readInFirm(db.app, firmA, selectParcel, ['kept']), [{ number: 'kept', weight: 3 }])
})

test('a body that throws leaves nothing, and its error arrives unchanged', async () => {
  const error = new Error('changed my mind')
  const attempt = inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['thrown', 1])
    throw error
  })
  await assert.rejects(attempt, error)
  assert.equal((await numbersOf(firmA)).includes('thrown'), false)
})

test('an abandoned transaction returns its result and leaves nothing', async () => {
  const result = await inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['abandoned', 1])
    tx.abandon()
    return 'refused'
  })
  assert.equal(result, 'refused')
  assert.equal((await numbersOf(firmA)).includes('abandoned'), false)
})

test('a body that passes over a failed statement is told that nothing was committed', async () => {
  const attempt = inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['twice', 1])
    await tx.run(insertParcel, ['twice', 2]).catch(() => {})
  })
  await assert.rejects(attempt, (fault: unknown) => {
    assert.ok(fault instanceof CommitFailed)
    assert.ok(fault.cause instanceof StatementFailed)
    assert.equal(fault.cause.code, '23505')
    assert.equal(fault.cause.constraint, 'parcel_pkey')
    assert.equal(fault.cause.statement, 'insert-parcel')
    return true
  })
  assert.equal((await numbersOf(firmA)).includes('twice'), false)
})

test('a COMMIT that is answered with ROLLBACK throws', async () => {
  await using proxy = await startFaultProxy(db.urls.app)
  await using other = await openThrough(proxy)
  proxy.inject({ kind: 'rollback' })
  const attempt = inTransaction(other.pool, { firm: firmA }, (tx) => tx.run(insertParcel, ['unanswered', 1]))
  await assert.rejects(
    attempt,
    (fault: unknown) => fault instanceof CommitFailed && /ROLLBACK/.test(fault.message),
  )
  assert.equal((await numbersOf(firmA)).includes('unanswered'), false)
})

test('a constraint that fails at COMMIT throws and nothing is kept', async () => {
  const attempt = inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertDepotless, ['depotless']))
  await assert.rejects(
    attempt,
    (fault: unknown) => fault instanceof StatementFailed && fault.code === '23503',
  )
  assert.equal((await numbersOf(firmA)).includes('depotless'), false)
})

test('a statement left for later is committed with the rest', async () => {
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    tx.later(insertParcel, ['later-1', 1])
    tx.later(insertParcel, ['later-2', 1])
  })
  const numbers = await numbersOf(firmA)
  assert.ok(numbers.includes('later-1') && numbers.includes('later-2'))
})

test('a refused statement left for later undoes everything and is named', async () => {
  const attempt = inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['with-later', 1])
    tx.later(insertParcel, ['too-light', -1])
  })
  await assert.rejects(
    attempt,
    (fault: unknown) =>
      fault instanceof StatementFailed && fault.code === '23514' && fault.statement === 'insert-parcel',
  )
  assert.equal((await numbersOf(firmA)).includes('with-later'), false)
})

test('a write of two steps costs two round trips, a read one, and a body without statements none', async () => {
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
  assert.equal(await roundTrips((tx) => tx.rows(selectParcels), true), 1)
  assert.equal(await roundTrips(async () => {}), 0)
  assert.equal(proxy.counts.connections, 1)
})

test('look-ups of several readers of a firm travel together, and each has its own answer', async () => {
  await using proxy = await startFaultProxy(db.urls.app)
  await using other = await openThrough(proxy)
  for (const number of ['first', 'second'])
    await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, [number, number.length]))
  await readInFirm(other.pool, firmA, selectParcel, ['warm'])
  const before = proxy.counts.roundTrips
  const look = (firm: string, number: string) =>
    inTransaction(other.pool, { firm, readOnly: true }, (tx) => tx.row(lookUpParcel, [number]))
  const found = await Promise.all([
    look(firmA, 'first'),
    look(firmB, 'first'),
    look(firmA, 'second'),
    look(firmA, 'none'),
  ])
  assert.deepEqual(found, [
    { number: 'first', weight: 5 },
    undefined,
    { number: 'second', weight: 6 },
    undefined,
  ])
  assert.equal(proxy.counts.roundTrips - before, 2, 'one for each firm')
})

test('a look-up that is refused is its own reader’s fault; those beside it are answered', async () => {
  const broken = lookUp<{ quotient: number }>('look-up-broken', 'select 1 / $1::int as quotient')
  const look = (divisor: number) =>
    inTransaction(db.app, { firm: firmA, readOnly: true }, (tx) => tx.row(broken, [divisor]))
  const settled = await Promise.allSettled([look(1), look(0), look(1), look(0), look(1)])
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value?.quotient : one.reason.constructor)),
    [1, StatementFailed, 1, StatementFailed, 1],
  )
})

test('a look-up whose connection breaks behind another’s is repeated where it may be, else refused', async () => {
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

test('statements of one turn are answered in the order they were asked for', async () => {
  const [inserted, seen, missing] = await inTransaction(db.app, { firm: firmA }, (tx) =>
    Promise.all([
      tx.run(insertParcel, ['ordered', 7]),
      tx.row(selectParcel, ['ordered']),
      tx.row(selectParcel, ['-']),
    ]),
  )
  assert.deepEqual([inserted, seen, missing], [1, { number: 'ordered', weight: 7 }, undefined])
})

test('when one statement of a turn fails, those before are answered and those behind are not run', async () => {
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

test('no message of a fault carries what the caller sent', async () => {
  const sent = '123-45-6789'
  const asNumber = statement('as-number', 'select $1::int')
  const asDate = statement('as-date', 'select $1::text::date')
  for (const probe of [asNumber, asDate]) {
    const fault = await readInFirm(db.app, firmA, probe, [sent]).catch((error: unknown) => error)
    assert.ok(fault instanceof StatementFailed)
    const { inspect } = await import('node:util')
    assert.equal(inspect(fault, { depth: 9 }).includes(sent), false)
  }
})

test('a read-only transaction and a read in firm refuse writes', async () => {
  const refused = (fault: unknown) => fault instanceof StatementFailed && fault.code === '25006'
  const scopes = [{ readOnly: true }, { readOnly: true, isolation: 'repeatable read' as const }]
  for (const scope of scopes) {
    const write = inTransaction(db.app, { firm: firmA, ...scope }, (tx) =>
      tx.run(insertParcel, ['written', 1]),
    )
    await assert.rejects(write, refused)
    const later = inTransaction(db.app, { firm: firmA, ...scope }, async (tx) =>
      tx.later(insertParcel, ['written', 1]),
    )
    await assert.rejects(later, refused)
  }
  await assert.rejects(readInFirm(db.app, firmA, insertParcel, ['written', 1]), refused)
})

test('a repeatable read sees one state of the database over several statements, a plain one sees each commit', async () => {
  const seen = async (isolation: 'read committed' | 'repeatable read', number: string) =>
    inTransaction(db.app, { firm: firmA, readOnly: true, isolation }, async (tx) => {
      const before = (await tx.rows(selectParcels)).length
      await inTransaction(db.app, { firm: firmA }, (other) => other.run(insertParcel, [number, 1]))
      return (await tx.rows(selectParcels)).length - before
    })
  assert.equal(await seen('repeatable read', 'snapshot-1'), 0)
  assert.equal(await seen('read committed', 'snapshot-2'), 1)
})

test('pages give every row once, at most so many at a time, and may be left early', async () => {
  const series = statement<{ n: number }>('series', 'select n from generate_series(1, $1::int) as n')
  for (const [total, rowsMax, sizes] of [
    [10, 4, [4, 4, 2]],
    [8, 4, [4, 4]],
    [3, 4, [3]],
    [0, 4, []],
  ] as const) {
    const found = await inTransaction(db.app, { firm: firmA, readOnly: true }, async (tx) => {
      const pages: number[] = []
      let next = 1
      for await (const page of tx.pages(series, [total], rowsMax)) {
        pages.push(page.length)
        for (const { n } of page) assert.equal(n, next++)
      }
      return pages
    })
    assert.deepEqual(found, sizes)
  }
  const first = await inTransaction(db.app, { firm: firmA, readOnly: true }, async (tx) => {
    for await (const page of tx.pages(series, [1_000_000], 2))
      return page.length + (await tx.rows(series, [5])).length
    return 0
  })
  assert.equal(first, 7)
})

test('a lock held by another is waited for no longer than the limit', async () => {
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

test('a transaction left idle is ended by the server and its connection does not return', async () => {
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
  const narrow = db.open('app', { connectionsMax: 1, acquireTimeoutMs: 50 })
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

test('a repeatable body is run again after a serialization failure, another is not', async () => {
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

test('two transactions that lock each other out both succeed when they are repeatable', async () => {
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

test('a table that changes under kept plans costs a repeatable caller nothing', async () => {
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

test('without a firm no row is visible and none can be written', async () => {
  assert.deepEqual(await readInFirm(db.app, null, selectParcels), [])
  const forged = statement(
    'forged',
    "insert into clearing.parcel (firm_id, number, weight) values ($1, 'forged', 1)",
  )
  const denied = (fault: unknown) => fault instanceof StatementFailed && fault.code === '42501'
  await assert.rejects(
    inTransaction(db.app, { firm: null }, (tx) => tx.run(forged, [firmA])),
    denied,
  )
  await assert.rejects(
    inTransaction(db.app, { firm: firmB }, (tx) => tx.run(forged, [firmA])),
    denied,
  )
})

test('operations see the rows of all firms', async () => {
  await inTransaction(db.app, { firm: firmB }, (tx) => tx.run(insertParcel, ['of-b', 1]))
  const firms = await readInFirm(db.operations, null, selectFirms)
  assert.deepEqual(firms.map(({ firm }) => firm).sort(), [firmA, firmB])
})

test('on one connection, 5,000 interleaved calls of two firms never see the other, whatever became of the calls before', async () => {
  const narrow = db.open('app', { connectionsMax: 1, acquireTimeoutMs: 60_000 })
  for (const firm of [firmA, firmB]) {
    await inTransaction(narrow, { firm }, (tx) => tx.run(insertParcel, [`marker of ${firm}`, 1]))
  }
  const seen = { right: 0, wrong: 0 }
  const see = (firm: string | null, rows: { firm: string }[]) => {
    const expected = firm === null ? [] : [firm]
    seen[JSON.stringify(rows.map((row) => row.firm)) === JSON.stringify(expected) ? 'right' : 'wrong']++
  }
  const call = async (at: number) => {
    const firm = at % 2 === 0 ? firmA : firmB
    switch (at % 7) {
      case 0:
      case 1:
        return see(firm, await readInFirm(narrow, firm, selectFirms))
      case 2:
        return inTransaction(narrow, { firm }, async (tx) => see(firm, await tx.rows(selectFirms)))
      case 3:
        return inTransaction(narrow, { firm, readOnly: true }, async (tx) =>
          see(firm, await tx.rows(at % 4 < 2 ? lookUpFirms : selectFirms)),
        )
      case 4:
        return inTransaction(narrow, { firm }, async (tx) => {
          see(firm, await tx.rows(selectFirms))
          throw new Error('aborted by the body')
        }).catch(() => {})
      case 5:
        return inTransaction(narrow, { firm }, (tx) => tx.run(insertParcel, ['negative', -1])).catch(() => {})
      default:
        return see(null, await readInFirm(narrow, null, selectFirms))
    }
  }
  let next = 0
  const caller = async () => {
    while (next < 5_000) await call(next++)
  }
  await Promise.all(Array.from({ length: 50 }, caller))
  assert.deepEqual(seen, { right: 4_286, wrong: 0 })
  assert.equal(narrow.figures().open, 1)
})

test('the firm is forgotten by the session when its transaction ends', async () => {
  const narrow = db.open('app', { connectionsMax: 1 })
  const scopes = [
    { firm: firmA },
    { firm: firmA, readOnly: true },
    { firm: firmA, isolation: 'repeatable read', readOnly: true },
  ] as const
  for (const scope of scopes) {
    await inTransaction(narrow, scope, (tx) => tx.rows(selectParcels))
    const client = await narrow.acquire()
    const { rows } = await client.query(
      "select current_setting('clearing.firm', true) as firm, current_setting('transaction_read_only') as locked",
    )
    assert.deepEqual(rows, [{ firm: '', locked: 'off' }])
    client.release()
  }
})

test('a transaction that has ended takes no more statements', async () => {
  let kept: Tx | undefined
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    kept = tx
    await tx.rows(selectParcels)
  })
  await assert.rejects(kept?.rows(selectParcels) ?? Promise.resolve(), /has ended/)
  assert.throws(() => kept?.later(insertParcel, ['late', 1]), /has ended/)
})

test('more rows than one where one may be is a fault', async () => {
  await assert.rejects(
    inTransaction(db.app, { firm: firmA }, (tx) => tx.row(selectParcels)),
    /where one at most may be/,
  )
})

test('a job is queued in the transaction of its cause, and a rollback takes it back', async () => {
  const queueJob = statement<{ id: bigint }>(
    'queue-probe',
    "select clearing.queue_job('probe', $1, job_key => $2) as id",
  )
  const jobs = unprepared<{ key: string }>('select key from graphile_worker.jobs order by id')
  await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(queueJob, [json({ step: 1 }), 'kept']))
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(queueJob, [json({ step: 2 }), 'undone'])
    tx.abandon()
  })
  assert.deepEqual(await readInFirm(db.owner, null, jobs), [{ key: 'kept' }])
  await assert.rejects(
    readInFirm(db.app, null, jobs),
    (fault: unknown) => fault instanceof StatementFailed && fault.code === '42501',
  )
})

test('statements that begin or end transactions, and two of one name, are refused when declared', () => {
  for (const text of ['commit', ' ROLLBACK', 'begin; select 1', 'savepoint a', 'end']) {
    assert.throws(() => statement('control', text), /only inTransaction/)
  }
  statement('declared', 'select 1')
  assert.throws(() => statement('declared', 'select 2'), /two statements/)
  assert.throws(() => statement('Not Kebab', 'select 1'), /kebab-case/)
})

async function openThrough(proxy: { through(url: string): string }) {
  const { openPool } = await import('./pool.ts')
  const pool = openPool({ name: 'app', url: proxy.through(db.urls.app), limits: { connectionsMax: 1 } })
  return { pool, [Symbol.asyncDispose]: () => pool.end() }
}
