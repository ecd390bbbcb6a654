/**
 * Gives a session its role and settings by one statement after connecting. No startup option is needed, so that a
 * pooler may stand between: poolers refuse options that they do not know. A session is refused when it does not have
 * its role, can bypass row-level security, or cannot write.
 */
import type pg from 'pg'
import { DatabaseUnavailable } from './faults.ts'

/**
 * The database gives a session other rights than expected. This is an error of configuration, which waiting
 * does not solve.
 */
export class WrongRole extends Error {
  override readonly name = 'WrongRole'
}

export interface SessionLimits {
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
}

/** Reads whether sessions may write: false on a standby, and on a primary that was demoted. */
export const selectWritable =
  "select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean as writable"

/**
 * Returns the calls that set the role and the settings. They override the server's defaults and the address's own
 * options. `local`: until the end of the transaction.
 */
export function renderSettings(role: string | undefined, limits: SessionLimits, local: boolean): string {
  const settings: [name: string, value: string][] = [
    ...(role === undefined ? [] : [['role', role] satisfies [string, string]]),
    ['TimeZone', 'UTC'],
    ['DateStyle', 'ISO, YMD'],
    ['IntervalStyle', 'iso_8601'],
    ['extra_float_digits', '1'],
    // Compiling a plan takes longer than any of our statements.
    ['jit', 'off'],
    ['search_path', 'clearing, pg_catalog, pg_temp'],
    // With `off`, the server refuses every statement that a policy would filter.
    ['row_security', 'on'],
    // At a stricter level, transactions that wait for each other fail.
    ['default_transaction_isolation', 'read committed'],
    ['default_transaction_deferrable', 'off'],
    ['statement_timeout', String(limits.statementTimeoutMs)],
    ['lock_timeout', String(limits.lockTimeoutMs)],
    ['idle_in_transaction_session_timeout', String(limits.idleInTransactionTimeoutMs)],
    // The pool closes idle sessions. A session that listens is idle for hours.
    ['idle_session_timeout', '0'],
  ]
  const calls = settings.map(([name, value]) => renderSetting(name, value, local))
  return [...calls, withoutTransactionTimeout(local)].join(', ')
}

function renderSetting(name: string, value: string, local: boolean): string {
  return `pg_catalog.set_config('${name}', '${value}', ${local})`
}

/** The limit exists since PostgreSQL 17. It would end sessions in the middle of a load. */
function withoutTransactionTimeout(local: boolean): string {
  const name = 'transaction_timeout'
  return `case when pg_catalog.current_setting('${name}', true) is not null then ${renderSetting(name, '0', local)} end`
}

interface Checked {
  readonly writable: boolean
  readonly standby: boolean
  readonly role: string
  readonly unbound: boolean
}

export interface Preparation {
  readonly role: string | undefined
  readonly limits: SessionLimits
  /** True when the settings last for the check only. */
  readonly local: boolean
  /** True when the server must be a standby; otherwise it must accept writes. */
  readonly standby: boolean
}

/** Prepares a new connection in one round trip. */
export async function prepareSession(
  client: pg.ClientBase,
  { role, limits, local, standby }: Preparation,
): Promise<void> {
  const check = {
    text: `select ${renderSettings(role, limits, local)};
     select current_user as role, rolsuper or rolbypassrls as unbound, (${selectWritable}), pg_is_in_recovery() as standby
     from pg_catalog.pg_roles where rolname = current_user`,
    query_timeout: limits.connectTimeoutMs,
  }
  const answers = (await client.query(check)) as unknown as { rows: Checked[] }[]
  const session = answers.at(-1)?.rows[0]
  if (session === undefined) throw new WrongRole('the session has no role')
  if (standby && !session.standby)
    throw new DatabaseUnavailable('away', 'the server that answers is not a standby')
  if (!standby && !session.writable) throw notPrimary()
  if (role === undefined) return
  if (session.role !== role) throw new WrongRole(`connected as ${session.role}, must be ${role}`)
  if (session.unbound) throw new WrongRole(`role ${role} must not be superuser or have BYPASSRLS`)
}

/** Throws when the server refuses writes: the address may lead to a standby, or to a demoted primary. */
export async function checkWritable(client: pg.ClientBase): Promise<void> {
  const answer = await client.query<{ writable: boolean }>(selectWritable)
  if (!answer.rows[0]?.writable) throw notPrimary()
}

function notPrimary(): DatabaseUnavailable {
  return new DatabaseUnavailable('read-only', 'the server that answers is not the primary')
}
