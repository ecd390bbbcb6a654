/**
 * Records who read personal numbers in full, and whose. A record is committed before the reader is answered. Records that
 * arrive at the same time share one transaction, so that many readers cost one commit.
 */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'

export interface AccessRecord {
  readonly firmId: string
  readonly accountNumber: string
  readonly at: Date
  readonly clientId: string
  readonly operation: string
  readonly traceId: string
  /** Why a person of the staff asked for them; empty for a program. */
  readonly reason: string
}

const insertRecords = statement(
  'insert-access-records',
  `insert into clearing.access_record (firm_id, account_number, at, client_id, operation, trace_id, reason)
   select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])`,
)

const removeOldest = statement<{ removed: bigint }>(
  'remove-oldest-access-records',
  `select clearing.remove_access_records(clock_timestamp() - $1::int * interval '1 day', $2) as removed`,
)
/**
 * Removes at most `size` older records and returns how many it removed. The database refuses to remove records of the last
 * three years.
 */
export async function removeOldAccessRecords(tx: Tx, keptDays: number, size: number): Promise<number> {
  return Number((await tx.row(removeOldest, [keptDays, size]))?.removed ?? 0)
}

const batchRowsMax = 500

interface Waiting {
  readonly record: AccessRecord
  readonly kept: () => void
  readonly failed: (fault: unknown) => void
}

export class AccessRecords {
  readonly #pool: Pool
  #waiting: Waiting[] = []
  #writing = false

  /** `pool` is the operations pool: a batch holds records of several firms. */
  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Resolves when the record is committed. */
  add(record: AccessRecord): Promise<void> {
    return new Promise((kept, failed) => {
      this.#waiting.push({ record, kept, failed })
      // The batch begins in the next turn of the event loop, so that all records of this turn share the commit.
      if (!this.#writing) {
        this.#writing = true
        setImmediate(() => void this.#write())
      }
    })
  }

  /**
   * Batches follow one another. Several at once would spare a reader the wait for the previous batch. With 32 readers they cost
   * a fifth more processor time of service and database, because the batches are smaller and each has its own commit.
   */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchRowsMax)
      try {
        await inTransaction(this.#pool, { firm: null, repeatable: true }, async (tx) =>
          // The rows travel with COMMIT: one round trip per batch.
          tx.later(insertRecords, [
            batch.map(({ record }) => record.firmId),
            batch.map(({ record }) => record.accountNumber),
            batch.map(({ record }) => record.at.toISOString()),
            batch.map(({ record }) => record.clientId),
            batch.map(({ record }) => record.operation),
            batch.map(({ record }) => record.traceId),
            batch.map(({ record }) => record.reason),
          ]),
        )
        for (const { kept } of batch) kept()
      } catch (fault) {
        for (const { failed } of batch) failed(fault)
      }
    }
    this.#writing = false
  }
}
