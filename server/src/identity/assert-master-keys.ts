/** Prevents a start with another master key than that of the firms: their personal data could not be decrypted. */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { findOtherMasterKeys } from '../store/master-keys.ts'

/** `setting` names the place of the keys. The message of the fault describes the remedy. */
export async function assertMasterKeys(
  operations: Pool,
  { keyIds }: MasterKeys,
  setting: string,
): Promise<void> {
  const missing = await inTransaction(operations, { firm: null, readOnly: true }, (tx) =>
    findOtherMasterKeys(tx, keyIds),
  )
  if (missing.length === 0) return
  const lacking = missing.map(
    ({ masterKeyId, firms }) => `${masterKeyId} of ${firms} ${firms === 1 ? 'firm' : 'firms'}`,
  )
  throw new Error(
    `${setting} lacks a master key of the database: ${lacking.join(', ')}. Without it, their personal data cannot be decrypted. Name the file of each master key that the database needs.`,
  )
}
