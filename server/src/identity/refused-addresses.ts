/**
 * Records in the audit trail of its firm that a credential was used from an address that it does not allow: the secret
 * or the token may be stolen. At most one row an hour for each credential and address, so that a flood of calls cannot
 * fill the trail.
 */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import type { StoredCredential } from '../store/credentials.ts'
import { RecentMap } from './recent-map.ts'
import type { Sender } from './sender.ts'

const rememberedMax = 10_000
const hourMs = 3_600_000

export type NoteRefusedAddress = (
  credential: StoredCredential,
  sender: Pick<Sender, 'address' | 'traceId'>,
) => Promise<void>

export function prepareRefusedAddresses(settings: {
  readonly operations: Pool
  readonly now: () => Date
  readonly onFault: (fault: unknown) => void
}): NoteRefusedAddress {
  const { operations, now, onFault } = settings
  const recordedMs = new RecentMap<string, number>(rememberedMax)
  return async ({ clientId, firmId }, { address, traceId }) => {
    const at = now()
    const key = `${clientId} ${address}`
    if (at.getTime() - (recordedMs.get(key) ?? Number.NEGATIVE_INFINITY) < hourMs) return
    recordedMs.set(key, at.getTime())
    try {
      await inTransaction(operations, { firm: null }, async (tx) =>
        writeAuditRow(tx, {
          firmId,
          at,
          actor: clientId,
          action: 'credential-address-refused',
          target: clientId,
          traceId,
          detail: { address },
        }),
      )
    } catch (fault) {
      onFault(fault)
    }
  }
}
