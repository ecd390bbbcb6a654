/** The state of everything from which the value of an account is computed, read without the facts themselves. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

export interface ValueState {
  /** Identifies the facts of the account itself and the business date. It stays equal until one of them is written. */
  readonly account: string
  /** The snapshot of the database in which the state was read. */
  readonly snapshot: string
  /** True if no security, price, exchange rate or position held away has changed since the given snapshot. */
  readonly market_unchanged: boolean
}

// Every posting writes the row of the books. Every change of the record writes the row of the account. The version and the number
// of entries are needed because a restored server may use transaction numbers again.
const selectState = statement<ValueState>(
  'select-value-state',
  `select row(
       account.xmin, account.version, books.xmin, books.entry_count, (select business_date from clearing.business_day),
       exists (select from clearing.restriction where restriction.account_number = account.account_number
         and ended_at is null and code = 'NinetyDayCash'),
       (select string_agg(open.xmin::text, ',' order by break_id) from clearing.books_break as open
        where open.account_number = account.account_number and resolved_at is null),
       (select row(close_date, ledger.xmin)::text from clearing.margin_ledger as ledger
        where ledger.account_number = account.account_number order by close_date desc limit 1)
     )::text as account,
     pg_current_snapshot()::text as snapshot,
     not exists (select from clearing.market_change where xid >= pg_snapshot_xmin($2::pg_snapshot)
       and not pg_visible_in_snapshot(xid, $2::pg_snapshot)) as market_unchanged
   from clearing.account left join clearing.account_books as books using (account_number)
   where account_number = $1 and account.status <> 'Reserved'`,
)

/** `since` is the snapshot of an earlier state. Undefined when the caller may not see an account with this number. */
export function readValueState(
  tx: Tx,
  accountNumber: string,
  since: string | undefined,
): Promise<ValueState | undefined> {
  return tx.row(selectState, [accountNumber, since ?? null])
}

// The securities of an account are those that it holds or held, those held away, and the underlyings of options among them.
const selectNextPrice = statement<{ priced_at: string | null }>(
  'select-next-price-of-account',
  `with own as materialized (
     select sec_no, underlying from clearing.security where sec_no in (
       select sec_no from clearing.holding where account_number = $1
       union select sec_no from clearing.held_away where account_number = $1)
   )
   select min(next.priced_at) as priced_at from (
     select sec_no from own
     union
     select sec_no from clearing.security where symbol = any (array(select underlying from own where underlying is not null))
   ) as named cross join lateral (
     select priced_at from clearing.price where price.sec_no = named.sec_no and priced_at > $2 order by priced_at limit 1
   ) as next`,
)

/** The time at which the next known price of the account's securities begins to count. Undefined if none is in the future. */
export async function readNextPriceTime(
  tx: Tx,
  accountNumber: string,
  now: Date,
): Promise<string | undefined> {
  return (await tx.row(selectNextPrice, [accountNumber, now]))?.priced_at ?? undefined
}

const removeOldest = statement(
  'remove-old-market-changes',
  `delete from clearing.market_change where xid in (
     select xid from clearing.market_change where at < clock_timestamp() - interval '1 hour' order by xid limit $1)`,
)

/** Removes at most `size` changes that are older than any rendered summary, and returns how many it removed. */
export function removeOldMarketChanges(tx: Tx, size: number): Promise<number> {
  return tx.run(removeOldest, [size])
}
