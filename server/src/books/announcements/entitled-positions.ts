/** The positions that an announcement entitles: those at the beginning of its ex-date. */
import { ACCT_TYPES, type EntitledPosition, foldAccount } from '@clearing/domain/books'
import { sum } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { Holder } from '../../store/books/holders.ts'
import type { Directory } from '../directory.ts'
import { readLinesOfView } from '../positions/held-as-of.ts'

/** One for each account type. Late trades count, because only lines before the ex-date are folded. */
export async function entitledPositions(
  tx: Tx,
  { accountNumber, quantities, lastDate }: Holder,
  { security, exDate }: { readonly security: string; readonly exDate: string },
  directory: Directory,
): Promise<EntitledPosition[]> {
  if (lastDate < exDate)
    return ACCT_TYPES.map((acctType, index) => ({ acctType, quantity: quantities[index] ?? 0n }))
  const view = { day: addDays(exDate, -1), known: undefined }
  const lines = await readLinesOfView(tx, accountNumber, view, directory)
  const lots = foldAccount(lines).holdings.get(security)?.lots
  return ACCT_TYPES.map((acctType, index) => ({
    acctType,
    quantity: sum((lots?.[index] ?? []).map(({ quantity }) => quantity)),
  }))
}
