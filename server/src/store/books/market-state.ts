/**
 * Whether securities, prices, exchange rates and positions held away are still those of an earlier snapshot of the
 * database.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

export interface MarketSnapshot {
  readonly snapshot: string
  /** The time of the snapshot by the clock of the database. */
  readonly at: string
}

/** The present snapshot. */
export interface MarketState extends MarketSnapshot {
  /** True if no fact of the market has changed since the given snapshot. */
  readonly unchanged: boolean
}

/** Changes are proved since snapshots of this age at most. The marks of changes are kept for longer. */
const provedFor = "interval '30 minutes'"
const keptFor = "interval '1 hour'"

const selectState = statement<MarketState>(
  'select-market-state',
  `select pg_current_snapshot()::text as snapshot, clock_timestamp() as at,
     coalesce($2::timestamptz > clock_timestamp() - ${provedFor}, false)
       and not exists (select from clearing.market_change where xid >= pg_snapshot_xmin($1::pg_snapshot)
         and not pg_visible_in_snapshot(xid, $1::pg_snapshot)) as unchanged`,
)

/** `since` is an earlier snapshot. */
export async function readMarketState(tx: Tx, since: MarketSnapshot | undefined): Promise<MarketState> {
  const state = await tx.row(selectState, [since?.snapshot ?? null, since?.at ?? null])
  if (state === undefined) throw new Error('the state of the market was not read')
  return state
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
