/** The role for pg_dump that docs/operating.md describes reads every row of every table, and changes nothing. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from './test-database.ts'

test('the documented role for pg_dump locks and reads all that a dump reads', async () => {
  const page = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const [, statements = ''] = /### A role for pg_dump[\s\S]*?```sql\n([\s\S]*?)```/.exec(page) ?? []
  assert.match(statements, /bypassrls/)
  await using database = await createTestDatabase()
  const client = new pg.Client(database.urls.superuser)
  await client.connect()
  try {
    // Rolled back, because roles belong to the cluster of all tests.
    await client.query('begin')
    await client.query(statements)
    const { rows } = await client.query<{ name: string; kind: string }>(
      `select format('%I.%I', nspname, relname) as name, relkind as kind from pg_class join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p', 'S') and nspname in ('clearing', 'graphile_worker')`,
    )
    const tables = rows.filter(({ kind }) => kind !== 'S').map(({ name }) => name)
    assert.ok(tables.length > 100 && tables.some((name) => name.startsWith('graphile_worker.')))
    await client.query(
      `insert into clearing.firm (firm_id, name, created_at) values (gen_random_uuid(), 'A', now())`,
    )
    await client.query('set local role clearing_backup')
    await client.query('set local row_security = off')
    for (const { name, kind } of rows) {
      if (kind !== 'S') await client.query(`lock table ${name} in access share mode`)
      await client.query(`select * from ${name} limit 1`)
    }
    assert.ok(((await client.query('select from clearing.firm')).rowCount ?? 0) > 0)
    await assert.rejects(client.query('delete from clearing.event_row'), /permission denied/)
  } finally {
    await client.query('rollback')
    await client.end()
  }
})
