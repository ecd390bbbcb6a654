// Fills every table of a schema with rows that no code made, for tests of migrations. Checks and foreign keys
// do not hold for these rows, so a migration that reads them would fail too.
import type pg from 'pg'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isArray: boolean
}

const selectColumns = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, t.typcategory = 'A' as "isArray"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    join pg_type t on t.oid = a.atttypid
  where n.nspname = 'clearing' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity <> 'a'
  order by c.relname, a.attnum`

const selectChecks = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text
  from pg_constraint where contype = 'c' and conrelid <> 0 and connamespace = 'clearing'::regnamespace and conparentid = 0
    and coninhcount = 0`

/**
 * Returns the tables with at least the given number of rows. A table that can have only one row is included
 * with one.
 */
export async function fillTables(session: pg.Client, rows: number): Promise<string[]> {
  await session.query(
    "set session_replication_role = replica; set search_path = clearing, pg_catalog; set TimeZone = 'UTC'",
  )
  const checks = (await session.query(selectChecks)).rows as { table: string; name: string; text: string }[]
  for (const { table, name } of checks) await session.query(`alter table ${table} drop constraint ${name}`)
  const columns = (await session.query(selectColumns)).rows as Column[]
  const filled: string[] = []
  for (const [table, ofTable] of Map.groupBy(columns, (column) => column.table)) {
    await session.query(`delete from clearing.${table}`)
    if (['activity', 'entry'].includes(table))
      await session.query('select clearing.make_month_partition($1, current_date)', [table])
    const names = ofTable.map(({ name }) => `"${name}"`)
    const values = ofTable.map(valueFor)
    const insert = `insert into clearing.${table} (${names}) overriding system value
      select ${values} from generate_series(1, $1) as i on conflict do nothing`
    const { rowCount } = await session.query(insert, [rows])
    if (rowCount === rows) filled.push(table)
  }
  for (const { table, name, text } of checks) {
    const unchecked = text.endsWith('NOT VALID') ? text : `${text} not valid`
    await session.query(`alter table ${table} add constraint ${name} ${unchecked}`)
  }
  await session.query('reset session_replication_role; analyze')
  return filled
}

function valueFor({ type, isArray }: Column): string {
  if (isArray) return `'{}'::${type}`
  switch (type) {
    case 'boolean':
      return 'true'
    case 'uuid':
      return 'gen_random_uuid()'
    case 'date':
      return 'current_date'
    case 'timestamp with time zone':
      return "now() + i * interval '1 second'"
    case 'bytea':
      return "decode(lpad(i::text, 64, '0'), 'hex')"
    case 'jsonb':
    case 'json':
      return `'{}'::${type}`
    case 'smallint':
      return '(i % 30000)::smallint'
    case 'inet':
      return "'10.0.0.0'::inet + i"
    case 'interval':
      return "i * interval '1 second'"
    default:
      return `i::text::${type}`
  }
}
