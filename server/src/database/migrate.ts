// Brings a database to the schema of this code: the job queue's own migrations, then ours, numbered plain SQL, each in
// a transaction of its own. Any number of processes may try at once, and one that is killed is made good by the next.
// A file that begins with the line `-- no transaction` is run statement by statement, which CREATE INDEX CONCURRENTLY needs: it holds up
// nobody who writes to a filled table. What was done of such a file when it fails is done again, so each statement must bear that.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import type { Client, Pool } from './pool.ts'

export interface Migration {
  /** The file's name without its ending: '001-roles'. */
  name: string
  sql: string
  sha256: string
}

const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url))

const migrationLimits = {
  /** A migration that cannot get its lock fails rather than queue everybody else behind it. */
  lockTimeoutMs: 10_000,
  /** To wait for another process that migrates. */
  turnTimeoutMs: 120_000,
  /** How often it is asked whether the other process is done. */
  turnEveryMs: 50,
  /** A statement without a transaction waits for transactions that began before it, and holds up nobody meanwhile. */
  olderTransactionsTimeoutMs: 120_000,
  /** Of a migration that met a deadlock with processes that serve meanwhile. */
  attemptsMax: 5,
} as const

const deadlock = '40P01'
/** Any number; held while a process migrates. */
const migrationLock = 20_260_604

/** The database and the code do not belong together. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

/** The migrations of a folder in the order of their numbers. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const file of names) {
    if (!/^\d{3}-[a-z0-9-]+\.sql$/.test(file))
      throw new Error(`migration ${file} must be named like 001-roles.sql`)
    const sameNumber = migrations.find(({ name }) => name.slice(0, 3) === file.slice(0, 3))
    if (sameNumber !== undefined) throw new Error(`migrations ${sameNumber.name} and ${file} have one number`)
    const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
    migrations.push({ name: file.slice(0, -4), sql, sha256: sha256(sql) })
  }
  return migrations
}

/** One value for all migrations together, to know a schema by. */
export function fingerprintOf(migrations: readonly Migration[]): string {
  return sha256(migrations.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n')).slice(0, 16)
}

/** Applies what is missing as the owner and returns the names applied. Throws SchemaMismatch when an applied migration differs from ours or is unknown to us. */
export async function migrate(owner: Pool, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations())
  const client = await owner.acquire()
  try {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${migrationLimits.lockTimeoutMs}`,
    )
    await takeTurn(client)
    const applied = await readApplied(client)
    checkApplied(wanted, applied)
    await runMigrations({ pgPool: owner.pg, logger: silent })
    const missing = wanted.slice(applied.length)
    for (const migration of missing) await apply(client, migration)
    return missing.map(({ name }) => name)
  } finally {
    // The settings and the lock go with the session.
    client.release(true)
  }
}

/**
 * Asks again and again instead of waiting in the database: a statement that waits there has a snapshot, and the process whose turn it
 * is may be building an index, which waits for all older snapshots.
 */
async function takeTurn(client: Client): Promise<void> {
  const end = performance.now() + migrationLimits.turnTimeoutMs
  for (;;) {
    const answer = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      migrationLock,
    ])
    if (answer.rows[0]?.taken === true) return
    if (performance.now() > end)
      throw new Error(`another process has migrated for ${migrationLimits.turnTimeoutMs} ms`)
    await pause(migrationLimits.turnEveryMs)
  }
}

interface Applied {
  name: string
  sha256: string
}

async function readApplied(client: Client): Promise<Applied[]> {
  const table = await client.query<{ found: boolean }>(
    "select to_regclass('clearing.migration') is not null as found",
  )
  if (table.rows[0]?.found !== true) return []
  const answer = await client.query<Applied>('select name, sha256 from clearing.migration order by name')
  return answer.rows
}

function checkApplied(wanted: readonly Migration[], applied: readonly Applied[]): void {
  for (const [at, { name, sha256 }] of applied.entries()) {
    const ours = wanted[at]
    if (ours === undefined)
      throw new SchemaMismatch(`the database is newer than this code: it has migration ${name}`)
    if (ours.name !== name)
      throw new SchemaMismatch(`the database has migration ${name} where this code has ${ours.name}`)
    if (ours.sha256 !== sha256)
      throw new SchemaMismatch(`migration ${name} was changed after it was applied: add a new one instead`)
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyOnce(client, migration)
    } catch (cause) {
      const { code, message } = cause as { code?: string; message: string }
      if (code !== deadlock || attempt === migrationLimits.attemptsMax)
        throw new Error(`migration ${migration.name} failed: ${message}`, { cause })
      await client.query('rollback')
    }
  }
}

async function applyOnce(client: Client, { name, sql, sha256 }: Migration): Promise<void> {
  const byItself = sql.startsWith(withoutTransaction)
  if (byItself) await runStatements(client, sql)
  await client.query('begin')
  if (!byItself) await client.query(sql)
  await client.query(
    'create table if not exists clearing.migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  await client.query('insert into clearing.migration (name, sha256) values ($1, $2)', [name, sha256])
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`)
}

const withoutTransaction = '-- no transaction\n'

/** Statements end at the end of a line. */
async function runStatements(client: Client, sql: string): Promise<void> {
  await client.query(`set lock_timeout = ${migrationLimits.olderTransactionsTimeoutMs}`)
  for (const statement of sql.split(/;[ \t]*\n/)) if (statement.trim() !== '') await client.query(statement)
  await client.query(`set lock_timeout = ${migrationLimits.lockTimeoutMs}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const silent = new Logger(() => () => {})
