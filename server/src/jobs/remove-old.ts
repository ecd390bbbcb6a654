/**
 * Removes records that are older than their retention, in short transactions: expired stored responses, calls of the
 * request log, events, ended deliveries, access records, the marks of market changes, and jobs that a later one
 * replaced. It does not remove records that law requires (see config/retention.ts).
 */
import type { Retention } from '../config/retention.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { removeOldAccessRecords } from '../store/access-records.ts'
import { removeOldMarketChanges } from '../store/books/market-state.ts'
import { removeOldEvents } from '../store/event-log.ts'
import { sweepStoredResponses } from '../store/idempotency.ts'
import { removeSupersededJobs } from '../store/jobs.ts'
import { removeOldRequests } from '../store/requests.ts'
import { removeEndedDeliveries } from '../store/webhook-queue.ts'
import { runEach } from './run-each.ts'

/**
 * The number of rows of a transaction. It is small, so that a transaction is short and a standby keeps up.
 */
const atOnce = 2_000

export interface Removal {
  /** A pool that sees every firm. */
  readonly operations: Pool
  readonly retention: Retention
  /** The service's clock, by which stored responses expire. */
  readonly now: Date
}

/**
 * Removes until no expired record is left. A kind that cannot be removed does not keep the others. Processes that run
 * at the same time share the work.
 */
export async function removeOld({ operations, retention, now }: Removal): Promise<void> {
  const { requestDays, eventDays, deliveryDays, accessRecordDays } = retention
  const removals: ((tx: Tx) => Promise<number>)[] = [
    (tx) => sweepStoredResponses(tx, now, atOnce),
    (tx) => removeOldRequests(tx, requestDays, atOnce),
    (tx) => removeOldEvents(tx.rows.bind(tx), eventDays, atOnce),
    (tx) => removeEndedDeliveries(tx, deliveryDays, atOnce),
    (tx) => removeOldAccessRecords(tx, accessRecordDays, atOnce),
    (tx) => removeOldMarketChanges(tx, atOnce),
    (tx) => removeSupersededJobs(tx, atOnce),
  ]
  await runEach(
    removals.map((remove) => async () => {
      let removed = atOnce
      while (removed === atOnce)
        removed = await inTransaction(operations, { firm: null, repeatable: true }, remove)
    }),
  )
}
