/**
 * Securities by number or symbol: as they are, or with the facts and identifiers known at the close of a day.
 */
import type { Tx } from '../../database/transaction.ts'
import { findSecurities, type Identifiers, type SecurityRow } from './securities.ts'
import { asKnownOn, findPastSymbols } from './security-versions.ts'

/**
 * Securities with one of the numbers or symbols. With `knownOn`, securities that had the number or symbol at
 * that close.
 */
export async function findKnownSecurities(
  tx: Tx,
  { secNo, symbol }: Pick<Identifiers, 'secNo' | 'symbol'>,
  knownOn: string | undefined,
): Promise<SecurityRow[]> {
  const named = { cusip: [], isin: [], sedol: [] }
  if (knownOn === undefined) return findSecurities(tx, { ...named, secNo, symbol })
  const past = symbol.length === 0 ? [] : await findPastSymbols(tx, symbol)
  const rows = await findSecurities(tx, { ...named, secNo: [...secNo, ...past.map(String)], symbol })
  const numbers = new Set(secNo)
  const symbols = new Set(symbol)
  return (await asKnownOn(tx, rows, knownOn)).filter(
    (row) => numbers.has(String(row.sec_no)) || (row.symbol !== null && symbols.has(row.symbol)),
  )
}
