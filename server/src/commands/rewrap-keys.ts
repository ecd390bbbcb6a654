/**
 * Wraps every key of an older master key under the current one, while the service runs. The older one can then be
 * removed.
 */
import { takeSealKey } from '../audit/seal-key.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { rewrapFirmKey } from '../encryption/firm-key.ts'
import { type MasterKeys, mentionOf, sessionsOfHolders } from '../encryption/master-key.ts'
import { rewrapSigningKeys } from '../identity/keys/rotate-signing-keys.ts'
import { readKeysUnderOtherMaster, replaceWrapping } from '../store/firms.ts'
import { readSessionNames } from '../store/master-keys.ts'
import { readSealKeys } from '../store/seals.ts'

export interface Rewrapped {
  readonly firmKeys: number
  readonly signingKeys: number
  readonly sealKeys: number
}

/**
 * Returns the number of rewrapped keys. Throws when a key is wrapped under an unknown master key; no key of
 * that kind is changed then. Throws when a running process does not hold the current master key, because it could open
 * no rewrapped key.
 */
export async function rewrapKeys(settings: {
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  readonly now: Date
}): Promise<Rewrapped> {
  const { operations, masterKeys, now } = settings
  await assertHeldByAll(operations, masterKeys.current.keyId)
  const firmKeys = await inTransaction(operations, { firm: null }, async (tx) => {
    let changed = 0
    for (const key of await readKeysUnderOtherMaster(tx, masterKeys.current.keyId)) {
      const wrapped = await rewrapFirmKey(masterKeys, key)
      if (wrapped !== undefined) changed += await replaceWrapping(tx, wrapped)
    }
    return changed
  })
  const signingKeys = await rewrapSigningKeys({ operations, masterKeys, now })
  const sealKeys = await inTransaction(operations, { firm: null }, async (tx) => {
    const others = (await readSealKeys(tx)).filter((key) => key.masterKeyId !== masterKeys.current.keyId)
    if (others.length > 0) await takeSealKey(tx, masterKeys, now)
    return others.length
  })
  return { firmKeys, signingKeys, sealKeys }
}

async function assertHeldByAll(operations: Pool, keyId: string): Promise<void> {
  const names = await readSessionNames(operations, sessionsOfHolders)
  const without = names.filter((name) => !name.split(' ').includes(mentionOf(keyId)))
  if (without.length > 0)
    throw new Error(
      `Nothing was changed: a running process does not have master key ${keyId}. Name its file in MASTER_KEY_FILE of every process, restart them, and run the command again.`,
    )
}
