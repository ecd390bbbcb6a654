/**
 * Stores the outcomes of delivery attempts. Attempts that end at the same time share one transaction, because each
 * commit costs time.
 */
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type KeptAttempt, writeAttempts } from '../../store/webhook-queue.ts'

const batchMax = 200

interface Waiting {
  readonly kept: KeptAttempt
  readonly done: () => void
  readonly failed: (fault: unknown) => void
}

export class AttemptLog {
  readonly #pool: Pool
  #waiting: Waiting[] = []
  #writing = false

  /** A pool that sees every firm. */
  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Resolves when the outcome is committed. */
  keep(kept: KeptAttempt): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ kept, done, failed })
      if (this.#writing) return
      this.#writing = true
      setImmediate(() => void this.#write())
    })
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax)
      try {
        await inTransaction(this.#pool, { firm: null, repeatable: true }, async (tx) =>
          writeAttempts(
            tx,
            batch.map(({ kept }) => kept),
          ),
        )
        for (const { done } of batch) done()
      } catch (fault) {
        for (const { failed } of batch) failed(fault)
      }
    }
    this.#writing = false
  }
}
