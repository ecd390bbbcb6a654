import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import fc from 'fast-check'
import pg from 'pg'
import { DatabaseUnavailable } from './faults.ts'
import { type FinishedRoundTrip, openPool, type PoolName } from './pool.ts'
import { WrongRole } from './session.ts'
import { json, statement, unprepared, type Value } from './statement.ts'
import type { TestDatabase } from './test-database.ts'
import { until } from './test-waiting.ts'
import { startFaultProxy } from './testing/fault-proxy.ts'
import { createParcelDatabase, firmA, insertParcel, selectParcels } from './testing/parcels.ts'
import { inTransaction, readInFirm } from './transaction.ts'

let db: TestDatabase
before(async () => {
  db = await createParcelDatabase()
})
after(async () => {
  await db[Symbol.asyncDispose]()
})

async function readOne<Row>(text: string, values: readonly Value[] = []): Promise<Row | undefined> {
  return (await readInFirm<Row>(db.app, null, unprepared<Row>(text), values))[0]
}

test('a pool that connects as the owner of the database takes on its role and is bound by row-level security', async () => {
  await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['seen', 1]))
  const expected = { app: ['clearing_app', 0], operations: ['clearing_operations', 1] } as const
  for (const name of ['app', 'operations'] as const) {
    const pool = openPool({ name, url: db.urls.owner })
    const who = await readInFirm<{ who: string }>(pool, null, unprepared('select current_user as who'))
    const seen = await readInFirm(pool, null, selectParcels)
    assert.deepEqual([who[0]?.who, seen.length], expected[name])
    await pool.end()
  }
})

test('options in the address are applied, but cannot replace the role or the session settings', async () => {
  const url = new URL(db.urls.owner)
  url.searchParams.set('options', '-c role=clearing_operations -c work_mem=7MB -c TimeZone=Asia/Tokyo')
  const pool = openPool({ name: 'app', url: url.href })
  const [row] = await readInFirm(
    pool,
    null,
    unprepared(
      "select current_user as who, current_setting('work_mem') as memory, current_setting('TimeZone') as zone",
    ),
  )
  assert.deepEqual(row, { who: 'clearing_app', memory: '7MB', zone: 'UTC' })
  await pool.end()
})

test('settings that an administrator gives the database change no session of the service', async () => {
  const superuser = new pg.Client(db.urls.superuser)
  await superuser.connect()
  const given = {
    row_security: 'off',
    default_transaction_isolation: 'serializable',
    default_transaction_deferrable: 'on',
    idle_session_timeout: '200ms',
    transaction_timeout: '100ms',
  }
  const { rows } = await superuser.query('select current_database() as database')
  const { database } = rows[0]
  for (const [name, value] of Object.entries(given))
    await superuser.query(`alter database ${database} set ${name} = '${value}'`)
  const isolation = unprepared<{ level: string }>("select current_setting('transaction_isolation') as level")
  const wait = unprepared<{ level: string }>('select 1 from pg_sleep(0.2)')
  try {
    for (const shared of [false, true]) {
      const pool = openPool({ name: 'app', url: db.urls.owner, shared, limits: { connectionsMax: 1 } })
      const seen = await inTransaction(pool, { firm: firmA }, async (tx) => {
        tx.later(insertParcel, [`given ${shared}`, 1])
        await tx.rows(wait)
        assert.deepEqual(await tx.rows(isolation), [{ level: 'read committed' }])
        return tx.rows(selectParcels)
      })
      assert.ok(seen.length > 0)
      if (!shared) {
        const client = await pool.acquire()
        await pause(500)
        await client.query('select 1')
        client.release()
      }
      await pool.end()
    }
  } finally {
    await superuser.query(`alter database ${database} reset all`)
    await superuser.end()
  }
})

test('a pooler without support for startup options accepts every pool', async () => {
  await using proxy = await startFaultProxy(db.urls.owner)
  proxy.inject({ kind: 'refuse-options' })
  const withOptions = new pg.Client(`${proxy.through(db.urls.owner)}?options=-c%20jit%3Doff`)
  await assert.rejects(withOptions.connect(), /unsupported startup parameter: options/)
  for (const name of ['app', 'operations', 'owner'] as const) {
    const trips: FinishedRoundTrip[] = []
    const url = proxy.through(db.urls.owner)
    const pool = openPool({ name, url, onRoundTrip: (trip) => trips.push(trip) })
    const before = proxy.counts.roundTrips
    const [row] = await readInFirm(pool, null, unprepared("select current_setting('jit') as jit"))
    assert.deepEqual(row, { jit: 'off' })
    // One statement prepares the session; the others read.
    assert.equal(proxy.counts.roundTrips - before, 1 + trips.length)
    await pool.end()
  }
})

test('each transaction in a shared session sets its role, firm and limits, and none of them remain afterwards', async () => {
  const trips: FinishedRoundTrip[] = []
  const pool = openPool({
    name: 'app',
    url: db.urls.owner,
    shared: true,
    limits: { connectionsMax: 1, statementTimeoutMs: 4_321 },
    onRoundTrip: (trip) => trips.push(trip),
  })
  const who = unprepared<{ who: string; limit: string }>(
    "select current_user as who, current_setting('statement_timeout') as limit",
  )
  const expected = { who: 'clearing_app', limit: '4321ms' }
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await readInFirm(pool, firmA, who), [expected])
    assert.deepEqual(await inTransaction(pool, { firm: firmA, readOnly: true }, (tx) => tx.rows(who)), [
      expected,
    ])
    await inTransaction(pool, { firm: firmA }, async (tx) => {
      tx.later(insertParcel, [`shared ${round}`, 1])
      assert.deepEqual(await tx.rows(who), [expected])
      const pages = []
      for await (const page of tx.pages(selectParcels, [], 1)) pages.push(...page)
      assert.ok(pages.length > round)
    })
  }
  assert.deepEqual(await readInFirm(pool, null, selectParcels), [])
  const client = await pool.acquire()
  const { rows } = await client.query(
    "select current_user as who, current_setting('statement_timeout') as limit, (select count(*) from pg_prepared_statements) as prepared",
  )
  assert.deepEqual(rows, [{ who: 'clearing_owner', limit: '0', prepared: '0' }])
  client.release()
  // Role and settings are sent with the first statement.
  assert.equal(trips[0]?.statements[0], 'tx set-firm-to-read')
  await pool.end()
})

test('a session without the role of its pool is refused', async () => {
  for (const login of ['superuser', 'owner', 'operations'] as const) {
    await using proxy = await startFaultProxy(db.urls[login])
    proxy.inject({ kind: 'forget-role' })
    const pool = openPool({ name: 'app', url: proxy.through(db.urls[login]) })
    await assert.rejects(readInFirm(pool, firmA, selectParcels), WrongRole)
    await assert.rejects(
      inTransaction(pool, { firm: firmA }, (tx) => tx.rows(selectParcels)),
      WrongRole,
    )
    assert.equal(pool.figures().open, 0)
    await pool.end()
  }
})

test('the sessions of each pool have a limit for every wait', async () => {
  for (const name of ['app', 'operations', 'owner'] as PoolName[]) {
    const pool = db.open(name, {
      statementTimeoutMs: 4_321,
      lockTimeoutMs: 1_234,
      idleInTransactionTimeoutMs: 5_678,
    })
    const [row] = await readInFirm(
      pool,
      null,
      unprepared(
        "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle, current_setting('application_name') as name",
      ),
    )
    assert.deepEqual(row, { statement: '4321ms', lock: '1234ms', idle: '5678ms', name: `clearing ${name}` })
  }
})

test('a pool keeps some idle connections, so that a burst after a pause needs no new connections', async () => {
  const pool = db.open('app', { connectionsMax: 5, connectionsMin: 3, idleTimeoutMs: 20 })
  const burst = () =>
    Promise.all(Array.from({ length: 5 }, () => readInFirm(pool, null, unprepared('select pg_sleep(0.05)'))))
  await burst()
  await until('the end of two connections', () => pool.figures().open <= 3)
  await pause(100)
  assert.equal(pool.figures().open, 3)
})

test('a pool that ends waits for connections in use, and refuses further callers', async () => {
  const pool = openPool({ name: 'app', url: db.urls.app })
  const reading = readInFirm(
    pool,
    null,
    unprepared<{ done: boolean }>('select pg_sleep(0.05) is not null as done'),
  )
  await new Promise((resolve) => setImmediate(resolve))
  await pool.end()
  assert.deepEqual(await reading, [{ done: true }])
  await assert.rejects(readInFirm(pool, null, selectParcels), DatabaseUnavailable)
})

test('a pool that ends closes connections that are not returned in time', async () => {
  const pool = openPool({ name: 'app', url: db.urls.app })
  const client = await pool.acquire()
  await pool.end(20)
  await assert.rejects(client.query('select 1'))
})

test('a database server that cannot be reached is unavailable', async () => {
  const pool = openPool({ name: 'app', url: 'postgresql://clearing_app@127.0.0.1:1/clearing' })
  await assert.rejects(
    readInFirm(pool, null, selectParcels),
    (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'away',
  )
  await pool.end()
})

test('a caller is refused at once if too many callers already wait for a connection', async () => {
  const pool = db.open('app', { connectionsMax: 1, waitersMax: 2 })
  const held = await pool.acquire()
  const waiting = [readInFirm(pool, null, selectParcels), readInFirm(pool, null, selectParcels)]
  await assert.rejects(
    readInFirm(pool, null, selectParcels),
    (fault: unknown) => fault instanceof DatabaseUnavailable && fault.reason === 'busy',
  )
  held.release()
  assert.deepEqual(await Promise.all(waiting), [[], []])
})

test('each round trip is reported with the statements that were sent together', async () => {
  const trips: FinishedRoundTrip[] = []
  const pool = openPool({ name: 'app', url: db.urls.app, onRoundTrip: (trip) => trips.push(trip) })
  await inTransaction(pool, { firm: firmA }, async (tx) => {
    await tx.rows(selectParcels)
    tx.later(insertParcel, ['reported', 1])
  })
  await readInFirm(pool, firmA, echo, ['', [], 'no json', Buffer.of(), 1, true, new Date(0)]).catch(() => {})
  await pool.end()
  assert.deepEqual(
    trips.map(({ statements, failed }) => [statements.join(), failed]),
    [
      ['tx begin,tx set-firm-to-write-by-key,select-parcels', false],
      ['insert-parcel,tx commit,tx flush-log', false],
      ['tx set-firm-to-read,echo,tx is-flushed', true],
      ['tx rollback', false],
    ],
  )
  assert.ok(trips.every(({ durationMs }) => durationMs > 0))
})

test('an invalid address is refused, and the error does not contain it', () => {
  for (const url of ['', 'host=db password=hidden', 'postgresql://u:hidden@h:notaport/db']) {
    assert.throws(
      () => openPool({ name: 'app', url }),
      (error: unknown) => error instanceof Error && !inspect(error).includes('hidden'),
    )
  }
})

test('columns are read exactly, independent of the time zone of the machine', async () => {
  const row = await readOne(`select
    1234567890123456789.0123456789::numeric as amount, array[0.1, -2.50]::numeric[] as amounts,
    9223372036854775807::int8 as big, array[1, null, -9223372036854775808]::int8[] as bigs, 7::int4 as small, array[1,2]::int4[] as smalls,
    date '2026-02-28' as day, array[date '1999-12-31'] as days,
    timestamptz '2026-01-02 03:04:05.000006+09' as at, timestamptz '2026-01-02 03:04:05Z' as whole, array[timestamptz '2026-01-02 03:04:05.5Z', null] as times,
    '{"a": [1, "two"]}'::jsonb as doc, '[1]'::json as list, '{"n": 1}'::jsonb as doc2, true as yes, array[true,false] as truths,
    '\\x00ff'::bytea as bytes, array['a,b', 'c"d', null, '']::text[] as texts, '{{1,2},{3,4}}'::int4[] as grid,
    'aaaaaaaa-0000-4000-8000-000000000001'::uuid as id, null::numeric as nothing, 'infinity'::timestamptz as never`)
  assert.deepEqual(row, {
    amount: '1234567890123456789.0123456789',
    amounts: ['0.1', '-2.50'],
    big: 9223372036854775807n,
    bigs: [1n, null, -9223372036854775808n],
    small: 7,
    smalls: [1, 2],
    day: '2026-02-28',
    days: ['1999-12-31'],
    at: '2026-01-01T18:04:05.000006Z',
    whole: '2026-01-02T03:04:05.000000Z',
    times: ['2026-01-02T03:04:05.500000Z', null],
    doc: { a: [1, 'two'] },
    list: [1],
    doc2: { n: 1 },
    yes: true,
    truths: [true, false],
    bytes: Buffer.from([0, 255]),
    texts: ['a,b', 'c"d', null, ''],
    grid: [
      [1, 2],
      [3, 4],
    ],
    id: 'aaaaaaaa-0000-4000-8000-000000000001',
    nothing: null,
    never: 'infinity',
  })
})

const echo = statement<Record<string, unknown>>(
  'echo',
  'select $1::text as text, $2::text[] as texts, $3::jsonb as doc, $4::bytea as bytes, $5::int8 as big, $6::boolean as truth, $7::timestamptz as at',
)

test('every text, list, document and number is read back unchanged', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  const plain = fc.dictionary(
    text,
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)),
  )
  const at = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        text,
        texts: fc.array(fc.option(text)),
        doc: fc.oneof(plain, fc.array(plain)),
        bytes: fc.uint8Array(),
        big: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        truth: fc.boolean(),
        at,
      }),
      async ({ text, texts, doc, bytes, big, truth, at }) => {
        const [row] = await readInFirm(db.app, null, echo, [text, texts, json(doc), bytes, big, truth, at])
        const stamp = at.toISOString().replace('Z', '000Z')
        assert.deepEqual(row, {
          text,
          texts,
          doc: JSON.parse(json(doc)),
          bytes: Buffer.from(bytes),
          big,
          truth,
          at: stamp,
        })
      },
    ),
    { numRuns: 300 },
  )
})

test('a plain object is sent as JSON, and a nested list as a nested array', async () => {
  const row = await readOne('select $1::jsonb as doc, $2::int[] as grid, $3::bytea[] as files', [
    { a: [1, { b: null }] },
    [
      [1, 2],
      [3, 4],
    ],
    [Buffer.from('x'), Buffer.from([0])],
  ])
  assert.deepEqual(row, {
    doc: { a: [1, { b: null }] },
    grid: [
      [1, 2],
      [3, 4],
    ],
    files: [Buffer.from('x'), Buffer.from([0])],
  })
})

test('a value of an unsupported type is refused before anything is sent', async () => {
  await assert.rejects(readOne('select $1::text as t', [undefined as unknown as Value]), TypeError)
})
