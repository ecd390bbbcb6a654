/**
 * Snapshots of the whole state: each table's rows are copied into a schema of the snapshot, and restored from it. For
 * transactions of the owner. Migrations, keys that sign tokens, and operating state (leases, the clock) are not part of
 * it.
 */
import type { Pool } from '../database/pool.ts'
import { statement, unprepared } from '../database/statement.ts'
import { readInFirm, type Tx } from '../database/transaction.ts'
import { beginLine, readClusterOfLine } from './event-lines.ts'

/**
 * Tables that no snapshot contains. Their keys stay, so that tokens remain valid after a restore. A restore is itself a
 * change of the market.
 */
const leftOut = [
  'migration',
  'worker_lease',
  'signing_key',
  'cell_signing_key',
  'client_assertion',
  'identity_version',
  'sandbox_clock',
  'sandbox_snapshot',
  'sandbox',
  'snapshot_document',
  'request',
  'market_change',
]

/** The person in the console who restores a snapshot stays signed in if the snapshot contains that person. */
const sessions = 'staff_session'

export interface SnapshotTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Row-level security applies to the owner too. */
  readonly forced: boolean
  readonly triggers: boolean
  /** The tables to which its rows refer. */
  readonly refers: readonly string[]
}

const selectTables = statement<SnapshotTable>(
  'select-tables-of-state',
  `select c.relname as name, c.relforcerowsecurity as forced,
     (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
     exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
     coalesce((select json_agg(distinct r.relname) from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid and not r.relispartition), '[]') as refers
   from pg_class c where c.relnamespace = 'clearing'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> all ($1::text[])
   order by c.relname`,
)

/** The tables of the state, each after the tables to which its rows refer. */
async function readTables(tx: Tx): Promise<SnapshotTable[]> {
  const tables = await tx.rows(selectTables, [leftOut])
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<SnapshotTable>()
  const visit = (table: SnapshotTable, above: readonly string[]): void => {
    if (ordered.has(table)) return
    if (above.includes(table.name))
      throw new Error(`tables refer to each other: ${[...above, table.name].join(', ')}`)
    for (const name of table.refers) {
      const referred = byName.get(name)
      if (referred !== undefined) visit(referred, [...above, table.name])
    }
    ordered.add(table)
  }
  for (const table of tables) visit(table, [])
  return [...ordered]
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
function schemaOf(snapshotId: bigint): string {
  return `clearing_snapshot_${snapshotId}`
}
function columnsOf({ columns }: SnapshotTable): string {
  return columns.map(quoted).join(', ')
}

/** Waiting jobs. A job that another worker holds is tried again. */
const jobColumns =
  'id, job_queue_id, task_id, payload, priority, run_at, attempts, max_attempts, last_error, created_at, updated_at, key, revision, flags'
const jobs = 'graphile_worker._private_jobs'

const addSnapshot = statement<{ snapshot_id: bigint }>(
  'insert-sandbox-snapshot',
  `insert into clearing.sandbox_snapshot (name, taken_at, clock_at, clock_frozen, business_date, rows, schema_version, oldest_open)
   values ($1, $2, $3, $4, $5, 0, $6, pg_snapshot_xmin(pg_current_snapshot())) returning snapshot_id`,
)
const countRows = statement(
  'count-sandbox-snapshot',
  'update clearing.sandbox_snapshot set rows = $2 where name = $1',
)
const removeSnapshot = statement<{ snapshot_id: bigint }>(
  'delete-sandbox-snapshot',
  'delete from clearing.sandbox_snapshot where name = $1 returning snapshot_id',
)

export interface Snapshot {
  readonly name: string
  readonly snapshot_id: bigint
  readonly taken_at: string
  readonly clock_at: string
  readonly clock_frozen: boolean
  readonly business_date: string
  readonly rows: bigint
  readonly schema_version: string
  /** The oldest transaction that was open when it was saved. */
  readonly oldest_open: string | null
}

const snapshotColumns =
  'name, snapshot_id, taken_at, clock_at, clock_frozen, business_date, rows, schema_version, oldest_open::text'
const selectSnapshot = statement<Snapshot>(
  'select-sandbox-snapshot',
  `select ${snapshotColumns} from clearing.sandbox_snapshot where name = $1 for share`,
)
const selectSnapshots = statement<Snapshot>(
  'select-sandbox-snapshots',
  `select ${snapshotColumns} from clearing.sandbox_snapshot order by taken_at, name`,
)
const selectSchemaVersion = statement<{ version: string }>(
  'select-schema-version',
  "select md5(string_agg(name || sha256, ' ' order by name)) as version from clearing.migration",
)

export function readSnapshot(tx: Tx, name: string): Promise<Snapshot | undefined> {
  return tx.row(selectSnapshot, [name])
}
export function readSnapshots(tx: Tx): Promise<Snapshot[]> {
  return tx.rows(selectSnapshots)
}

/** Gives the transaction the role of operations, to whose writes row-level security does not apply. */
export async function asOperations(tx: Tx): Promise<void> {
  await tx.run(unprepared('set local role clearing_operations'))
}

/** Gives the transaction the owner's role again. */
export async function asOwner(tx: Tx): Promise<void> {
  await tx.run(unprepared('set local role none'))
}

/** Changes with every migration. */
export async function readSchemaVersion(tx: Tx): Promise<string> {
  return (await tx.row(selectSchemaVersion))?.version ?? ''
}

async function dropSnapshot(tx: Tx, name: string): Promise<void> {
  const removed = await tx.row(removeSnapshot, [name])
  if (removed === undefined) return
  await tx.run(unprepared(`drop schema if exists ${schemaOf(removed.snapshot_id)} cascade`))
}

/**
 * Copies everything that this transaction (`repeatable read`) sees, and returns the number of rows. Row-level security
 * hides every row from the owner, so the copy runs as the role of operations.
 */
export async function copyState(
  tx: Tx,
  snapshot: {
    readonly name: string
    readonly takenAt: Date
    readonly clockAt: Date
    readonly clockFrozen: boolean
    readonly businessDate: string
  },
): Promise<number> {
  const { name, takenAt, clockAt, clockFrozen, businessDate } = snapshot
  await dropSnapshot(tx, name)
  const version = await readSchemaVersion(tx)
  const added = await tx.row(addSnapshot, [name, takenAt, clockAt, clockFrozen, businessDate, version])
  if (added === undefined) throw new Error(`snapshot ${name} was not added`)
  const schema = schemaOf(added.snapshot_id)
  const tables = await readTables(tx)
  await tx.run(unprepared(`create schema ${schema}`))
  await Promise.all(
    tables.map((table) =>
      tx.run(
        unprepared(
          `create table ${schema}.${quoted(table.name)} as select ${columnsOf(table)} from clearing.${quoted(table.name)} with no data`,
        ),
      ),
    ),
  )
  await tx.run(unprepared(`create table ${schema}."job queue" as select ${jobColumns} from ${jobs}`))
  await tx.run(unprepared(`grant usage on schema ${schema} to clearing_operations`))
  await tx.run(unprepared(`grant insert on all tables in schema ${schema} to clearing_operations`))
  await asOperations(tx)
  const counts = await Promise.all(
    tables.map((table) =>
      tx.run(
        unprepared(
          `insert into ${schema}.${quoted(table.name)} select ${columnsOf(table)} from clearing.${quoted(table.name)}`,
        ),
      ),
    ),
  )
  await asOwner(tx)
  await tx.run(
    unprepared(
      `insert into clearing.snapshot_document (name, document_id) select $1::text, document_id from ${schema}.document`,
    ),
    [name],
  )
  const rows = counts.reduce((sum, count) => sum + count, 0)
  await tx.run(countRows, [name, rows])
  return rows
}

const bumpIdentity = statement(
  'bump-identity-version',
  'update clearing.identity_version set version = version + 1',
)
const announceRestore = statement(
  'announce-restore',
  "select pg_notify('clearing_identity', ''), pg_notify('clearing_event', '')",
)

/** Held by the process that restores. Locks with a single key are in another key space. */
const restoreLock = { first: 31, second: 1 }
const takeRestore = statement<{ taken: boolean }>(
  'take-restore',
  `select pg_try_advisory_xact_lock(${restoreLock.first}, ${restoreLock.second}) as taken,
     set_config('idle_in_transaction_session_timeout', '0', true)`,
)
const takeSave = statement(
  'take-save',
  `select pg_advisory_xact_lock(${restoreLock.first}, 2), set_config('idle_in_transaction_session_timeout', '0', true)`,
)
const selectRestoring = statement<{ restoring: boolean }>(
  'select-restoring',
  `select exists (select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
     and classid = ${restoreLock.first} and objid = ${restoreLock.second}
     and database = (select oid from pg_database where datname = current_database())) as restoring`,
)
const announceRestoreBegins = statement('announce-restore-begins', "select pg_notify('clearing_clock', '')")
const waitShortly = statement('wait-shortly-for-locks', "select set_config('lock_timeout', $1, true)")

/** Makes this transaction the only restore in progress until it ends. False if there is another. */
export async function beginRestore(tx: Tx): Promise<boolean> {
  return (await tx.row(takeRestore))?.taken === true
}

/** Makes this transaction the only one that saves until it ends. */
export async function beginSave(tx: Tx): Promise<void> {
  await tx.run(takeSave)
}

/** Notifies the other processes that a restore may be in progress. */
export function announceBegin(tx: Tx): void {
  tx.later(announceRestoreBegins)
}

/** Whether a process restores a snapshot. */
export async function isRestoring(pool: Pool): Promise<boolean> {
  return (await readInFirm(pool, null, selectRestoring))[0]?.restoring === true
}

/** Limits the time that this transaction waits for a lock. */
export function waitForLocksAtMost(tx: Tx, timeMs: number): void {
  tx.later(waitShortly, [String(timeMs)])
}

/**
 * Replaces the whole state by a snapshot. Every table is locked first, so no other transaction reads or writes
 * meanwhile.
 */
export async function replaceState(tx: Tx, snapshot: Snapshot): Promise<void> {
  const schema = schemaOf(snapshot.snapshot_id)
  const tables = await readTables(tx)
  const cluster = await readClusterOfLine(tx)
  const all = tables.map(({ name }) => `clearing.${quoted(name)}`)
  const changing: Promise<unknown>[] = []
  const run = (text: string) => changing.push(tx.run(unprepared(text)))
  run(`lock table ${all.join(', ')} in access exclusive mode`)
  for (const { name, forced, triggers } of tables) {
    if (forced) run(`alter table clearing.${quoted(name)} no force row level security`)
    if (triggers) run(`alter table clearing.${quoted(name)} disable trigger user`)
  }
  run(`create temporary table kept_session on commit drop as select * from clearing.${sessions}`)
  run(`truncate ${all.join(', ')}`)
  for (const table of tables) {
    const columns = columnsOf(table)
    const name = quoted(table.name)
    const rows =
      table.name === sessions
        ? `select ${columns} from kept_session where staff_id in (select staff_id from clearing.staff)`
        : `select ${columns} from ${schema}.${name}`
    run(`insert into clearing.${name} (${columns}) overriding system value ${rows}`)
  }
  run('insert into clearing.market_change default values')
  for (const { name, forced, triggers } of tables) {
    if (triggers) run(`alter table clearing.${quoted(name)} enable trigger user`)
    if (forced) run(`alter table clearing.${quoted(name)} force row level security`)
  }
  // Locked last and briefly, because workers renew their leases in it. A worker that takes a job meanwhile finds the
  // restored tables.
  run(`lock table ${jobs} in access exclusive mode`)
  run(`delete from ${jobs}`)
  run(
    `insert into ${jobs} (${jobColumns}) overriding system value select ${jobColumns} from ${schema}."job queue"`,
  )
  await Promise.all(changing)
  await beginLine(tx, { cluster, partedAt: snapshot.oldest_open })
  await tx.run(bumpIdentity)
  await tx.run(announceRestore)
}

const countOthers = statement<{ others: bigint }>(
  'count-accounts-of-users',
  'select count(*) as others from clearing.account where account_number <> all ($1::text[])',
)

/** Whether accounts other than these exist. */
export async function hasOtherAccounts(operations: Pool, own: readonly string[]): Promise<boolean> {
  const [count] = await readInFirm(operations, null, countOthers, [own])
  return count?.others !== 0n
}
