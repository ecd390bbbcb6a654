/** A number that every change of firms, credentials and signing keys increases. */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { readInFirm, type Tx } from '../database/transaction.ts'

const selectVersion = statement<{ version: bigint }>(
  'select-identity-version',
  'select version from clearing.identity_version',
)

export async function readIdentityVersion(tx: Tx): Promise<bigint> {
  return versionOf(await tx.row(selectVersion))
}

const selectVersionAndTime = statement<{ version: bigint; database_ms: number }>(
  'select-identity-version-and-time',
  'select version, (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms from clearing.identity_version',
)

/** Reads the version and the time of the database's clock without a transaction, in one round trip. */
export async function lookUpIdentityVersion(
  operations: Pool,
): Promise<{ version: bigint; databaseMs: number }> {
  const [row] = await readInFirm(operations, null, selectVersionAndTime)
  return { version: versionOf(row), databaseMs: row?.database_ms ?? Number.NaN }
}

function versionOf(row: { version: bigint } | undefined): bigint {
  if (row === undefined) throw new Error('clearing.identity_version has no row')
  return row.version
}
