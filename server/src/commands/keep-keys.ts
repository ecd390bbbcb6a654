/** Commands of the platform team for keys: wrap all keys under a new master key, or remove a leaked key. */
import type { Config } from '../config/config.ts'
import { removeSigningKey } from '../identity/keys/rotate-signing-keys.ts'
import { onDatabase } from './on-database.ts'
import { rewrapKeys } from './rewrap-keys.ts'

export function rewrapAllKeys(config: Config): Promise<void> {
  return onDatabase(config, async (operations, masterKeys) => {
    const { firmKeys, signingKeys, sealKeys } = await rewrapKeys({ operations, masterKeys, now: new Date() })
    console.log(
      `Under ${masterKeys.current.keyId} now: ${firmKeys} firm keys, ${signingKeys} signing keys, ${sealKeys} seal keys. The older master keys can be removed.`,
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
