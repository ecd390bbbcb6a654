/**
 * Invariants of the books of an account. Each check returns its violations, none when the books are right. Books 1,
 * verify-books.
 */
import { type Decimal, renderDecimal, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'
import type { LedgerBalance } from './entry.ts'
import { type AccountFold, joinWashes } from './fold.ts'

/**
 * The lots of an account type are all long or all short, none is empty, their names are unique, and they are in order.
 */
export function verifyLots({ holdings }: Pick<AccountFold, 'holdings'>): string[] {
  const wrong: string[] = []
  for (const [key, { lots }] of holdings) {
    const names = new Set<string>()
    for (const list of lots) {
      list.forEach((lot, index) => {
        const before = list[index - 1]
        if (lot.quantity === ZERO) wrong.push(`${key}: lot ${lot.id} is empty`)
        if (names.has(lot.id)) wrong.push(`${key}: two lots are called ${lot.id}`)
        names.add(lot.id)
        if (before === undefined) return
        if (before.quantity < 0n !== lot.quantity < 0n)
          wrong.push(`${key}: lot ${lot.id} is of the other side`)
        if (before.openDate > lot.openDate) wrong.push(`${key}: lot ${lot.id} is out of order`)
      })
    }
  }
  return wrong
}

/** Positions and cash of the fold equal the customer's side of the entries. */
export function verifyBalances(
  { positions, cash }: Pick<AccountFold, 'positions' | 'cash'>,
  balances: readonly LedgerBalance[],
): string[] {
  const kept = new Map<string, Decimal>()
  const name = (asset: string, acctType: AcctType) => `${asset} in account type ${acctType}`
  for (const { securityKey, acctType, quantity } of positions) {
    if (quantity !== ZERO) kept.set(name(`security ${securityKey}`, acctType), quantity)
  }
  for (const { currency, acctType, amount } of cash) kept.set(name(`cash ${currency}`, acctType), amount)
  const wrong: string[] = []
  for (const { ledger, acctType, asset, amount } of balances) {
    if (ledger !== 'customer') continue
    const of = name(
      asset.kind === 'cash' ? `cash ${asset.currency}` : `security ${asset.securityKey}`,
      acctType,
    )
    const other = kept.get(of) ?? ZERO
    kept.delete(of)
    if (other !== amount) wrong.push(`${of}: fold ${renderDecimal(other)}, entries ${renderDecimal(amount)}`)
  }
  for (const [of, amount] of kept) wrong.push(`${of}: fold ${renderDecimal(amount)}, entries 0`)
  return wrong
}

/** Customers, street, firm and locations sum to zero for every security and currency. */
export function verifyStockRecord(balances: readonly LedgerBalance[]): string[] {
  const sums = new Map<string, Decimal>()
  for (const { asset, amount } of balances) {
    const of = asset.kind === 'cash' ? `cash ${asset.currency}` : `security ${asset.securityKey}`
    sums.set(of, amount + (sums.get(of) ?? ZERO))
  }
  return [...sums]
    .filter(([, total]) => total !== ZERO)
    .map(([of, total]) => `${of}: the stock record is out by ${renderDecimal(total)}`)
}

/** No more than the loss is disallowed, and no gain is changed. */
export function verifyWashes(fold: Pick<AccountFold, 'closings' | 'washes'>): string[] {
  return joinWashes(fold.closings, fold.washes)
    .filter((closing) => closing.washDisallowed > (closing.gain < 0n ? -closing.gain : ZERO))
    .map(
      (closing) => `closing ${closing.ordinal} of line ${closing.lineId}: more is disallowed than was lost`,
    )
}
