import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitFailed, StatementFailed } from './faults.ts'
import { json, statement, unprepared } from './statement.ts'
import { startFaultProxy } from './testing/fault-proxy.ts'
import { createBeforeTests, db, numbersOf, openThrough } from './testing/parcel-database.ts'
import { firmA, insertParcel, selectParcel, selectParcels } from './testing/parcels.ts'
import { inTransaction, readInFirm, type Tx } from './transaction.ts'

createBeforeTests()

const insertDepotless = statement(
  'insert-depotless',
  "insert into clearing.parcel (firm_id, number, weight, depot) values (clearing.current_firm(), $1, 1, 'nowhere')",
)

test('a transaction whose body returns is committed and visible to other sessions', async () => {
  const count = await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['kept', 3]))
  assert.equal(count, 1)
  assert.deepEqual(await readInFirm(db.app, firmA, selectParcel, ['kept']), [{ number: 'kept', weight: 3 }])
})

test('a transaction whose body throws is rolled back, and the error is passed on unchanged', async () => {
  const error = new Error('changed my mind')
  const attempt = inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['thrown', 1])
    throw error
  })
  await assert.rejects(attempt, error)
  assert.equal((await numbersOf(firmA)).includes('thrown'), false)
})

test('a write of a firm finds a row by its key even if the whole table is one page', async () => {
  const plan = (tx: Tx) =>
    tx.rows<{ 'QUERY PLAN': string }>(
      unprepared("explain (costs off) select weight from clearing.parcel where number = 'by key'"),
    )
  const render = (rows: readonly { 'QUERY PLAN': string }[]) => rows.map((row) => row['QUERY PLAN']).join()
  const own = { firm: firmA }
  await inTransaction(db.app, own, (tx) => tx.run(insertParcel, ['by key', 1]))
  await inTransaction(db.owner, { firm: null }, (tx) => tx.run(unprepared('analyze clearing.parcel')))
  assert.match(render(await inTransaction(db.app, own, plan)), /Index/)
  // The planner would read the whole page, as it does in a read.
  assert.match(render(await inTransaction(db.app, { ...own, readOnly: true }, plan)), /Seq Scan/)
})

test('an abandoned transaction returns its result and is rolled back', async () => {
  const result = await inTransaction(db.app, { firm: firmA }, async (tx) => {
    await tx.run(insertParcel, ['abandoned', 1])
    tx.abandon()
    return 'refused'
  })
  assert.equal(result, 'refused')
  assert.equal((await numbersOf(firmA)).includes('abandoned'), false)
})

test('a body that ignores a failed statement gets the error that nothing was committed', async () => {
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

test('a COMMIT to which the server responds with ROLLBACK throws an error', async () => {
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

test('a constraint that fails at COMMIT throws an error, and nothing is committed', async () => {
  const attempt = inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertDepotless, ['depotless']))
  await assert.rejects(
    attempt,
    (fault: unknown) => fault instanceof StatementFailed && fault.code === '23503',
  )
  assert.equal((await numbersOf(firmA)).includes('depotless'), false)
})

test('a deferred statement is committed with the other statements', async () => {
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    tx.later(insertParcel, ['later-1', 1])
    tx.later(insertParcel, ['later-2', 1])
  })
  const numbers = await numbersOf(firmA)
  assert.ok(numbers.includes('later-1') && numbers.includes('later-2'))
})

test('a refused deferred statement rolls everything back and is named in the error', async () => {
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

test('no message of a fault contains a value of the caller', async () => {
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

test('a read-only transaction and readInFirm refuse writes', async () => {
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

test('a repeatable read sees one state of the database in all statements, and a plain read sees each commit', async () => {
  const seen = async (isolation: 'read committed' | 'repeatable read', number: string) =>
    inTransaction(db.app, { firm: firmA, readOnly: true, isolation }, async (tx) => {
      const before = (await tx.rows(selectParcels)).length
      await inTransaction(db.app, { firm: firmA }, (other) => other.run(insertParcel, [number, 1]))
      return (await tx.rows(selectParcels)).length - before
    })
  assert.equal(await seen('repeatable read', 'snapshot-1'), 0)
  assert.equal(await seen('read committed', 'snapshot-2'), 1)
})

test('pages return every row once, contain at most the page size, and can be abandoned early', async () => {
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

test('a transaction that has ended refuses statements', async () => {
  let kept: Tx | undefined
  await inTransaction(db.app, { firm: firmA }, async (tx) => {
    kept = tx
    await tx.rows(selectParcels)
  })
  await assert.rejects(kept?.rows(selectParcels) ?? Promise.resolve(), /has ended/)
  assert.throws(() => kept?.later(insertParcel, ['late', 1]), /has ended/)
})

test('a second row where at most one is allowed is a fault', async () => {
  await assert.rejects(
    inTransaction(db.app, { firm: firmA }, (tx) => tx.row(selectParcels)),
    /instead of at most one/,
  )
})

test('a job is queued in the transaction of its cause, and a rollback removes it', async () => {
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

test('a statement that begins or ends a transaction, has an invalid name or reuses a name cannot be declared', () => {
  for (const text of ['commit', ' ROLLBACK', 'begin; select 1', 'savepoint a', 'end']) {
    assert.throws(() => statement('control', text), /only inTransaction/)
  }
  statement('declared', 'select 1')
  assert.throws(() => statement('declared', 'select 2'), /two statements/)
  assert.throws(() => statement('Not Kebab', 'select 1'), /kebab-case/)
})
