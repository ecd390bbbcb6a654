/** Lines of closed accounts are refused. Lines of restricted accounts are booked as facts, with a break. */
import { type Break, type Entitlement, entitlementsUsed } from '@clearing/domain/books'
import { type CodeOf, type Rejection, reject, suspendedBy } from '@clearing/protocol/values'
import type { Suspension } from '../../store/books/suspensions.ts'
import type { BookedLine } from './booked-line.ts'

export const whyClosed: Rejection = reject('ERR.2011', 'acctNo', 'The account is Closed.')

export function isClosed(suspensions: readonly Suspension[] = []): boolean {
  return suspensions.some(({ code }) => code === null)
}

/**
 * A break for each line of one account that uses an entitlement which a restriction suspended on its trade date.
 * `borrowed`: the currencies in which the lines raise the debit of the account.
 */
export function breaksOfRestrictions(
  lines: readonly Pick<BookedLine, 'line'>[],
  restrictions: readonly Suspension[],
  borrowed: ReadonlySet<string>,
): Break[] {
  if (restrictions.length === 0) return []
  const cancelled = new Set(lines.filter(({ line }) => line.cancels).map(({ line }) => line.tagNo))
  return lines.flatMap(({ line }) => {
    if (cancelled.has(line.externalId)) return []
    const reason = whySuspended(line, entitlementsUsed(line, borrowed), restrictions)
    if (reason === undefined) return []
    const { externalId: lineId, security, acctType, quantity } = line
    return [{ kind: 'Suspended', lineId, securityKey: security?.key, acctType, quantity, reason }]
  })
}

/** Why a line that uses these entitlements is suspended by restrictions; undefined if it is not. */
export function whySuspended(
  { tradeDate, transType, buySell }: Pick<BookedLine['line'], 'tradeDate' | 'transType' | 'buySell'>,
  used: readonly Entitlement[],
  restrictions: readonly Suspension[],
): string | undefined {
  if (used.length === 0) return undefined
  for (const { code, from, until } of restrictions) {
    if (code === null || tradeDate < from || (until !== null && tradeDate >= until)) continue
    const suspended = used.filter((one) => suspendedBy[code as CodeOf<'restrictionCode'>]?.includes(one))
    if (suspended.length > 0) {
      const what = buySell === undefined ? transType : `${transType} ${buySell}`
      return `${what} while ${code} suspended ${suspended.join(' and ')}.`
    }
  }
  return undefined
}
