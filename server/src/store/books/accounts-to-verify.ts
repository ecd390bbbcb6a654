/** The accounts that have books, in the order of their numbers. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { AccountBooks } from './accounts.ts'

const selectBooks = statement<AccountBooks>(
  'select-books-to-verify',
  `select account_number as "accountNumber", firm_id as "firmId", lot_method as "lotMethod",
     line_count as "lineCount", entry_count as "entryCount", has_links as "hasLinks"
   from clearing.account_books
   where ($1::text is null or account_number = $1) and account_number > $2 order by account_number limit $3`,
)
const countEntries = statement<{ entries: bigint }>(
  'count-entries-of-account',
  'select count(*) as entries from clearing.journal where account_number = $1',
)

const pageRowsMax = 500

/** One account, or all accounts after a number when it is null. */
export async function* eachBooks(
  tx: Tx,
  accountNumber: string | null,
  first = '',
): AsyncGenerator<AccountBooks> {
  for (let after = first; ; ) {
    const page = await tx.rows(selectBooks, [accountNumber, after, pageRowsMax])
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageRowsMax) return
    after = last.accountNumber
  }
}

const selectNamed = statement<AccountBooks>(
  'select-named-books-to-verify',
  `select account_number as "accountNumber", firm_id as "firmId", lot_method as "lotMethod",
     line_count as "lineCount", entry_count as "entryCount", has_links as "hasLinks"
   from clearing.account_books where account_number = any ($1) order by account_number`,
)
export function readBooks(tx: Tx, accountNumbers: readonly string[]): Promise<AccountBooks[]> {
  return tx.rows(selectNamed, [accountNumbers])
}

export async function readEntryCount(tx: Tx, accountNumber: string): Promise<number> {
  return Number((await tx.row(countEntries, [accountNumber]))?.entries ?? 0n)
}
