/**
 * Changes the table of signing keys to the state that its rules require. Any instance may do so, any number
 * of times.
 */
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { MasterKeys } from '../../encryption/master-key.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { clearingFirmId } from '../../store/firms.ts'
import {
  deleteSigningKey,
  forgetPrivateKey,
  insertSigningKey,
  lockSigningKeys,
  readSigningKeys,
  readTimeOfKeys,
  replaceSigningKeyWrapping,
  retireSigningKey,
} from '../../store/signing-keys.ts'
import { type KeyStep, makeSigningKey, planRotation, rewrapSigningKey } from './signing-key.ts'

export interface RotationSettings {
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  /**
   * Defaults to the database's time. A machine with a wrong clock would create keys that other machines
   * consider inactive.
   */
  readonly now?: Date
  /** Replaces the signing key without waiting for its age. */
  readonly atOnce?: boolean
}

/**
 * Makes the first key and the successor of an old key, removes private halves that no longer sign, and removes keys
 * whose last token has expired. Returns the steps that were taken.
 */
export function rotateSigningKeys(settings: RotationSettings): Promise<KeyStep[]> {
  return inTransaction(settings.operations, { firm: null }, async (tx) => {
    const { masterKeys, atOnce = false } = settings
    await lockSigningKeys(tx)
    const now = settings.now ?? (await readTimeOfKeys(tx))
    const steps = planRotation(await readSigningKeys(tx), now, { atOnce })
    for (const step of steps) {
      switch (step.kind) {
        case 'make':
          await insertSigningKey(tx, await makeSigningKey(masterKeys, { now, activeFrom: step.activeFrom }))
          break
        case 'retire':
          await retireSigningKey(tx, step.kid, step.at)
          break
        case 'forget private half':
          await forgetPrivateKey(tx, step.kid)
          break
        case 'remove':
          await deleteSigningKey(tx, step.kid)
          break
        default:
          throw new Error(`unknown step ${step satisfies never}`)
      }
    }
    return steps
  })
}

/**
 * Removes a leaked key at once, together with every token that it signed, and records this. Another key signs from now
 * on.
 */
export function removeSigningKey(settings: RotationSettings & { readonly kid: string }): Promise<boolean> {
  return inTransaction(settings.operations, { firm: null }, async (tx) => {
    const { masterKeys, kid } = settings
    await lockSigningKeys(tx)
    const now = settings.now ?? (await readTimeOfKeys(tx))
    const removed = (await deleteSigningKey(tx, kid)) === 1
    const steps = planRotation(await readSigningKeys(tx), now)
    for (const step of steps) {
      if (step.kind === 'make')
        await insertSigningKey(tx, await makeSigningKey(masterKeys, { now, activeFrom: step.activeFrom }))
      if (step.kind === 'retire') await retireSigningKey(tx, step.kid, step.at)
    }
    if (removed) {
      const row = {
        actor: 'command line',
        action: 'remove-signing-key',
        target: kid,
        traceId: '',
        detail: {},
      }
      writeAuditRow(tx, { firmId: clearingFirmId, at: now, ...row })
    }
    return removed
  })
}

/**
 * Wraps every private half under the current master key, so that an older one can be removed. Returns the number of
 * rewrapped keys.
 */
export function rewrapSigningKeys(settings: RotationSettings): Promise<number> {
  return inTransaction(settings.operations, { firm: null }, async (tx) => {
    const { masterKeys } = settings
    await lockSigningKeys(tx)
    let changed = 0
    for (const key of await readSigningKeys(tx)) {
      const wrapped = await rewrapSigningKey(masterKeys, key)
      if (wrapped === undefined) continue
      changed += await replaceSigningKeyWrapping(tx, key.kid, wrapped, masterKeys.current.keyId)
    }
    return changed
  })
}
