/** The terms of an account's books: the lot method and the house's maintenance rates. */
import type { LotMethod } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { marketDayOf, openDateOr } from '../business-day.ts'

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

const columns = 'account_number, firm_id, lot_method, house_long_percent, house_short_percent'
const keepFirst = statement(
  'insert-first-account-terms-versions',
  `insert into clearing.account_terms_version (entered_on, ${columns})
   select '-infinity', ${columns} from clearing.account_books as books
   where account_number = any ($1) and not exists (
     select from clearing.account_terms_version as version where version.account_number = books.account_number)`,
)
const keep = statement(
  'upsert-account-terms-versions',
  `insert into clearing.account_terms_version (entered_on, ${columns})
   select ${openDateOr('$2')}, ${columns} from clearing.account_books where account_number = any ($1)
   on conflict (account_number, entered_on) do update set lot_method = excluded.lot_method,
     house_long_percent = excluded.house_long_percent, house_short_percent = excluded.house_short_percent`,
)

/** A null member stays unchanged. */
export interface NewTerms {
  readonly accountNumber: string
  readonly lotMethod: LotMethod | null
  /** Percent of market value. */
  readonly houseLongPercent: string | null
  readonly houseShortPercent: string | null
}

/**
 * Sets the terms of locked books and returns the accounts whose terms changed. Earlier terms stay readable
 * for the days that knew them. The caller holds the lock of the business day.
 */
export async function writeTerms(tx: Tx, terms: readonly NewTerms[], now: Date): Promise<Set<string>> {
  tx.later(keepFirst, [terms.map(({ accountNumber }) => accountNumber)])
  const rows = await tx.rows(updateTerms, [
    terms.map(({ accountNumber }) => accountNumber),
    terms.map(({ lotMethod }) => lotMethod),
    terms.map(({ houseLongPercent }) => houseLongPercent),
    terms.map(({ houseShortPercent }) => houseShortPercent),
  ])
  const changed = rows.map((row) => row.account_number)
  if (changed.length > 0) tx.later(keep, [changed, marketDayOf(now)])
  return new Set(changed)
}

export interface Terms {
  readonly lot_method: LotMethod
  readonly house_long_percent: string | null
  readonly house_short_percent: string | null
}

/**
 * The terms known at the close of a day. There is no row if they have not changed since the service stores
 * versions.
 */
export const selectTermsKnown = statement<Terms>(
  'select-account-terms-version',
  `select lot_method, house_long_percent, house_short_percent from clearing.account_terms_version
   where account_number = $1 and entered_on <= $2 order by entered_on desc limit 1`,
)
