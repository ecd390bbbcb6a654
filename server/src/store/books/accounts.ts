/** The row of an account's books. Every change of the books locks it first. */
import type { LotMethod } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { dayOf } from '../conditions.ts'

/** An account with its firm, for lines that name it. */
export interface BookedAccount {
  readonly accountNumber: string
  readonly firmId: string
}

export interface FoundAccount extends BookedAccount {
  /** Null until it is open. */
  readonly openedOn: string | null
}

/**
 * Reserved numbers have no books, and rejected applications only if a line came before the decision: the further lines
 * return what the account received.
 */
const selectBookedAccounts = statement<FoundAccount>(
  'select-booked-accounts',
  `select account_number as "accountNumber", firm_id as "firmId", ${dayOf('opened_at')} as "openedOn"
   from clearing.account where account_number = any ($1) and status <> 'Reserved' and (status <> 'Rejected'
     or (select true from clearing.account_books as books where books.account_number = account.account_number))`,
)

export function findBookedAccounts(tx: Tx, numbers: readonly string[]): Promise<FoundAccount[]> {
  return tx.rows(selectBookedAccounts, [numbers])
}

export interface AccountBooks {
  readonly accountNumber: string
  readonly firmId: string
  readonly lotMethod: LotMethod
  readonly lineCount: bigint
  readonly entryCount: bigint
  readonly hasLinks: boolean
}

const openBooks = statement(
  'open-account-books',
  // Most accounts have their books. Looking for them first costs less than half of handling a conflict. A
  // conflict can still occur between transactions that open the same books at once.
  `insert into clearing.account_books (account_number, firm_id)
   select account_number, firm_id from unnest($1::text[], $2::uuid[]) as given (account_number, firm_id)
   where not exists (select from clearing.account_books as books where books.account_number = given.account_number)
   on conflict do nothing`,
)
const lockBooks = statement<AccountBooks>(
  'lock-account-books',
  `select account_number as "accountNumber", firm_id as "firmId", lot_method as "lotMethod",
     line_count as "lineCount", entry_count as "entryCount", has_links as "hasLinks"
   from clearing.account_books where account_number = any ($1) order by account_number for no key update`,
)

/**
 * Opens the books of accounts that have none and locks all of them in the order of their numbers until the transaction
 * ends.
 */
export function lockAccountBooks(tx: Tx, accounts: readonly BookedAccount[]): Promise<AccountBooks[]> {
  const sorted = accounts.toSorted((a, b) => (a.accountNumber < b.accountNumber ? -1 : 1))
  const numbers = sorted.map(({ accountNumber }) => accountNumber)
  tx.later(openBooks, [numbers, sorted.map(({ firmId }) => firmId)])
  return tx.rows(lockBooks, [numbers])
}

/** Locks the books of an account that has some until the transaction ends. */
export async function lockOpenBooks(tx: Tx, accountNumber: string): Promise<void> {
  await tx.rows(lockBooks, [[accountNumber]])
}

const updateCounts = statement(
  'update-account-books',
  `update clearing.account_books as books
   set line_count = given.line_count, entry_count = given.entry_count, has_links = books.has_links or given.has_links
   from unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[])
     as given (account_number, line_count, entry_count, has_links)
   where books.account_number = given.account_number`,
)

export interface BooksCount {
  readonly accountNumber: string
  readonly lineCount: bigint
  readonly entryCount: bigint
  readonly hasLinks: boolean
}

/** Stores the counts of locked books. */
export function writeCounts(tx: Tx, counts: readonly BooksCount[]): void {
  if (counts.length === 0) return
  tx.later(updateCounts, [
    counts.map(({ accountNumber }) => accountNumber),
    counts.map(({ lineCount }) => lineCount),
    counts.map(({ entryCount }) => entryCount),
    counts.map(({ hasLinks }) => hasLinks),
  ])
}
