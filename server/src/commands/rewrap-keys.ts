/**
 * Wraps every key of an older master key under the current one, while the service runs. The older one can then be
 * removed from the settings. Backups from before still need it.
 */
import { rewrapSealKeys } from '../audit/seal-key.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { rewrapFirmKey } from '../encryption/firm-key.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { rewrapSigningKeys } from '../identity/keys/rotate-signing-keys.ts'
import { readKeysUnderOtherMaster, replaceWrapping } from '../store/firms.ts'

export interface Rewrapped {
  readonly firmKeys: number
  readonly signingKeys: number
  readonly sealKeys: number
}

/**
 * Returns the number of rewrapped keys. Throws when a key is wrapped under an unknown master key; no key of
 * that kind is changed then. The caller has checked that every running process holds the current master key: a process
 * without it could open no rewrapped key.
 */
export async function rewrapKeys(settings: {
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  readonly now: Date
}): Promise<Rewrapped> {
  const { operations, masterKeys, now } = settings
  const firmKeys = await inTransaction(operations, { firm: null }, async (tx) => {
    let changed = 0
    for (const key of await readKeysUnderOtherMaster(tx, masterKeys.current.keyId)) {
      const wrapped = await rewrapFirmKey(masterKeys, key)
      if (wrapped !== undefined) changed += await replaceWrapping(tx, wrapped)
    }
    return changed
  })
  const signingKeys = await rewrapSigningKeys({ operations, masterKeys, now })
  const sealKeys = await inTransaction(operations, { firm: null }, (tx) => rewrapSealKeys(tx, masterKeys))
  return { firmKeys, signingKeys, sealKeys }
}
