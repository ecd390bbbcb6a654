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

/** Reads without a transaction, in one round trip. */
export async function lookUpIdentityVersion(operations: Pool): Promise<bigint> {
  return versionOf((await readInFirm(operations, null, selectVersion))[0])
}

function versionOf(row: { version: bigint } | undefined): bigint {
  if (row === undefined) throw new Error('clearing.identity_version has no row')
  return row.version
}
