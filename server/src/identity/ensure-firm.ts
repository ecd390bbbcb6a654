/** Makes a firm with the keys that seal all its rows, if it does not exist; an existing firm is left unchanged. */
import type { Tx } from '../database/transaction.ts'
import { makeFirstFirmKeys } from '../encryption/firm-key.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { insertFirm, insertFirmKey } from '../store/firms.ts'

export async function ensureFirm(
  tx: Tx,
  masterKeys: MasterKeys,
  firm: { firmId: string; name: string },
  at: Date,
): Promise<void> {
  await insertFirm(tx, { firmId: firm.firmId, name: firm.name, settings: {}, at })
  for (const key of await makeFirstFirmKeys(masterKeys, firm.firmId, at)) await insertFirmKey(tx, key)
}
