/** The public keys with which other cells sign tokens, as last read from the directory. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { KeyOfCell } from './cell-directory.ts'
import type { StoredSigningKey } from './signing-keys.ts'

const selectKeys = statement<KeyOfCell>(
  'select-cell-signing-keys',
  `select kid, cell, public_jwk as "publicJwk", active_from as "activeFrom", retired_at as "retiredAt"
   from clearing.cell_signing_key order by kid`,
)
const deleteOthers = statement(
  'delete-cell-signing-keys',
  'delete from clearing.cell_signing_key where kid <> all ($1::text[])',
)
const putKey = statement(
  'put-cell-signing-key',
  `insert into clearing.cell_signing_key (kid, cell, public_jwk, active_from, retired_at) values ($1, $2, $3, $4, $5)
   on conflict (kid) do update set retired_at = excluded.retired_at
   where cell_signing_key.retired_at is distinct from excluded.retired_at`,
)

/** Keys that verify tokens and never sign. */
export async function readKeysOfCells(tx: Tx): Promise<StoredSigningKey[]> {
  return (await tx.rows(selectKeys)).map(({ kid, publicJwk, activeFrom, retiredAt }) => ({
    kid,
    publicJwk,
    wrapped: null,
    masterKeyId: null,
    createdAt: new Date(activeFrom),
    activeFrom: new Date(activeFrom),
    retiredAt: retiredAt === null ? null : new Date(retiredAt),
  }))
}

/** Stores these keys and removes all others. It does not write keys that are already stored. */
export async function replaceKeysOfCells(tx: Tx, keys: readonly KeyOfCell[]): Promise<void> {
  await tx.run(deleteOthers, [keys.map(({ kid }) => kid)])
  for (const { kid, cell, publicJwk, activeFrom, retiredAt } of keys)
    await tx.run(putKey, [kid, cell, { ...publicJwk }, activeFrom, retiredAt])
}
