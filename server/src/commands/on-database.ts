/**
 * Opens the database and the master keys for a command that runs on the machine of the service, beside it or
 * before its start. A command with other master keys than those of the database and of the running processes is
 * refused.
 */
import type { Config } from '../config/config.ts'
import { checkDurability } from '../database/durability.ts'
import { migrate } from '../database/migrate.ts'
import { namingSetting } from '../database/naming-setting.ts'
import { compareAddresses, settingOf } from '../database/open-pools.ts'
import { openPool, type Pool } from '../database/pool.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { loadMasterKeys } from '../encryption/master-key-file.ts'
import { assertUsableKeys } from './assert-usable-keys.ts'
import { isMistakeOfOurs } from './is-mistake.ts'

export async function onDatabase(
  config: Config,
  act: (operations: Pool, masterKeys: MasterKeys) => Promise<void>,
): Promise<void> {
  if (config.database.kind !== 'external') {
    console.error(
      'The sandbox has its credentials, people and keys; use this command with your own database (DATABASE_URL).',
    )
    process.exit(1)
  }
  const { url, ownerUrl } = config.database
  const ownerSetting = settingOf(config, 'owner')
  const owner = openPool({ name: 'owner', url: ownerUrl, setting: ownerSetting })
  const operations = openPool({ name: 'operations', url, setting: settingOf(config, 'operations') })
  try {
    await namingSetting(ownerSetting, checkDurability(owner))
    await compareAddresses(config)
    const [keyFile, ...olderKeyFiles] = config.masterKeyFiles
    if (keyFile === undefined)
      throw new Error(
        'MASTER_KEY_FILE must name the file of the master key that the processes of the service have.',
      )
    await namingSetting(ownerSetting, migrate(owner))
    const masterKeys = await loadMasterKeys({ mode: 'production', keyFile, olderKeyFiles })
    await assertUsableKeys(operations, masterKeys, 'MASTER_KEY_FILE')
    await act(operations, masterKeys)
  } catch (fault) {
    if (isMistakeOfOurs(fault)) throw fault
    console.error((fault as Error).message)
    process.exitCode = 1
  } finally {
    await operations.end()
    await owner.end()
  }
}
