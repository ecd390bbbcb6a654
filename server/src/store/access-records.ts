/**
 * Records each person or program that reads personal numbers in full, and the account. A record is committed
 * before the reader gets the response. Records that arrive at the same time share one transaction, so many
 * readers cost one commit. A write records its reading in its own transaction.
 */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { type RowState, selectRowStates } from './accounts.ts'

export interface AccessRecord {
  readonly firmId: string
  readonly accountNumber: string
  readonly at: Date
  readonly clientId: string
  readonly operation: string
  readonly traceId: string
  /** The reason that a person of the staff gave; empty for a program. */
  readonly reason: string
}

const insertRecords = statement(
  'insert-access-records',
  `insert into clearing.access_record (firm_id, account_number, at, client_id, operation, trace_id, reason)
   select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])`,
)

/** Writes the record in the transaction of a caller that commits before it responds. */
export function writeAccessRecord(tx: Tx, record: AccessRecord): void {
  tx.later(insertRecords, columnsOf([record]))
}

const removeOldest = statement<{ removed: bigint }>(
  'remove-oldest-access-records',
  `select clearing.remove_access_records(clock_timestamp() - $1::int * interval '1 day', $2) as removed`,
)
/**
 * Removes at most `size` older records and returns how many it removed. The database refuses to remove records of the
 * last three years.
 */
export async function removeOldAccessRecords(tx: Tx, keptDays: number, size: number): Promise<number> {
  return Number((await tx.row(removeOldest, [keptDays, size]))?.removed ?? 0)
}

const batchRowsMax = 500

interface Waiting {
  readonly record: AccessRecord
  /**
   * True when the reader already has a rendered response, which is current if the row of the account is
   * unchanged.
   */
  readonly asksState: boolean
  readonly kept: (state: RowState | null) => void
  readonly failed: (fault: unknown) => void
}

export class AccessRecords {
  readonly #pool: Pool
  #waiting: Waiting[] = []
  #writing = false

  /** `pool` has the role for operations: a batch holds records of several firms. */
  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Resolves when the record is committed. */
  async add(record: AccessRecord): Promise<void> {
    await this.#add(record, false)
  }

  /**
   * Resolves when the record is committed, to the state of the account's row in the same transaction, or to null when
   * the firm has no such account.
   */
  addAndAskState(record: AccessRecord): Promise<RowState | null> {
    return this.#add(record, true)
  }

  #add(record: AccessRecord, asksState: boolean): Promise<RowState | null> {
    return new Promise((kept, failed) => {
      this.#waiting.push({ record, asksState, kept, failed })
      // The batch begins in the next turn of the event loop, so that all records of this turn share the commit.
      if (!this.#writing) {
        this.#writing = true
        setImmediate(() => void this.#write())
      }
    })
  }

  /**
   * Batches run one after another. Several at once would spare a reader the wait for the previous batch, but
   * with 32 readers they cost a fifth more processor time of service and database. The batches are then
   * smaller, and each has its own commit.
   */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchRowsMax)
      try {
        const states = await writeBatch(this.#pool, batch)
        for (const { asksState, kept } of batch) kept(asksState ? (states.shift()?.state ?? null) : null)
      } catch (fault) {
        for (const { failed } of batch) failed(fault)
      }
    }
    this.#writing = false
  }
}

/**
 * Returns the requested row states in the order of the batch. All statements travel with COMMIT: one round
 * trip per batch.
 */
async function writeBatch(pool: Pool, batch: readonly Waiting[]): Promise<{ state: RowState | null }[]> {
  let states: { state: RowState | null }[] = []
  await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    tx.later(insertRecords, columnsOf(batch.map(({ record }) => record)))
    const asking = batch.filter(({ asksState }) => asksState)
    if (asking.length === 0) return
    const asked = [
      asking.map(({ record }) => record.firmId),
      asking.map(({ record }) => record.accountNumber),
    ]
    tx.later(selectRowStates, asked, (rows) => {
      states = rows
    })
  })
  return states
}

function columnsOf(records: readonly AccessRecord[]): string[][] {
  return [
    records.map(({ firmId }) => firmId),
    records.map(({ accountNumber }) => accountNumber),
    records.map(({ at }) => at.toISOString()),
    records.map(({ clientId }) => clientId),
    records.map(({ operation }) => operation),
    records.map(({ traceId }) => traceId),
    records.map(({ reason }) => reason),
  ]
}
