/** Prevents a start with another master key than that of the firms: their personal data could not be decrypted. */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { type MasterKeys, mentionOf, sessionsOfHolders } from '../encryption/master-key.ts'
import { findOtherMasterKeys, readSessionNames } from '../store/master-keys.ts'

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

/** False while a running process cannot open what is wrapped under the master key. */
export async function isHeldByProcesses(operations: Pool, masterKeyId: string): Promise<boolean> {
  const names = await readSessionNames(operations, sessionsOfHolders)
  return names.every((name) => name.split(' ').includes(mentionOf(masterKeyId)))
}

export const firstKeyNotHeld =
  'a running process does not have the first master key of MASTER_KEY_FILE, and cannot open keys that are made from now on: in every process, first name the file of a new master key after the old one, and name it first only when all have it'
