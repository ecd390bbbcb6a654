import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Migration, migrate, readMigrations, SchemaMismatch, type Wait } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { until } from './test-waiting.ts'

let first: Migration
let folder: string
before(async () => {
  const [roles] = await readMigrations()
  assert.ok(roles !== undefined)
  first = roles
  folder = await mkdtemp(join(tmpdir(), 'clearing-migrations-'))
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
})

function emptyDatabase(): Promise<TestDatabase> {
  return createTestDatabase({ migrations: [] })
}

/** The first migration of the project and the given migrations, read from a folder like that of the project. */
async function withMigrations(texts: Record<string, string>): Promise<Migration[]> {
  await rm(folder, { recursive: true, force: true })
  folder = await mkdtemp(join(tmpdir(), 'clearing-migrations-'))
  await writeFile(join(folder, '001-roles.sql'), first.sql)
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, `${name}.sql`), text)
  return readMigrations(folder)
}

async function query<T>(pool: Pool, text: string): Promise<T[]> {
  const client = await pool.acquire()
  try {
    return (await client.query(text)).rows as T[]
  } finally {
    client.release()
  }
}

test('the migrations of this project bring an empty database up to date and run once', async () => {
  await using db = await emptyDatabase()
  const names = (await readMigrations()).map(({ name }) => name)
  assert.deepEqual(await migrate(db.owner), names)
  assert.deepEqual(await migrate(db.owner), [])
})

test('an owner with any name migrates, and its policies are its own', async () => {
  // Its migrations made the other roles.
  await using _ = await createTestDatabase()
  await using db = await emptyDatabase()
  const [name, session] = [`another_owner_of_${db.name}`, await db.superuser()]
  await session.query(`create role ${name} login createrole`)
  await session.query(`grant clearing_app, clearing_operations to ${name}`)
  await session.query(`alter database ${db.name} owner to ${name}`)
  const url = db.urls.owner.replace('clearing_owner', name)
  const owner = openPool({ name: 'owner', url, limits: { connectionsMax: 2 } })
  try {
    await migrate(owner)
    const policies = await query<{ roles: string }>(
      owner,
      "select distinct roles::text from pg_policies where policyname = 'moving_rows'",
    )
    assert.deepEqual(policies, [{ roles: `{${name}}` }])
  } finally {
    await owner.end()
  }
})

test('processes that migrate at the same time take turns, and each migration is applied once', async () => {
  await using db = await emptyDatabase()
  const migrations = await withMigrations({
    '002-slow': 'create table clearing.slow (a int); select pg_sleep(0.1)',
    '003-more': 'create table clearing.more (a int)',
  })
  const pools = [1, 2, 3, 4].map(() => db.open('owner'))
  const applied = await Promise.all(pools.map((pool) => migrate(pool, migrations)))
  assert.deepEqual(applied.flat().sort(), ['001-roles', '002-slow', '003-more'])
})

test('a migration that was changed after it was applied is refused, and no migration is run', async () => {
  await using db = await emptyDatabase()
  await migrate(db.owner, await withMigrations({ '002-table': 'create table clearing.one (a int)' }))
  const changed = await withMigrations({
    '002-table': 'create table clearing.two (a int)',
    '003-next': 'create table clearing.three (a int)',
  })
  await assert.rejects(
    migrate(db.owner, changed),
    (error: unknown) =>
      error instanceof SchemaMismatch && /another migration 002-table than this code/.test(error.message),
  )
  assert.deepEqual(await query(db.owner, "select to_regclass('clearing.three') as found"), [{ found: null }])
})

test('a difference in line endings is not a change', async () => {
  const unix = await withMigrations({ '002-table': 'create table clearing.one (\n  a int\n)' })
  const dos = await withMigrations({ '002-table': 'create table clearing.one (\r\n  a int\r\n)' })
  assert.deepEqual(unix, dos)
})

test('a database that is newer than the code is refused', async () => {
  await using db = await emptyDatabase()
  await migrate(db.owner, await withMigrations({ '002-future': 'create table clearing.future (a int)' }))
  const older = await withMigrations({})
  await assert.rejects(
    migrate(db.owner, older),
    (error: unknown) =>
      error instanceof SchemaMismatch &&
      /newer than this code: it has migration 002-future/.test(error.message),
  )
})

test('a failed migration is rolled back, and earlier migrations stay applied', async () => {
  await using db = await emptyDatabase()
  const broken = await withMigrations({
    '002-good': 'create table clearing.good (a int)',
    '003-bad': 'create table clearing.bad (a int); select 1/0',
  })
  await assert.rejects(migrate(db.owner, broken), /migration 003-bad failed: division by zero/)
  assert.deepEqual(
    await query(
      db.owner,
      "select to_regclass('clearing.good') is null as good, to_regclass('clearing.bad') is null as bad",
    ),
    [{ good: false, bad: true }],
  )
  const mended = await withMigrations({
    '002-good': 'create table clearing.good (a int)',
    '003-bad': 'create table clearing.bad (a int)',
  })
  assert.deepEqual(await migrate(db.owner, mended), ['003-bad'])
})

test('a migration that cannot get its lock gives up, so that it does not block other sessions', async () => {
  await using db = await emptyDatabase()
  const before = await withMigrations({ '002-busy': 'create table clearing.busy (a int)' })
  await migrate(db.owner, before)
  const holder = await db.owner.acquire()
  await holder.query('begin; lock table clearing.busy in access share mode')
  const next = await withMigrations({
    '002-busy': 'create table clearing.busy (a int)',
    '003-alter': "set local lock_timeout = '50ms'; alter table clearing.busy add b int",
  })
  await assert.rejects(
    migrate(db.owner, next),
    /lock timeout. Another transaction holds its table: start again$/,
  )
  await holder.query('rollback')
  holder.release()
  assert.deepEqual(await migrate(db.owner, next), ['003-alter'])
})

/**
 * Returns whether the migration was the victim of the deadlock. The session that waited first usually checks for a
 * deadlock first.
 */
async function migrationMetDeadlock(): Promise<boolean> {
  await using db = await emptyDatabase()
  const tables = { '002-tables': 'create table clearing.one (a int); create table clearing.two (a int)' }
  await migrate(db.owner, await withMigrations(tables))
  const next = await withMigrations({
    ...tables,
    '003-both': 'alter table clearing.two add b int; alter table clearing.one add b int',
  })
  const server = await db.owner.acquire()
  await server.query('begin; lock table clearing.one')
  const migrating = migrate(db.owner, next)
  const waits = "select from pg_locks where not granted and relation = 'clearing.one'::regclass"
  await until('the wait for the lock', async () => (await query(db.owner, waits)).length > 0)
  const locked = await server.query('lock table clearing.two').then(
    () => true,
    (fault: { code?: string }) => {
      assert.equal(fault.code, '40P01')
      return false
    },
  )
  await server.query('commit')
  server.release()
  assert.deepEqual(await migrating, ['003-both'])
  return locked
}

test('a migration that meets a deadlock with a serving process is run again', async () => {
  while (!(await migrationMetDeadlock()));
})

const indexed = {
  '002-filled':
    'create table clearing.filled (a int); insert into clearing.filled select generate_series(1, 1000)',
  '003-index': `-- no transaction
-- Why it is there; and a semicolon in it.
drop index concurrently if exists clearing.filled_a;
create index concurrently filled_a on clearing.filled (a)
  where a > 5;
`,
}
const validIndexes = `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
  where indrelid = 'clearing.filled'::regclass`

test('an index of a filled table is built while other sessions write to it', async () => {
  await using db = await emptyDatabase()
  await migrate(db.owner, await withMigrations({ '002-filled': indexed['002-filled'] }))
  const older = await db.owner.acquire()
  await older.query('begin; insert into clearing.filled values (0)')
  const migrating = migrate(db.owner, await withMigrations(indexed))
  await until('the index', async () => (await query(db.owner, validIndexes)).length > 0)
  // The build waits for the older transaction. Other transactions do not wait for the build.
  await query(
    db.owner,
    "set lock_timeout = '2s'; insert into clearing.filled values (-1); reset lock_timeout",
  )
  await older.query('insert into clearing.filled values (-2); commit')
  older.release()
  assert.deepEqual(await migrating, ['003-index'])
  assert.deepEqual(await query(db.owner, validIndexes), [{ name: 'filled_a', valid: true }])
})

test('an index that waits too long for an older transaction names it, and is built again', async () => {
  await using db = await emptyDatabase()
  await migrate(db.owner, await withMigrations({ '002-filled': indexed['002-filled'] }))
  const older = await db.owner.acquire()
  await older.query('begin isolation level repeatable read; select from clearing.filled')
  const impatient = {
    ...indexed,
    '003-index': indexed['003-index'].replace('create index', "set lock_timeout = '50ms';\ncreate index"),
  }
  await assert.rejects(
    migrate(db.owner, await withMigrations(impatient)),
    /lock timeout. It waits for every transaction that is older, such as a pg_dump: start again when they have/,
  )
  await older.query('commit')
  older.release()
  assert.deepEqual(await migrate(db.owner, await withMigrations(indexed)), ['003-index'])
  assert.deepEqual(await query(db.owner, validIndexes), [{ name: 'filled_a', valid: true }])
})

test('a migration that waits reports the older transactions, and a second process reports the first', async () => {
  await using db = await emptyDatabase()
  await migrate(db.owner, await withMigrations({ '002-filled': indexed['002-filled'] }))
  const older = await db.owner.acquire()
  await older.query(
    "set application_name = 'pg_dump'; begin isolation level repeatable read; select from clearing.filled",
  )
  const [here, there] = [Promise.withResolvers<Wait>(), Promise.withResolvers<Wait>()]
  const reporting = (wait: PromiseWithResolvers<Wait>) => ({ onWait: wait.resolve, reportEveryMs: 20 })
  const migrating = migrate(db.owner, await withMigrations(indexed), reporting(here))
  const waits = await here.promise
  assert.equal(waits.kind, 'older transactions')
  assert.equal(waits.migration, '003-index')
  assert.deepEqual(
    waits.sessions.map(({ application }) => application),
    ['pg_dump'],
  )
  const next = migrate(db.owner, await withMigrations(indexed), reporting(there))
  assert.deepEqual(await there.promise, { kind: 'another process migrates' })
  await older.query('commit')
  older.release(true)
  assert.deepEqual([await migrating, await next], [['003-index'], []])
})

test('an index whose build failed is built again', async () => {
  await using db = await emptyDatabase()
  const failing = { ...indexed, '003-index': indexed['003-index'].replace('(a)\n', '((1 / (a - 7)))\n') }
  await assert.rejects(migrate(db.owner, await withMigrations(failing)), /division by zero/)
  assert.deepEqual(await query(db.owner, validIndexes), [{ name: 'filled_a', valid: false }])
  assert.deepEqual(await migrate(db.owner, await withMigrations(indexed)), ['003-index'])
  assert.deepEqual(await query(db.owner, validIndexes), [{ name: 'filled_a', valid: true }])
})

test('processes that wait for their turn do not prevent the build of an index', async () => {
  await using db = await emptyDatabase()
  const migrations = await withMigrations(indexed)
  const pools = [1, 2, 3, 4].map(() => db.open('owner'))
  const applied = await Promise.all(pools.map((pool) => migrate(pool, migrations)))
  assert.deepEqual(applied.flat().sort(), ['001-roles', '002-filled', '003-index'])
})

test('a migration that is killed at any step is completed by the next start', async () => {
  const migrations = await withMigrations({
    '002-one': 'create table clearing.one (a int); select pg_sleep(0.05)',
    '003-two': 'create table clearing.two (a int); select pg_sleep(0.05)',
  })
  const program = fileURLToPath(new URL('./testing/migrating-service.ts', import.meta.url))
  for (const killAfterMs of [0, 100, 200, 300]) {
    await using db = await emptyDatabase()
    const child = spawn(process.execPath, [program, db.urls.owner, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    await once(child, 'exit')
    await migrate(db.owner, migrations)
    assert.deepEqual(await migrate(db.owner, migrations), [])
    const tables = await query(
      db.owner,
      "select count(*)::int as n from pg_tables where schemaname = 'clearing' and tablename in ('one', 'two')",
    )
    assert.deepEqual(tables, [{ n: 2 }])
  }
})

test('migration files without a number or with the same number are refused', async () => {
  await assert.rejects(withMigrations({ 'no-number': '' }), /must be named like/)
  await assert.rejects(withMigrations({ '002-a': '', '002-b': '' }), /have the same number/)
})

test('the roles of the service own nothing and cannot bypass row-level security', async () => {
  await using db = await createTestDatabase()
  const roles = await query<{ name: string }>(
    db.owner,
    `select rolname as name, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
       (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
     from pg_roles where rolname in ('clearing_app', 'clearing_operations') order by rolname`,
  )
  const powerless = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    owned: 0,
  }
  assert.deepEqual(roles, [
    { name: 'clearing_app', ...powerless },
    { name: 'clearing_operations', ...powerless },
  ])
})

test('the roles cannot access a new function or table until access is granted', async () => {
  await using db = await createTestDatabase()
  await query(db.owner, 'create table clearing.shut (a int)')
  await query(db.owner, 'create function clearing.closed() returns int language sql return 1')
  await assert.rejects(query(db.app, 'select * from clearing.shut'), { code: '42501' })
  await assert.rejects(query(db.app, 'select clearing.closed()'), { code: '42501' })
  await assert.rejects(query(db.app, 'create table clearing.own (a int)'), { code: '42501' })
  await assert.rejects(query(db.app, 'create table public.own (a int)'), { code: '42501' })
})
