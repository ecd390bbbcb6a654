/** The symbols of the securities that announcements name. */
import type { Tx } from '../../database/transaction.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import { findSecurities } from '../../store/books/securities.ts'

/** The symbol of a security by its number, or another of its identifiers; empty if it has none. */
export type SymbolOf = (secNo: string) => string

export async function readSymbols(
  tx: Tx,
  announcements: Iterable<Pick<StoredAnnouncement, 'security' | 'options'>>,
): Promise<SymbolOf> {
  const secNo = new Set<string>()
  for (const { security, options } of announcements) {
    secNo.add(security)
    for (const { toSecurity } of options) if (toSecurity !== undefined) secNo.add(toSecurity)
  }
  const none = { cusip: [], isin: [], sedol: [], symbol: [] }
  const rows = secNo.size === 0 ? [] : await findSecurities(tx, { ...none, secNo: [...secNo] })
  const symbols = new Map(
    rows.map(({ sec_no, symbol, cusip, isin, sedol }) => [
      String(sec_no),
      symbol ?? cusip ?? isin ?? sedol ?? '',
    ]),
  )
  return (number) => symbols.get(number) ?? ''
}
