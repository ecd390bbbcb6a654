// Applies the missing migrations to a database: first those of the job queue, then the numbered SQL files of
// this project. Each runs in its own transaction. Any number of processes may migrate at once, and the next
// process completes the work of a killed one. A file that begins with the line `-- no transaction` is run
// statement by statement, as CREATE INDEX CONCURRENTLY needs, and does not block writers of a filled table.
// When such a file fails, its earlier statements run again later, so each statement must be repeatable.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { assertOwner, assertRolesInReach } from './owner-rights.ts'
import type { Client, Pool } from './pool.ts'

export interface Migration {
  /** The file's name without its extension: '001-roles'. */
  name: string
  sql: string
  sha256: string
}

const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url))

export const migrationLimits = {
  /** A migration that cannot get its lock in this time fails, so that it does not block other sessions. */
  lockTimeoutMs: 10_000,
  /** The time limit for another migrating process. */
  turnTimeoutMs: 3_600_000,
  /** Interval of checks for the end of the other process. */
  turnEveryMs: 50,
  /** A statement outside a transaction waits for older transactions, and does not block other sessions meanwhile. */
  olderTransactionsTimeoutMs: 3_600_000,
  /** How often a server process that waits checks that its client is still there. */
  clientCheckMs: 5_000,
  /** Interval of the reports on a wait. */
  reportEveryMs: 30_000,
  /** Attempts of a migration that meets deadlocks with serving processes. */
  attemptsMax: 5,
} as const

const deadlock = '40P01'
const lockNotAvailable = '55P03'
/** An arbitrary number; a migrating process holds this lock. */
const migrationLock = 20_260_604

/** What a migration waits for. */
export type Wait =
  | { readonly kind: 'another process migrates' }
  | { readonly kind: 'older transactions'; readonly migration: string; readonly sessions: readonly Session[] }

export interface Session {
  readonly pid: number
  readonly user: string
  readonly application: string
}

export interface WaitReports {
  /** Called at intervals during a wait. */
  readonly onWait?: (wait: Wait) => void
  readonly reportEveryMs?: number
}

/** The database and the code do not match. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

/** Reads the migrations of a folder in the order of their numbers. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const file of names) {
    if (!/^\d{3}-[a-z0-9-]+\.sql$/.test(file))
      throw new Error(`migration ${file} must be named like 001-roles.sql`)
    const sameNumber = migrations.find(({ name }) => name.slice(0, 3) === file.slice(0, 3))
    if (sameNumber !== undefined)
      throw new Error(`migrations ${sameNumber.name} and ${file} have the same number`)
    const recorded = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
    migrations.push({ name: file.slice(0, -4), sql: forAnyOwner(recorded), sha256: sha256(recorded) })
  }
  return migrations
}

/** Recorded migrations, which are not edited, give policies to the owner of the embedded database by its name. */
function forAnyOwner(sql: string): string {
  return sql.replaceAll(' to clearing_owner ', ' to current_user ')
}

/** A digest of all migrations together, which identifies a schema. */
export function fingerprintOf(migrations: readonly Migration[]): string {
  return sha256(migrations.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n')).slice(0, 16)
}

/**
 * Applies the missing migrations as the owner and returns their names. Throws SchemaMismatch when an applied migration
 * differs from ours or is unknown to us, and NotTheOwner when the login lacks a right.
 */
export async function migrate(
  owner: Pool,
  migrations?: readonly Migration[],
  { onWait = () => {}, reportEveryMs = migrationLimits.reportEveryMs }: WaitReports = {},
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations())
  const client = await owner.acquire()
  try {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${migrationLimits.lockTimeoutMs}; set client_connection_check_interval = ${migrationLimits.clientCheckMs}`,
    )
    await takeTurn(client, () => onWait({ kind: 'another process migrates' }), reportEveryMs)
    const applied = await readApplied(client)
    checkApplied(wanted, applied)
    if (applied.length === 0) await assertRolesInReach(client)
    await runMigrations({ pgPool: owner.pg, logger: silent })
    const missing = wanted.slice(applied.length)
    for (const migration of missing) {
      const stop = await watchWaits(owner, client, reportEveryMs, (sessions) =>
        onWait({ kind: 'older transactions', migration: migration.name, sessions }),
      )
      await apply(client, migration).finally(stop)
    }
    return missing.map(({ name }) => name)
  } finally {
    // The session ends, and with it the settings and the lock.
    client.release(true)
  }
}

/** The names of the migrations that are not applied. Changes nothing. Throws SchemaMismatch or NotTheOwner. */
export async function readMissing(owner: Pool): Promise<string[]> {
  const wanted = await readMigrations()
  const client = await owner.acquire()
  try {
    const applied = await readApplied(client)
    checkApplied(wanted, applied)
    if (applied.length === 0) await assertRolesInReach(client)
    return wanted.slice(applied.length).map(({ name }) => name)
  } finally {
    client.release()
  }
}

/**
 * Polls instead of waiting in the database. A waiting statement has a snapshot, and the migrating process may be
 * building an index, which waits for all older snapshots.
 */
async function takeTurn(client: Client, onWait: () => void, reportEveryMs: number): Promise<void> {
  const end = performance.now() + migrationLimits.turnTimeoutMs
  let reportAt = performance.now() + reportEveryMs
  for (;;) {
    const answer = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      migrationLock,
    ])
    if (answer.rows[0]?.taken === true) return
    if (performance.now() > end)
      throw new Error(`another process has migrated for ${migrationLimits.turnTimeoutMs} ms`)
    if (performance.now() > reportAt) {
      onWait()
      reportAt += reportEveryMs
    }
    await pause(migrationLimits.turnEveryMs)
  }
}

/** Reports, at intervals, the sessions for which this one waits. Returns a function that ends the reports. */
async function watchWaits(
  owner: Pool,
  client: Client,
  everyMs: number,
  report: (sessions: readonly Session[]) => void,
): Promise<() => void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const look = async (): Promise<void> => {
    const found = await owner.pg.query<Session>(
      `select pid, usename as "user", application_name as application
         from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by pid`,
      [pid],
    )
    if (found.rows.length > 0) report(found.rows)
  }
  // A look that fails is only a missing report.
  const timer = setInterval(() => void look().catch(() => {}), everyMs)
  return () => clearInterval(timer)
}

interface Applied {
  name: string
  sha256: string
}

async function readApplied(client: Client): Promise<Applied[]> {
  await assertOwner(client)
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
      throw new SchemaMismatch(
        `the database has another migration ${name} than this code: run the release that migrated it, or a later one`,
      )
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyOnce(client, migration)
    } catch (cause) {
      const { code, message } = cause as { code?: string; message: string }
      if (code !== deadlock || attempt === migrationLimits.attemptsMax)
        throw new Error(`migration ${migration.name} failed: ${message}${remedyFor(code, migration)}`, {
          cause,
        })
      await client.query('rollback')
    }
  }
}

/** What a person can do about a migration that waited too long. */
function remedyFor(code: string | undefined, { sql }: Migration): string {
  if (code !== lockNotAvailable) return ''
  return sql.startsWith(withoutTransaction)
    ? '. It waits for every transaction that is older, such as a pg_dump: start again when they have ended'
    : '. Another transaction holds its table: start again'
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

/** Splits a file into statements, which end at line ends. */
async function runStatements(client: Client, sql: string): Promise<void> {
  await client.query(`set lock_timeout = ${migrationLimits.olderTransactionsTimeoutMs}`)
  for (const statement of sql.split(/;[ \t]*\n/)) if (statement.trim() !== '') await client.query(statement)
  await client.query(`set lock_timeout = ${migrationLimits.lockTimeoutMs}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const silent = new Logger(() => () => {})
