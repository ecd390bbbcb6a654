/**
 * Prevents a command from working with other master keys than the service: keys that it wraps could not be opened by
 * the running processes, and no process could start.
 */
import type { Pool } from '../database/pool.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { assertMasterKeys, isHeldByProcesses } from '../identity/assert-master-keys.ts'

/**
 * Throws when a firm of the database needs a master key that is not given, or when a running process does not hold the
 * current one. `setting` names the place of the keys.
 */
export async function assertUsableKeys(
  operations: Pool,
  masterKeys: MasterKeys,
  setting: string,
): Promise<void> {
  await assertMasterKeys(operations, masterKeys, setting).catch((cause: Error) => {
    throw new Error(`Nothing was changed: ${cause.message}`, { cause })
  })
  const { keyId } = masterKeys.current
  if (await isHeldByProcesses(operations, keyId)) return
  throw new Error(
    `Nothing was changed: a running process does not have master key ${keyId}, the first of ${setting}. If the key is new, name its file in MASTER_KEY_FILE of every process, restart them, and run the command again. Otherwise run the command with the MASTER_KEY_FILE of the processes.`,
  )
}
