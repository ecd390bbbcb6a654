/** Removes expired records: events of the log, and deliveries that have ended. */
import { limits } from '@clearing/protocol'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { removeOldEvents } from '../store/event-log.ts'
import { removeEndedDeliveries } from '../store/webhook-queue.ts'

const atOnce = 2_000

/** Removes in short transactions until no expired record is left. The pool must see every firm. */
export async function forgetOldEvents(operations: Pool): Promise<void> {
  for (let removed = atOnce; removed === atOnce; ) {
    removed = await inTransaction(operations, { firm: null, repeatable: true }, (tx) =>
      removeOldEvents(tx.rows.bind(tx), limits.eventKeptDays, atOnce),
    )
  }
  for (let removed = atOnce; removed === atOnce; ) {
    removed = await inTransaction(operations, { firm: null, repeatable: true }, (tx) =>
      removeEndedDeliveries(tx, limits.webhookDeliveryKeptDays, atOnce),
    )
  }
}
