/**
 * Notes examined entitlements. A line that the feed cancelled is a break until the entitlement has another or none. So
 * is a payment of the feed that belongs to no position, beside the lines of the announcement, and a line that could not
 * be reversed.
 */
import { renderDecimal } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import { type ExaminedEntitlement, putEntitlements } from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import {
  type BreakOfEntitlement,
  raiseOfEntitlements,
  resolveMended,
} from '../../store/books/missing-lines.ts'
import { raiseOfUnreversed } from '../../store/books/unreversed-lines.ts'

export function putExamined(
  tx: Tx,
  announcement: StoredAnnouncement,
  examined: readonly ExaminedEntitlement[],
  at: Date,
): void {
  putEntitlements(tx, examined)
  raiseOfEntitlements(tx, announcement.security, examined.flatMap(breakOf), at)
  raiseOfUnreversed(tx, announcement, examined, at)
  resolveMended(tx, [...new Set(examined.map(({ accountNumber }) => accountNumber))], at)
}

function breakOf(examined: ExaminedEntitlement): BreakOfEntitlement[] {
  const { externalId, reason: line, accountNumber, firmId, acctType, quantity } = examined
  const found = whyBreak(examined)
  if (found === undefined) return []
  return [
    {
      announcement: externalId,
      line,
      account_number: accountNumber,
      firm_id: firmId,
      acct_type: acctType,
      quantity: renderDecimal(quantity),
      ...found,
    },
  ]
}

function whyBreak({
  state,
  reason: line,
  externalId,
  acctType,
}: ExaminedEntitlement): Pick<BreakOfEntitlement, 'kind' | 'reason'> | undefined {
  if (line === '') return undefined
  switch (state) {
    case 'Reversed':
      return {
        kind: 'ActionMissed',
        reason: `The feed has cancelled a line of the corporate action ${externalId} for account type ${acctType}. Load the line that counts, or amend or cancel the action.`,
      }
    case 'Booked':
      return {
        kind: 'ActionPaidTwice',
        reason: `The corporate action ${externalId} is booked for account type ${acctType}, and the line ${line} of the feed may pay the same. It has neither the quantity nor the amount of a position of the account. If it is the same payment, cancel it and load it for account type ${acctType}.`,
      }
    default:
      return undefined
  }
}
