// Keys of fictitious firms for the tests of this folder.
import { randomBytes } from 'node:crypto'
import type { FirmKey } from '../encryption/firm-key.ts'
import { makeFirstFirmKeys, makeNextDataKey } from '../encryption/firm-key.ts'
import type { Keyring } from '../encryption/keyring.ts'
import { createKeyring } from '../encryption/keyring.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'

export type TestKeyring = Keyring & {
  /** Makes a new data key in another instance. This keyring does not know the key yet. */
  replaceKeyElsewhere(firmId: string): Promise<Keyring>
}

export async function makeTestKeyring(...firmIds: string[]): Promise<TestKeyring> {
  const masterKeys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
  const rows = new Map<string, FirmKey[]>()
  for (const firmId of firmIds) rows.set(firmId, await makeFirstFirmKeys(masterKeys, firmId, new Date(0)))
  const open = () =>
    createKeyring({ masterKeys, loadFirmKeys: async (firmId) => [...(rows.get(firmId) ?? [])] })
  return {
    ...open(),
    async replaceKeyElsewhere(firmId) {
      const held = rows.get(firmId) ?? []
      held.push(await makeNextDataKey(masterKeys, held, new Date(0)))
      return open()
    },
  }
}
