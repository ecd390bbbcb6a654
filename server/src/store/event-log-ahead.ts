/**
 * Events are in the order of the ids of their transactions. `pg_dump` keeps these ids in the rows, but a new cluster
 * begins with small ids: new events would come before old ones, and no reader would find them. Therefore a start on
 * such a cluster uses up ids until its next id follows those of the log (decision 184).
 */
import type { Pool } from '../database/pool.ts'
import { unprepared } from '../database/statement.ts'
import { readInFirm } from '../database/transaction.ts'
import { isInOtherCluster } from './event-lines.ts'

/** The position of a reader may be later than the newest event, by the transactions without events after it. */
const idsAfterNewest = 1_000_000n
/** Takes half a second, well below the time limit of a statement. */
const idsAtOnce = 50_000
/** Below the number of ids after which PostgreSQL refuses transactions until the tables are frozen. */
const idsMax = 1_500_000_000n
const reportEveryMs = 30_000

const selectIds = unprepared<{ newest: string; next: string }>(
  `select pg_snapshot_xmax(pg_current_snapshot())::text as next, coalesce(max(newest), '0')::text as newest from (
     select (select transaction_id from clearing.event_row where firm_id = firm.firm_id
       order by transaction_id desc limit 1)::text::numeric from clearing.firm
     union all select transaction_id::text::numeric from clearing.webhook
     union all select xid::text::numeric from clearing.market_change
   ) as stored (newest)`,
)

export interface AheadReports {
  /** Called at intervals, with the number of ids that are left. */
  readonly onWait: (idsLeft: number) => void
  readonly reportEveryMs?: number
}

/** Returns the number of ids that were used up: 0 on the cluster that wrote the events. */
export async function passIdsOfEvents(operations: Pool, reports: AheadReports): Promise<number> {
  const first = await idsLeft(operations)
  const target = first + idsAfterNewest
  // A start that was killed may have passed the newest event, and not the places of readers after it.
  const isLeft = first > 0n || (target > 0n && (await isInOtherCluster(operations)))
  if (!isLeft) return 0
  if (first > idsMax)
    throw new Error(
      `The log of events is ${first} transactions ahead of the database cluster, as after pg_dump into a new cluster. That is too far: restore a physical backup (pg_basebackup).`,
    )
  reports.onWait(Number(target))
  let reportedMs = performance.now()
  for (let used = 0n; used < target; used += BigInt(idsAtOnce)) {
    // Each id needs its own transaction, so the block commits.
    await operations.pg.query(
      `do $$ begin for id in 1..${idsAtOnce} loop perform pg_catalog.pg_current_xact_id(); commit; end loop; end $$`,
    )
    if (performance.now() - reportedMs < (reports.reportEveryMs ?? reportEveryMs)) continue
    reportedMs = performance.now()
    reports.onWait(Number(target - used))
  }
  return Number(target)
}

async function idsLeft(operations: Pool): Promise<bigint> {
  const [found] = await readInFirm(operations, null, selectIds)
  return found === undefined ? 0n : BigInt(found.newest) - BigInt(found.next) + 1n
}
