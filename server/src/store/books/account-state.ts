/** The state of the facts of an account from which its value is computed, read without the facts themselves. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

// Every posting writes the row of the books. Every change of the record writes the row of the account. The version and
// the number of entries are needed because a restored server may use transaction numbers again.
const selectState = statement<{ state: string }>(
  'select-account-state',
  `select row(
       account.xmin, account.version, books.xmin, books.entry_count, (select business_date from clearing.business_day),
       (select string_agg(code, ',' order by code) from clearing.restriction
        where restriction.account_number = account.account_number and ended_at is null),
       (select string_agg(open.xmin::text, ',' order by break_id) from clearing.books_break as open
        where open.account_number = account.account_number and resolved_at is null),
       (select row(close_date, ledger.xmin)::text from clearing.margin_ledger as ledger
        where ledger.account_number = account.account_number order by close_date desc limit 1)
     )::text as state
   from clearing.account left join clearing.account_books as books using (account_number)
   where account_number = $1 and account.status <> 'Reserved'`,
)

/**
 * Identifies the facts of the account, except positions held away, and the business date. It stays equal until one of
 * them is written. Undefined when the caller may not see an account with this number.
 */
export async function readAccountState(tx: Tx, accountNumber: string): Promise<string | undefined> {
  return (await tx.row(selectState, [accountNumber]))?.state
}
