/**
 * Commands of the platform team for keys: wrap all keys under a new master key, give a firm another data key, or remove
 * a leaked key that signs.
 */
import type { Config } from '../config/config.ts'
import { removeSigningKey } from '../identity/keys/rotate-signing-keys.ts'
import { onDatabase } from './on-database.ts'
import { replaceDataKey } from './replace-data-key.ts'
import { rewrapKeys } from './rewrap-keys.ts'

/** A backup has the keys as they were wrapped when it was made. */
const olderKeys =
  'No key of this database needs the older master keys: remove them from the settings. Keep their files as long as a backup from before now. If such a key has leaked, destroy these backups and the file.'

export function rewrapAllKeys(config: Config): Promise<void> {
  return onDatabase(config, async (operations, masterKeys) => {
    const { firmKeys, signingKeys, sealKeys } = await rewrapKeys({ operations, masterKeys, now: new Date() })
    console.log(
      `Under ${masterKeys.current.keyId} now: ${firmKeys} firm keys, ${signingKeys} signing keys, ${sealKeys} seal keys. ${olderKeys}`,
    )
  })
}

export function replaceKeyOfFirm(config: Config, firmId: string): Promise<void> {
  return onDatabase(config, async (operations, masterKeys) => {
    const keyId = await replaceDataKey({ operations, masterKeys, firmId, now: new Date() })
    if (keyId === undefined) {
      console.error(`There is no firm "${firmId}"; list-firms lists their ids.`)
      process.exitCode = 1
      return
    }
    console.log(
      `Within a minute every process seals new values of ${firmId} with data key ${keyId}. Older keys still open what they sealed.`,
    )
  })
}

export function removeLeakedKey(config: Config, kid: string): Promise<void> {
  return onDatabase(config, async (operations, masterKeys) => {
    const removed = await removeSigningKey({ operations, masterKeys, kid })
    if (!removed) {
      console.error(`There is no signing key "${kid}"; /identity/jwks lists them.`)
      process.exitCode = 1
      return
    }
    console.log(`${kid} is removed with every token that it signed; another key signs.`)
  })
}
