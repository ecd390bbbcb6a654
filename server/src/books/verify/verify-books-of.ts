/** Verifies the books of one account: folds its lines again, and adds up its summary. */
import type { Tx } from '../../database/transaction.ts'
import type { AccountBooks } from '../../store/books/accounts.ts'
import type { Directory } from '../directory.ts'
import { valueAccount } from '../positions/account-positions.ts'
import { verifyAccount } from './verify-account.ts'
import { verifySummary } from './verify-summary.ts'

export interface FoundBreak {
  readonly kind: string
  readonly accountNumber: string
  readonly secNo: string
  readonly reason: string
}

export interface VerifiedBooks {
  readonly entries: number
  readonly positions: number
  readonly breaks: readonly FoundBreak[]
}

/** `days`: the closed days whose seals cover lines. */
export async function verifyBooksOf(
  tx: Tx,
  books: AccountBooks,
  directory: Directory,
  { days, now }: { readonly days: readonly string[]; readonly now: Date },
): Promise<VerifiedBooks> {
  const { accountNumber } = books
  const { entries, positions, breaks } = await verifyAccount(tx, books, directory, days)
  const valued = await valueAccount(tx, accountNumber, { now })
  const wrong = valued === undefined ? [] : verifySummary(valued.summary)
  const summary = wrong.map((reason) => ({ kind: 'Summary', accountNumber, secNo: '', reason }))
  return { entries, positions, breaks: [...breaks, ...summary] }
}
