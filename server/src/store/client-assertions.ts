/** Used client assertions and DPoP proofs. Each is accepted once over all instances. */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm } from '../database/transaction.ts'

const selectUsed = statement(
  'select-client-assertion',
  'select 1 from clearing.client_assertion where assertion_hash = $1',
)
const insertUsed = statement(
  'insert-client-assertion',
  'insert into clearing.client_assertion (assertion_hash, expires_at) values ($1, $2) on conflict do nothing',
)
const deleteExpired = statement(
  'delete-expired-assertions',
  'delete from clearing.client_assertion where expires_at < $1',
)

export async function isAssertionUsed(operations: Pool, id: string): Promise<boolean> {
  return (await readInFirm(operations, null, selectUsed, [id])).length > 0
}

/** Stores the assertion until it expires. False if it was used before. */
export async function useAssertion(operations: Pool, id: string, expires: Date, now: Date): Promise<boolean> {
  const used = await inTransaction(operations, { firm: null }, async (tx) => {
    tx.later(deleteExpired, [now])
    return tx.run(insertUsed, [id, expires])
  })
  return used > 0
}

/**
 * Stores a proof until it expires. False if it was used before. The call does not wait for the disk, so a
 * crash of the database may lose the row. The proof could then be used again in the few seconds in which it
 * is valid.
 */
export async function useProofOnce(operations: Pool, id: string, expires: Date): Promise<boolean> {
  const scope = { firm: null, mayBeLost: true }
  return (await inTransaction(operations, scope, (tx) => tx.run(insertUsed, [id, expires]))) > 0
}

export async function removeExpiredAssertions(operations: Pool, now: Date): Promise<void> {
  await inTransaction(operations, { firm: null, mayBeLost: true }, (tx) => tx.run(deleteExpired, [now]))
}
