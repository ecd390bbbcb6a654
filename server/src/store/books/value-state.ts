/** The state of everything from which the value of an account is computed, read without the facts themselves. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

export interface ValueState {
  /** Identifies the facts of the account itself and the business date. It stays equal until one of them is written. */
  readonly account: string
  /** The snapshot of the database in which the state was read, and its time by the clock of the database. */
  readonly snapshot: string
  readonly at: string
  /** True if no security, price, exchange rate or position held away has changed since the given snapshot. */
  readonly market_unchanged: boolean
}

/** The snapshot of an earlier state. */
export type MarketSnapshot = Pick<ValueState, 'snapshot' | 'at'>

/** Changes are proved since snapshots of this age at most. The marks of changes are kept for longer. */
const provedFor = "interval '30 minutes'"
const keptFor = "interval '1 hour'"

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
     pg_current_snapshot()::text as snapshot, clock_timestamp() as at,
     coalesce($3::timestamptz > clock_timestamp() - ${provedFor}, false)
       and not exists (select from clearing.market_change where xid >= pg_snapshot_xmin($2::pg_snapshot)
         and not pg_visible_in_snapshot(xid, $2::pg_snapshot)) as market_unchanged
   from clearing.account left join clearing.account_books as books using (account_number)
   where account_number = $1 and account.status <> 'Reserved'`,
)

/** Undefined when the caller may not see an account with this number. */
export function readValueState(
  tx: Tx,
  accountNumber: string,
  since: MarketSnapshot | undefined,
): Promise<ValueState | undefined> {
  return tx.row(selectState, [accountNumber, since?.snapshot ?? null, since?.at ?? null])
}

const removeOldest = statement(
  'remove-old-market-changes',
  `delete from clearing.market_change where xid in (
     select xid from clearing.market_change where at < clock_timestamp() - ${keptFor} order by xid limit $1)`,
)

/** Removes at most `size` marks that no proof needs, and returns how many it removed. */
export function removeOldMarketChanges(tx: Tx, size: number): Promise<number> {
  return tx.run(removeOldest, [size])
}
