/**
 * Notes what one position is entitled to before an examination does: the action was announced a moment ago, or the
 * position was opened after the last close.
 */
import type { AcctType } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import {
  lockEntitlement,
  putEntitlements,
  type StoredEntitlement,
} from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import { readNamedHolders } from '../../store/books/holders.ts'
import { Directory } from '../directory.ts'
import { entitledPositions } from './entitled-positions.ts'

/** Returns undefined if the account type has no position. */
export async function noteEntitlement(
  tx: Tx,
  announcement: StoredAnnouncement,
  accountNumber: string,
  acctType: AcctType,
): Promise<StoredEntitlement | undefined> {
  const { externalId, security } = announcement
  const [holder] = await readNamedHolders(tx, security, [accountNumber])
  if (holder === undefined) return undefined
  const positions = await entitledPositions(tx, holder, announcement, new Directory())
  const { quantity = ZERO } = positions.find((position) => position.acctType === acctType) ?? {}
  if (quantity === ZERO) return undefined
  const { firmId } = holder
  const noted = { externalId, accountNumber, acctType, firmId, quantity }
  putEntitlements(tx, [{ ...noted, state: 'Expected', reason: '', lines: [], version: 0 }])
  return lockEntitlement(tx, externalId, accountNumber, acctType)
}
