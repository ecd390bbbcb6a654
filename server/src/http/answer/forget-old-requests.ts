/** Removes calls older than the retention of the request log, in short transactions. */
import { limits } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { removeOldRequests } from '../../store/requests.ts'

const atOnce = 2_000

/** Removes until no expired call is left. The pool must see every firm. */
export async function forgetOldRequests(operations: Pool): Promise<void> {
  for (let removed = atOnce; removed === atOnce; ) {
    removed = await inTransaction(operations, { firm: null, repeatable: true }, (tx) =>
      removeOldRequests(tx, limits.requestKeptDays, atOnce),
    )
  }
}
