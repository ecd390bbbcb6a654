/** Gives a firm another data key while the service runs. Values that are sealed already stay as they are. */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeNextDataKey } from '../encryption/firm-key.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { writeAuditRow } from '../store/audit.ts'
import { insertFirmKey, lockFirm, readFirmKeys, readFirms } from '../store/firms.ts'

/** The number of the new key. Undefined when there is no such firm. */
export function replaceDataKey(settings: {
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  readonly firmId: string
  readonly now: Date
}): Promise<number | undefined> {
  const { operations, masterKeys, firmId, now } = settings
  return inTransaction(operations, { firm: null }, async (tx) => {
    // Compared as text, because `firmId` may be any text.
    const firms = await readFirms(tx)
    if (!firms.some((firm) => firm.firmId === firmId)) return undefined
    await lockFirm(tx, firmId)
    const key = await makeNextDataKey(masterKeys, await readFirmKeys(tx, firmId), now)
    await insertFirmKey(tx, key)
    writeAuditRow(tx, {
      firmId,
      at: now,
      actor: 'command line',
      action: 'replace-data-key',
      target: firmId,
      traceId: '',
      detail: { keyId: key.keyId },
    })
    return key.keyId
  })
}
