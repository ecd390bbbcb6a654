/**
 * Migrations run while processes of the previous release serve, on tables of any size. None of them reads or rewrites a
 * filled table under a lock for which readers or writers wait. Long work runs without a transaction (`create index
 * concurrently`, `validate constraint`) or as a job. The rule holds from migration 103 on.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Migration, readMigrations } from './migrate.ts'
import { createTestDatabase } from './test-database.ts'
import { fillTables } from './testing/fill-tables.ts'

const lastWithoutTheRule = '102'
const rowsOfEach = 400

/** Locks under which no other session may write. */
const strongLocks = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/** Statements that may run without a transaction: they hold none of these locks while they read the table. */
const online =
  /^(create( unique)? index concurrently|drop index concurrently|alter table [\w.]+ validate constraint|reindex (index|table) concurrently|analyze|create policy|drop policy|set |reset )/i

interface Held {
  readonly table: string
  readonly read: number
  readonly changed: number
  readonly rewritten: boolean
}

/** Applies a migration, and returns its work on filled tables under a lock for which others wait. */
async function findBlocking(session: pg.Client, { sql }: Pick<Migration, 'sql'>): Promise<string[]> {
  if (sql.startsWith('-- no transaction')) {
    const statements = sql
      .replaceAll(/^--.*$/gm, '')
      .split(/;\s*$/m)
      .map((text) => text.trim())
      .filter((text) => text !== '')
    const others = statements.filter((text) => !online.test(text))
    for (const text of statements) await session.query(text)
    return others.map((text) => `runs without a transaction: ${text}`)
  }
  const before = await session.query(
    `select c.oid, c.relfilenode from pg_class c where c.relnamespace = 'clearing'::regnamespace and c.relkind = 'r' and c.reltuples >= $1`,
    [rowsOfEach],
  )
  // Reads of the previous session, which built an index, would be counted again.
  await session.query('select pg_stat_force_next_flush()')
  await session.query('begin')
  await session.query(sql)
  const { rows } = await session.query<Held>(
    `select c.relname as table, pg_stat_get_xact_tuples_returned(c.oid)::int as read,
       (pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid))::int as changed,
       c.relfilenode <> was.relfilenode as rewritten
     from unnest($1::oid[], $2::oid[]) as was (oid, relfilenode) join pg_class c on c.oid = was.oid
     where exists (select from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and l.granted and l.mode = any ($3))`,
    [before.rows.map(({ oid }) => oid), before.rows.map(({ relfilenode }) => relfilenode), strongLocks],
  )
  await session.query('commit')
  return rows
    .filter(({ read, changed, rewritten }) => rewritten || Math.max(read, changed) >= rowsOfEach)
    .map(({ table, rewritten }) => `${table}: ${rewritten ? 'rewritten' : 'read or changed'} under a lock`)
}

test('no migration blocks other sessions on a filled table while it reads or rewrites the table', async () => {
  const all = await readMigrations()
  const isOlder = ({ name }: Migration) => name.slice(0, 3) <= lastWithoutTheRule
  await using database = await createTestDatabase({ migrations: all.filter(isOlder) })
  const filler = new pg.Client(database.urls.superuser)
  const session = new pg.Client(database.urls.owner)
  await Promise.all([filler.connect(), session.connect()])
  try {
    const filled = await fillTables(filler, rowsOfEach)
    for (const table of ['account', 'account_version', 'activity', 'holding', 'audit', 'event', 'request'])
      assert.ok(filled.includes(table), `${table} is not filled`)
    for (const migration of all.filter((each) => !isOlder(each)))
      assert.deepEqual(await findBlocking(session, migration), [], migration.name)
  } finally {
    await Promise.all([filler.end(), session.end()])
  }
})

const slow: Readonly<Record<string, string>> = {
  'a constraint that is checked at once': 'alter table clearing.filled add check (b > 0)',
  'a column that must have a value': 'alter table clearing.filled alter b set not null',
  'an index that blocks writers': 'create index on clearing.filled (b)',
  'another type': 'alter table clearing.filled alter b type bigint',
  'a default that is computed for each row':
    'alter table clearing.filled add d uuid default gen_random_uuid()',
  'values for a new column': 'alter table clearing.filled add d int; update clearing.filled set d = b',
  'a key to another table': 'alter table clearing.filled add foreign key (a) references clearing.other (a)',
}
const quick: Readonly<Record<string, string>> = {
  'a column with a constant': 'alter table clearing.filled add d int not null default 7',
  'a constraint for new rows': 'alter table clearing.filled add check (b > 0) not valid',
  'a policy': 'create policy p on clearing.filled using (true)',
  'an index built concurrently with writers':
    '-- no transaction\ncreate index concurrently on clearing.filled (b);\n',
  'few rows by their key':
    'update clearing.filled set b = 1 where a = 5; alter table clearing.filled add d int',
}

for (const [what, sql] of Object.entries({ ...slow, ...quick }))
  test(`a migration with ${what} ${what in slow ? 'is reported' : 'is accepted'}`, async () => {
    await using database = await createTestDatabase({ migrations: [] })
    const session = new pg.Client(database.urls.superuser)
    await session.connect()
    try {
      await session.query(
        `create schema if not exists clearing; create table clearing.filled (a int primary key, b int);
         create table clearing.other (a int primary key);
         insert into clearing.other select generate_series(1, ${rowsOfEach});
         insert into clearing.filled select i, i from generate_series(1, ${rowsOfEach}) as i; analyze clearing.filled, clearing.other`,
      )
      const found = await findBlocking(session, { sql })
      assert.equal(found.length > 0, what in slow, found.join())
    } finally {
      await session.end()
    }
  })
