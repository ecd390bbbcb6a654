/**
 * Isolated sandboxes: their rows in the service's database, and a database for each. For the owner's pool. Times are by
 * the database's clock, because several processes compare them.
 */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'

export interface StoredSandbox {
  readonly sandbox_id: string
  readonly state: 'preparing' | 'spare' | 'open' | 'ending'
  readonly template: string
  readonly name: string
  readonly firm_id: string | null
  readonly client_id: string
  readonly idle_minutes: number
  readonly created_at: string
  readonly used_at: string
  readonly expires_at: string
}

/** The owner of a sandbox, and the time after which it expires without a call. */
export interface SandboxOwner {
  readonly name: string
  readonly firmId: string
  readonly clientId: string
  readonly idleMinutes: number
}

const columns = `sandbox_id, state, template, name, firm_id, client_id, idle_minutes, created_at, used_at,
  used_at + make_interval(mins => idle_minutes) as expires_at`

const selectAll = statement<StoredSandbox>(
  'select-sandboxes',
  `select ${columns} from clearing.sandbox order by created_at, sandbox_id`,
)
const insertOne = statement(
  'insert-sandbox',
  "insert into clearing.sandbox (sandbox_id, state, template) values ($1, 'preparing', $2)",
)
const lockSandboxes = statement('lock-sandboxes', 'lock table clearing.sandbox in share row exclusive mode')
const becomeSpare = statement(
  'update-sandbox-spare',
  "update clearing.sandbox set state = 'spare', used_at = now() where sandbox_id = $1",
)
const claimOne = statement<StoredSandbox>(
  'claim-sandbox',
  `update clearing.sandbox set state = 'open', name = $2, firm_id = $3, client_id = $4, idle_minutes = $5,
     created_at = now(), used_at = now()
   where sandbox_id = (select sandbox_id from clearing.sandbox where state = 'spare' and template = $1
     order by created_at limit 1)
   returning ${columns}`,
)
const endOne = statement(
  'end-sandbox',
  "update clearing.sandbox set state = 'ending' where sandbox_id = $1 and state <> 'ending'",
)
const announceEnd = statement('announce-sandbox-end', "select pg_notify('clearing_sandbox', '')")
const deleteOne = statement('delete-sandbox', 'delete from clearing.sandbox where sandbox_id = $1')
const touchAll = statement(
  'touch-sandboxes',
  "update clearing.sandbox set used_at = now() where sandbox_id = any ($1::text[]) and state = 'open'",
)
/** Sandboxes that a process left unfinished are removed after a while. */
const endExpired = statement<{ sandbox_id: string }>(
  'end-expired-sandboxes',
  `with expired as (
     update clearing.sandbox set state = 'ending'
     where (state = 'open' and used_at + make_interval(mins => idle_minutes) < now())
        or (state = 'preparing' and used_at < now() - interval '15 minutes')
        or (state = 'spare' and template <> all ($1::text[]))
     returning sandbox_id)
   select sandbox_id from expired union select sandbox_id from clearing.sandbox where state = 'ending'`,
)

export function readSandboxes(owner: Pool): Promise<StoredSandbox[]> {
  return readInFirm(owner, null, selectAll)
}

/** Locks the rows, so that other transactions that count or claim sandboxes wait. */
export async function lockSandboxRows(tx: Tx): Promise<StoredSandbox[]> {
  await tx.run(lockSandboxes)
  return tx.rows(selectAll)
}

/** Gives the owner the oldest spare sandbox of a template; undefined if there is none. */
export function claimSandbox(
  tx: Tx,
  template: string,
  owner: SandboxOwner,
): Promise<StoredSandbox | undefined> {
  return tx.row(claimOne, [template, owner.name, owner.firmId, owner.clientId, owner.idleMinutes])
}

export async function addSandbox(owner: Pool, sandboxId: string, template: string): Promise<void> {
  await inTransaction(owner, { firm: null }, (tx) => tx.run(insertOne, [sandboxId, template]))
}
export async function setSandboxSpare(owner: Pool, sandboxId: string): Promise<void> {
  await inTransaction(owner, { firm: null, repeatable: true }, (tx) => tx.run(becomeSpare, [sandboxId]))
}
/** Ends the sandbox, and notifies every process to close it. */
export async function endSandbox(owner: Pool, sandboxId: string): Promise<void> {
  await inTransaction(owner, { firm: null, repeatable: true }, async (tx) => {
    tx.later(endOne, [sandboxId])
    tx.later(announceEnd)
  })
}
export async function removeSandbox(owner: Pool, sandboxId: string): Promise<void> {
  await inTransaction(owner, { firm: null, repeatable: true }, (tx) => tx.run(deleteOne, [sandboxId]))
}
export async function touchSandboxes(owner: Pool, sandboxIds: readonly string[]): Promise<void> {
  await inTransaction(owner, { firm: null, repeatable: true }, (tx) => tx.run(touchAll, [sandboxIds]))
}
/**
 * Ends expired sandboxes and spare ones of other templates, and notifies every process. Returns all sandboxes
 * to be removed.
 */
export async function endExpiredSandboxes(owner: Pool, templates: readonly string[]): Promise<string[]> {
  const ended = await inTransaction(owner, { firm: null }, async (tx) => {
    const rows = await tx.rows(endExpired, [templates])
    if (rows.length > 0) tx.later(announceEnd)
    return rows
  })
  return ended.map(({ sandbox_id }) => sandbox_id)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export async function hasDatabase(owner: Pool, name: string): Promise<boolean> {
  const found = await owner.pg.query('select from pg_catalog.pg_database where datname = $1', [name])
  return found.rowCount === 1
}

/** Names of the databases with this prefix. */
export async function listDatabases(owner: Pool, beginning: string): Promise<string[]> {
  const found = await owner.pg.query<{ name: string }>(
    'select datname as name from pg_catalog.pg_database where starts_with(datname, $1)',
    [beginning],
  )
  return found.rows.map(({ name }) => name)
}

/** Creates a copy of another database; `template0` gives an empty one. The original must have no sessions. */
export async function createDatabase(owner: Pool, name: string, template: string): Promise<void> {
  await owner.pg.query(`create database ${quoted(name)} template ${quoted(template)}`)
}
export async function renameDatabase(owner: Pool, from: string, to: string): Promise<void> {
  await owner.pg.query(`alter database ${quoted(from)} rename to ${quoted(to)}`)
}
/** The number of connections to a database. */
export async function countSessions(owner: Pool, name: string): Promise<number> {
  const found = await owner.pg.query(
    "select from pg_catalog.pg_stat_activity where datname = $1 and backend_type is distinct from 'autovacuum worker'",
    [name],
  )
  return found.rowCount ?? 0
}
export async function dropDatabase(owner: Pool, name: string): Promise<void> {
  await owner.pg.query(`drop database if exists ${quoted(name)} with (force)`)
}

/** Whether the owner's role may create databases. */
export async function mayCreateDatabases(owner: Pool): Promise<boolean> {
  const found = await owner.pg.query<{ may: boolean }>(
    'select rolcreatedb or rolsuper as may from pg_catalog.pg_roles where rolname = current_user',
  )
  return found.rows[0]?.may === true
}

/** An arbitrary number. The process that creates a template holds this lock. */
const templateLock = 20_261_123

/** Runs the work while no other process creates a template. */
export async function makingTemplate<T>(owner: Pool, work: () => Promise<T>): Promise<T> {
  const client = await owner.acquire()
  try {
    // The other process may take longer than this pool's lock timeout.
    await client.query(
      "select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)",
    )
    await client.query('select pg_advisory_lock($1)', [templateLock])
    return await work()
  } finally {
    client.release(true)
  }
}
