/** The terms on which the books of accounts are kept: their lot method and the house's maintenance rates. */
import type { LotMethod } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

const updateTerms = statement<{ account_number: string }>(
  'update-account-terms',
  `update clearing.account_books as books
   set lot_method = coalesce(given.lot_method, books.lot_method),
     house_long_percent = coalesce(given.house_long_percent, books.house_long_percent),
     house_short_percent = coalesce(given.house_short_percent, books.house_short_percent)
   from unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[])
     as given (account_number, lot_method, house_long_percent, house_short_percent)
   where books.account_number = given.account_number
     and (coalesce(given.lot_method, books.lot_method) <> books.lot_method
       or coalesce(given.house_long_percent, books.house_long_percent) is distinct from books.house_long_percent
       or coalesce(given.house_short_percent, books.house_short_percent) is distinct from books.house_short_percent)
   returning books.account_number`,
)

/** What is null stays as it is. */
export interface NewTerms {
  readonly accountNumber: string
  readonly lotMethod: LotMethod | null
  /** Percent of market value. */
  readonly houseLongPercent: string | null
  readonly houseShortPercent: string | null
}

/** Sets the terms of locked books; answers the accounts whose terms were others before. */
export const writeTerms = async (tx: Tx, terms: readonly NewTerms[]): Promise<Set<string>> => {
  const rows = await tx.rows(updateTerms, [
    terms.map(({ accountNumber }) => accountNumber),
    terms.map(({ lotMethod }) => lotMethod),
    terms.map(({ houseLongPercent }) => houseLongPercent),
    terms.map(({ houseShortPercent }) => houseShortPercent),
  ])
  return new Set(rows.map((row) => row.account_number))
}
