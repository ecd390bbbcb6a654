/**
 * The times at which books and seals were last verified, and the choice of the books and seals to verify
 * next.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** The number of nights in which all unchanged books and seals are verified again. */
const roundNights = 7

// Books that changed since their last verification, and of the others those verified longest ago.
const selectDueAccounts = statement<{ account_number: string }>(
  'select-accounts-to-prove',
  `with books as (
     select account_number, proved_at,
       proof.line_count is distinct from books.line_count or proof.entry_count is distinct from books.entry_count as changed
     from clearing.account_books as books left join clearing.books_proof as proof using (account_number)
   ), rest as (
     select account_number from books where not changed order by proved_at, account_number
     limit (select ceil(count(*) / ${roundNights}::numeric) from books where not changed)
   )
   select account_number from books where changed union all select account_number from rest order by account_number`,
)
const noteAccounts = statement(
  'note-proved-books',
  `insert into clearing.books_proof (account_number, line_count, entry_count, proved_at)
   select *, $4 from unnest($1::text[], $2::bigint[], $3::bigint[])
   on conflict (account_number) do update set line_count = excluded.line_count, entry_count = excluded.entry_count,
     proved_at = excluded.proved_at`,
)
const selectDueSeals = statement<{ close_date: string }>(
  'select-seals-to-prove',
  `with seal as (
     select close_date, proved_at from (
       select close_date from clearing.day_seal union select close_date from clearing.firm_seal
     ) as sealed left join clearing.seal_proof using (close_date)
   )
   select close_date from seal where proved_at is null
   union all (
     select close_date from seal where proved_at is not null order by proved_at, close_date
     limit (select ceil(count(*) / ${roundNights}::numeric) from seal where proved_at is not null)
   )`,
)
const noteSeals = statement(
  'note-proved-seals',
  `insert into clearing.seal_proof (close_date, proved_at) select day, $2 from unnest($1::date[]) as day
   on conflict (close_date) do update set proved_at = excluded.proved_at`,
)

export async function findAccountsToProve(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectDueAccounts)).map(({ account_number }) => account_number)
}

export interface ProvedBooks {
  readonly accountNumber: string
  readonly lineCount: bigint
  readonly entryCount: bigint
}

export function noteProvedBooks(tx: Tx, proved: readonly ProvedBooks[], at: Date): void {
  if (proved.length === 0) return
  tx.later(noteAccounts, [
    proved.map(({ accountNumber }) => accountNumber),
    proved.map(({ lineCount }) => lineCount),
    proved.map(({ entryCount }) => entryCount),
    at,
  ])
}

/** The closed days whose digests must be computed again. */
export async function findSealsToProve(tx: Tx): Promise<Set<string>> {
  return new Set((await tx.rows(selectDueSeals)).map(({ close_date }) => close_date))
}

export function noteProvedSeals(tx: Tx, days: readonly string[], at: Date): void {
  if (days.length > 0) tx.later(noteSeals, [days, at])
}
