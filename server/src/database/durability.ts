// Refuses a database that may lose confirmed commits, or cannot store every name.
import type { Pool } from './pool.ts'

/** The oldest version that runs the SQL of this project. */
const serverVersionMin = 15

const settingsThatKeep = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** The settings or the version of the database do not suit the service. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase'
}

/**
 * Throws UnsuitableDatabase, with a message of one line, when the server is too old, when the database has another
 * encoding than UTF8, or when a crash might lose a confirmed commit (R002). Must be called for each pool, because
 * settings can differ by role.
 */
export async function checkDurability(pool: Pool): Promise<void> {
  const client = await pool.acquire()
  try {
    const answer = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_catalog.pg_settings where name = any($1)',
      [[...settingsThatKeep, 'server_version_num', 'server_encoding']],
    )
    const settings = new Map(answer.rows.map(({ name, setting }) => [name, setting]))
    const version = Math.floor(Number(settings.get('server_version_num')) / 10_000)
    if (version < serverVersionMin) {
      throw new UnsuitableDatabase(`PostgreSQL ${version} is too old: ${serverVersionMin} or newer is needed`)
    }
    const encoding = settings.get('server_encoding')
    if (encoding !== 'UTF8') {
      throw new UnsuitableDatabase(`the encoding of the database is ${encoding}, and must be UTF8`)
    }
    const off = settingsThatKeep.filter((name) => settings.get(name) === 'off')
    if (off.length > 0) {
      throw new UnsuitableDatabase(
        `the database could lose confirmed commits: ${off.join(', ')} must not be off`,
      )
    }
  } finally {
    client.release()
  }
}

export interface ConnectionsMax {
  readonly most: number
  /** What sets the limit. */
  readonly by: string
}

/** The smallest limit of connections for the login of the pool, and what sets it. */
export async function readConnectionsMax(pool: Pool): Promise<ConnectionsMax> {
  const client = await pool.acquire()
  try {
    const { rows } = await client.query<ConnectionsMax>(
      `select most, by from (
         select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true), '0')::int as most,
           'max_connections less the reserved connections' as by
         union all select rolconnlimit, 'CONNECTION LIMIT of the login ' || rolname from pg_catalog.pg_roles
           where rolname = session_user and rolconnlimit >= 0 and not rolsuper
         union all select datconnlimit, 'CONNECTION LIMIT of the database ' || datname from pg_catalog.pg_database
           where datname = current_database() and datconnlimit >= 0
       ) as limits order by most limit 1`,
      [],
    )
    return rows[0] as ConnectionsMax
  } finally {
    client.release()
  }
}
