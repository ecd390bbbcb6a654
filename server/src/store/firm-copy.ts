/**
 * The rows of a firm, table by table: copied from the database of one cell into that of another, compared and
 * removed. The firm is marked as moving in the cell that is written, so that the owner may write its rows.
 */
import type { Pool } from '../database/pool.ts'
import { statement, unprepared } from '../database/statement.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'
import { type FirmTable, firmTables } from './firm-tables.ts'

/**
 * Columns whose values belong to the cell: positions in its event log, keys wrapped by its master key, and
 * its own work.
 */
const columnsOfCell: Readonly<Record<string, readonly string[]>> = {
  account: ['event_order'],
  event_log_before: ['transaction_id', 'position'],
  event_row: ['transaction_id', 'position'],
  firm_key: ['wrapped', 'master_key_id'],
  party: ['account_name', 'account_created_at', 'name_plain', 'last_first_plain', 'last_word_first'],
  webhook: ['transaction_id', 'position', 'sender', 'sender_until'],
  webhook_delivery: ['transaction_id', 'position'],
}
/**
 * The database gives columns of the cell in these tables their values. In the other tables they are copied and
 * then replaced.
 */
const takenByDefault: ReadonlySet<string> = new Set(['account', 'event_row', 'party'])
/**
 * Tables in which a cell keeps the rows of a firm that has left. With them the cell recognizes the firm's
 * callers and asks them to retry.
 */
const keptTables: ReadonlySet<string> = new Set(['firm', 'credential', 'credential_secret', 'firm_seal'])
/** Not copied: each cell counts the days of a firm as far as it has counted those of its other firms. */
const countedByCell: ReadonlySet<string> = new Set(['opening_day'])
/**
 * Not compared either: positions of the event log belong to the cell, and the old cell continues to record when it
 * verified the books.
 */
const notCompared: ReadonlySet<string> = new Set([
  ...countedByCell,
  'event_log_before',
  'event_place_before',
  'books_proof',
])
const partitioned = ['activity', 'entry'] as const
const dayColumns = { activity: 'process_date', entry: 'entry_date' } as const

const rowsMax = 200
const removedMax = 10_000
const longView = { firm: null, readOnly: true, isolation: 'repeatable read' } as const

const selectColumns = statement<{ name: string; columns: string[] }>(
  'select-columns-of-firm-tables',
  `select c.relname as name, json_agg(a.attname order by a.attnum) as columns
   from pg_attribute a join pg_class c on c.oid = a.attrelid
   where c.relnamespace = 'clearing'::regnamespace and c.relname = any ($1) and a.attnum > 0 and not a.attisdropped
   group by c.relname`,
)

type Columns = ReadonlyMap<string, readonly string[]>

async function readColumns(pool: Pool): Promise<Columns> {
  const rows = await readInFirm(pool, null, selectColumns, [firmTables.map(({ name }) => name)])
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** A condition on the rows of the firm `$1`. */
function ofFirm({ by }: FirmTable): string {
  return by === 'firm_id'
    ? 'firm_id = $1'
    : 'account_number in (select account_number from clearing.account where firm_id = $1)'
}

function copiedColumns({ name }: FirmTable, columns: Columns): string[] {
  const own = takenByDefault.has(name) ? columnsOfCell[name] : []
  return (columns.get(name) ?? []).filter((column) => !own?.includes(column)).map(quoted)
}

function comparedColumns({ name }: FirmTable, columns: Columns): string[] {
  return (columns.get(name) ?? []).filter((column) => !columnsOfCell[name]?.includes(column)).map(quoted)
}

function quoted(column: string): string {
  return `"${column}"`
}

function rowsAsJson(table: FirmTable, columns: readonly string[]): string {
  const order = table.name === 'event_row' ? ' order by transaction_id, position' : ''
  return `select row_to_json(one)::text as row from (select ${columns.join(', ')} from clearing.${table.name} where ${ofFirm(table)}${order}) as one`
}

/**
 * The source and the target of a copy: a pool that sees every firm, and the owner's pool of the other cell.
 */
export interface Copying {
  readonly from: Pool
  readonly to: Pool
  readonly firmId: string
}

/** Copies every row of the firm. Rows of shared tables to which they refer are copied first. */
export async function copyRows({ from, to, firmId }: Copying): Promise<void> {
  const columns = await readColumns(from)
  await inTransaction(from, longView, async (tx) => {
    await makePartitions(tx, to, firmId)
    for (const table of firmTables.filter(({ name }) => !countedByCell.has(name))) {
      if (table.name === 'pending_line') await copyMissing(tx, to, pendingLoads, [firmId])
      await copyTable(tx, to, { table, columns: copiedColumns(table, columns) }, firmId)
    }
    await copyMissing(tx, to, actionsOfFirm, [firmId])
    await copyMissing(tx, to, unitChangesOfFirm, [firmId])
  })
}

async function copyTable(
  tx: Tx,
  to: Pool,
  { table, columns }: { readonly table: FirmTable; readonly columns: readonly string[] },
  firmId: string,
): Promise<void> {
  const names = columns.join(', ')
  const insert = unprepared(
    `insert into clearing.${table.name} (${names})
     select ${names} from json_populate_recordset(null::clearing.${table.name}, $1::json)${whenThere[table.name] ?? ''}`,
  )
  for await (const rows of tx.pages<{ row: string }>(
    unprepared(rowsAsJson(table, columns)),
    [firmId],
    rowsMax,
  ))
    await inTransaction(to, { firm: null }, (other) =>
      other.run(insert, [`[${rows.map(({ row }) => row).join(',')}]`]),
    )
}

/** A firm that returns to a cell already has rows in these tables of the cell. */
const whenThere: Readonly<Record<string, string>> = {
  firm: ` on conflict (firm_id) do update
    set name = excluded.name, settings = excluded.settings, disabled_at = excluded.disabled_at`,
  firm_seal: ' on conflict do nothing',
}

interface Shared {
  readonly table: string
  readonly where: string
}
/** Rows of shared tables to which rows of the firm refer. */
const pendingLoads: Shared = {
  table: 'load',
  where: 'load_id in (select load_id from clearing.pending_line where firm_id = $1)',
}
const actionsOfFirm: Shared = { table: 'corporate_action', where: 'firm_id = $1' }
const unitChangesOfFirm: Shared = { table: 'unit_change', where: 'firm_id = $1' }

async function copyMissing(
  tx: Tx,
  to: Pool,
  { table, where }: Shared,
  values: readonly string[],
): Promise<void> {
  const select = unprepared<{ row: string }>(
    `select row_to_json(one)::text as row from clearing.${table} as one where ${where}`,
  )
  const insert = unprepared(
    `insert into clearing.${table} select * from json_populate_recordset(null::clearing.${table}, $1::json) on conflict do nothing`,
  )
  const rows = await tx.rows(select, values)
  if (rows.length > 0)
    await inTransaction(to, { firm: null }, async (other) => {
      await other.run(unprepared('set local role clearing_operations'))
      await other.run(insert, [`[${rows.map(({ row }) => row).join(',')}]`])
    })
}

const makePartition = unprepared('select clearing.make_month_partition($1, $2::date)')

async function makePartitions(tx: Tx, to: Pool, firmId: string): Promise<void> {
  for (const parent of partitioned) {
    const months = await tx.rows(
      unprepared<{ month: string }>(
        `select distinct date_trunc('month', ${dayColumns[parent]})::date as month from clearing.${parent} where firm_id = $1`,
      ),
      [firmId],
    )
    for (const { month } of months)
      await inTransaction(to, { firm: null }, (other) => other.run(makePartition, [parent, month]))
  }
}

export interface TableDigest {
  readonly name: string
  readonly rows: bigint
  readonly digest: string
}

/**
 * For each table, the number of the firm's rows and a digest of them that does not depend on their order.
 * Columns of the cell are excluded.
 */
export async function digestRows(pool: Pool, firmId: string): Promise<TableDigest[]> {
  const columns = await readColumns(pool)
  return inTransaction(pool, longView, async (tx) => {
    const found: TableDigest[] = []
    for (const table of firmTables.filter(({ name }) => !notCompared.has(name))) {
      const row = await tx.row(
        unprepared<{ rows: bigint; digest: string }>(
          `select count(*) as rows, coalesce(sum(hashtextextended(row, 0)::numeric), 0)::text as digest
           from (${rowsAsJson(table, comparedColumns(table, columns))}) as copied`,
        ),
        [firmId],
      )
      if (row === undefined) throw new Error(`${table.name} has no digest`)
      found.push({ name: table.name, ...row })
    }
    return found
  })
}

/**
 * Removes the rows of the firm in small transactions, so that events of other firms do not wait. `wholly`:
 * also removes the rows that a cell keeps of a firm that has left.
 */
export async function removeRows(owner: Pool, firmId: string, wholly: boolean): Promise<void> {
  for (const table of [...firmTables].reverse()) {
    if (!wholly && keptTables.has(table.name)) continue
    const remove = unprepared(
      `delete from clearing.${table.name} where ${ofFirm(table)}${unless[table.name] ?? ''} and ctid = any (array(
         select ctid from clearing.${table.name} where ${ofFirm(table)}${unless[table.name] ?? ''} limit ${removedMax}))`,
    )
    while ((await inTransaction(owner, { firm: null }, (tx) => tx.run(remove, [firmId]))) > 0);
  }
}

/**
 * Rows that stay. A shared corporate action names the firm whose line came first. The seals that a cell made
 * prove its days.
 */
const unless: Readonly<Record<string, string>> = {
  firm: ' and not exists (select from clearing.corporate_action as action where action.firm_id = firm.firm_id)',
  firm_seal: ' and key_id not in (select key_id from clearing.seal_key)',
}

const useSecurities = unprepared(
  `update clearing.security set in_use = true
   where not in_use and sec_no in (select sec_no from clearing.activity where firm_id = $1)`,
)
/** Marks the securities of the firm's lines as in use in its new cell. */
export function noteSecurities(to: Pool, firmId: string): Promise<number> {
  return inTransaction(to, { firm: null }, (tx) => tx.run(useSecurities, [firmId]))
}

const selectMissing = unprepared<{ what: string }>(
  `with held as (select distinct sec_no from clearing.holding where firm_id = $1
     union select distinct sec_no from clearing.activity where firm_id = $1 and sec_no is not null
     union select distinct to_sec_no from clearing.activity where firm_id = $1 and to_sec_no is not null
     union select distinct sec_no from clearing.held_away where firm_id = $1)
   select concat_ws(' ', sec_no, cusip, isin, sedol, symbol) as what from clearing.security join held using (sec_no) order by 1`,
)
const selectKnown = unprepared<{ what: string }>(
  `select concat_ws(' ', sec_no, cusip, isin, sedol, symbol) as what from clearing.security
   where concat_ws(' ', sec_no, cusip, isin, sedol, symbol) = any ($1::text[])`,
)

/**
 * Securities of the firm that the other cell lacks, or has under another number or with other identifiers.
 */
export async function findForeignSecurities(from: Pool, to: Pool, firmId: string): Promise<string[]> {
  const held = (await readInFirm(from, null, selectMissing, [firmId])).map(({ what }) => what)
  const known = await readInFirm(to, null, selectKnown, [held])
  const there = new Set(known.map(({ what }) => what))
  return held.filter((what) => !there.has(what))
}

const selectDays = unprepared<{ open: string; closing: boolean; closes: string[] }>(
  `select (select business_date::text from clearing.business_day) as open,
     exists (select from clearing.business_day_close where closed_at is null) as closing,
     coalesce((select json_agg(close_date::text order by close_date) from clearing.business_day_close), '[]') as closes`,
)
export interface DaysOfCell {
  readonly open: string | null
  readonly closing: boolean
  readonly closes: readonly string[]
}
export async function readDaysOfCell(pool: Pool): Promise<DaysOfCell> {
  const [days] = await readInFirm(pool, null, selectDays)
  if (days === undefined) throw new Error('the cell has no business day')
  return days
}

const selectDocuments = unprepared<{ id: string }>(
  'select document_id as id from clearing.document where firm_id = $1 order by document_id',
)
/** The ids of the firm's documents in the document store. */
export async function readDocumentIds(pool: Pool, firmId: string): Promise<string[]> {
  return (await readInFirm(pool, null, selectDocuments, [firmId])).map(({ id }) => id)
}

const selectAccounts = unprepared<{ number: string }>(
  'select account_number as number from clearing.account where firm_id = $1 order by account_number',
)
export async function readAccountNumbers(pool: Pool, firmId: string): Promise<string[]> {
  return (await readInFirm(pool, null, selectAccounts, [firmId])).map(({ number }) => number)
}

const selectArrived = unprepared<{ here: boolean; audited: bigint }>(
  `select exists (select from clearing.firm where firm_id = $1)
       and not exists (select from clearing.moving_firm where firm_id = $1 and state = 'Moved') as here,
     coalesce((select sequence from clearing.audit_head where firm_id = $1), 0)::bigint as audited`,
)
/**
 * Whether the new cell has the firm with all its rows that the old cell still has. Each write of a firm has an audit
 * row, and the head of these rows is the last row that is copied.
 */
export async function hasArrived({ from, to, firmId }: Copying): Promise<boolean> {
  const [[sent], [arrived]] = await Promise.all([
    readInFirm(from, null, selectArrived, [firmId]),
    readInFirm(to, null, selectArrived, [firmId]),
  ])
  return arrived?.here === true && arrived.audited >= (sent?.audited ?? 0n)
}
