/** Notes examined entitlements. A line that the feed cancelled is a break until the entitlement has another or none. */
import { renderDecimal } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import { type ExaminedEntitlement, putEntitlements } from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import { raiseOfTaken, resolveMended } from '../../store/books/missing-lines.ts'

export function putExamined(
  tx: Tx,
  { security }: StoredAnnouncement,
  examined: readonly ExaminedEntitlement[],
  at: Date,
): void {
  putEntitlements(tx, examined)
  const taken = examined.filter(({ state, reason }) => state === 'Reversed' && reason !== '')
  raiseOfTaken(
    tx,
    security,
    taken.map(({ externalId, reason, accountNumber, firmId, acctType, quantity }) => ({
      announcement: externalId,
      cancel: reason,
      account_number: accountNumber,
      firm_id: firmId,
      acct_type: acctType,
      quantity: renderDecimal(quantity),
    })),
    at,
  )
  resolveMended(tx, [...new Set(examined.map(({ accountNumber }) => accountNumber))], at)
}
