/**
 * Checks that a login may migrate the database, before a migration fails with a message that names neither the setting
 * nor the remedy. Reads the catalogs only.
 */
import type { Client } from './pool.ts'

/** The login of the owner lacks rights that the migrations need. The message names the remedy. */
class NotTheOwner extends Error {
  override readonly name = 'NotTheOwner'
}

interface Rights {
  readonly login: string
  readonly database: string
  readonly databaseOwner: string
  readonly mayCreate: boolean
  /** Null before the first migration. */
  readonly tableOwner: string | null
  readonly isTableOwner: boolean | null
}

const selectRights = `
  select current_user as login, current_database() as database, pg_get_userbyid(base.datdba) as "databaseOwner",
    coalesce(has_schema_privilege(spot.oid, 'create'), has_database_privilege(base.oid, 'create')) as "mayCreate",
    pg_get_userbyid(made.relowner) as "tableOwner", pg_has_role(made.relowner, 'usage') as "isTableOwner"
  from pg_catalog.pg_database as base
  left join pg_catalog.pg_namespace as spot on spot.nspname = 'clearing'
  left join pg_catalog.pg_class as made on made.relnamespace = spot.oid and made.relname = 'migration'
  where base.datname = current_database()`

export async function assertOwner(client: Client): Promise<void> {
  const [rights] = (await client.query<Rights>(selectRights)).rows
  if (rights === undefined) throw new Error('the catalogs do not name the database')
  const { login, database, databaseOwner, mayCreate, tableOwner, isTableOwner } = rights
  const remedy = 'DATABASE_OWNER_URL must name the login that owns'
  if (isTableOwner === false)
    throw new NotTheOwner(
      `${remedy} the tables of the service, ${tableOwner}; it is absent or names ${login}, which does not own them`,
    )
  if (isTableOwner === null && !mayCreate)
    throw new NotTheOwner(
      `${remedy} the database ${database}, ${databaseOwner}; it is absent or names ${login}, which may not create tables there`,
    )
}

/** Since PostgreSQL 16, the right to create roles is no right to grant roles that others have created. */
const selectRolesOutOfReach = `
  select wanted as role, known.oid is not null as exists, current_user as login
  from unnest(array['clearing_app', 'clearing_operations']) as wanted
  left join pg_catalog.pg_roles as known on known.rolname = wanted
  join pg_catalog.pg_roles as own on own.rolname = current_user
  where not own.rolsuper and case
    when known.oid is null then not own.rolcreaterole
    when pg_has_role(known.oid, 'member') then false
    when current_setting('server_version_num')::int < 160000 then not own.rolcreaterole
    else not pg_has_role(known.oid, 'member with admin option') end
  order by wanted`

/** Before the first migration, which makes the roles of the service and grants them to the owner. */
export async function assertRolesInReach(client: Client): Promise<void> {
  const { rows } = await client.query<{ role: string; exists: boolean; login: string }>(selectRolesOutOfReach)
  const [first] = rows
  if (first === undefined) return
  const statements = rows.flatMap(({ role, exists, login }) => [
    ...(exists ? [] : [`create role ${role} nologin`]),
    `grant ${role} to ${login}`,
  ])
  throw new NotTheOwner(
    `${first.login} may not create or grant the roles of the service: have an administrator run: ${statements.join('; ')}`,
  )
}
