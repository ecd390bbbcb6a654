import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { cellTables, firmTables } from './firm-tables.ts'

interface TableOfSchema {
  readonly name: string
  readonly columns: readonly string[]
  /** The other tables to which the rows of the table refer. */
  readonly refers: readonly string[]
}

let database: TestDatabase
let superuser: pg.Client
let schema: readonly TableOfSchema[]

before(async () => {
  database = await createTestDatabase()
  superuser = await database.superuser()
  schema = await readSchema()
})
after(async () => {
  await database[Symbol.asyncDispose]()
})

async function readSchema(): Promise<readonly TableOfSchema[]> {
  const { rows } = await superuser.query<TableOfSchema>(
    `select c.relname as name,
       (select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
       coalesce((select json_agg(r.relname) from pg_constraint f join pg_class r on r.oid = f.confrelid
          where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '[]') as refers
     from pg_class c where c.relnamespace = 'clearing'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  return rows
}

test('each table belongs either to firms or to the cell', () => {
  const listed = [...firmTables.map(({ name }) => name), ...Object.keys(cellTables)]
  assert.deepEqual(listed.sort(), schema.map(({ name }) => name).sort())
})

test('rows of a firm are found by a column of their table', () => {
  for (const { name, by } of firmTables)
    assert.ok(schema.find((table) => table.name === name)?.columns.includes(by), `${name} has no ${by}`)
})

test('each table of the cell that has a column of firms or accounts has a documented reason', () => {
  const unexplained = schema.filter(
    ({ name, columns }) =>
      cellTables[name] === '' && (columns.includes('firm_id') || columns.includes('account_number')),
  )
  assert.deepEqual(unexplained, [])
})

test('a table of firms comes after the tables to which its rows refer', () => {
  const order = firmTables.map(({ name }) => name)
  for (const { name, refers } of schema) {
    if (!order.includes(name)) continue
    const late = refers.filter((other) => order.indexOf(other) > order.indexOf(name))
    assert.deepEqual(late, [], `${name} refers to tables after it`)
  }
})
