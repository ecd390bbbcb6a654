/** Queues work in the caller's own transaction, so that a rollback also removes the work. */
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const queueJob = statement(
  'queue-job',
  'select clearing.queue_job($1, $2::json, $3, clearing.wall_time_of($4::timestamptz), null, $5)',
)

/**
 * The number of attempts of a job, with growing pauses. After the last one, operations see the failed job.
 */
export const usualAttemptsMax = 25

export interface QueuedJob {
  readonly task: string
  readonly payload: unknown
  readonly key: string
  readonly attemptsMax?: number
}

/**
 * `due` is a time of the service's clock; null means at once. A job for a later time shares the lock of the sandbox's
 * clock until the transaction ends. It is queued last, because transactions that overlap, such as those of loads, would
 * keep the clock from moving.
 */
export function queue(tx: Tx, job: QueuedJob & { readonly due: Date | null }): void {
  const { task, payload, key, due, attemptsMax = usualAttemptsMax } = job
  const values = [task, json(payload), key, due, attemptsMax]
  if (due === null) tx.later(queueJob, values)
  else tx.last(queueJob, values)
}

const removeSuperseded = statement<{ removed: bigint }>(
  'remove-superseded-jobs',
  'select clearing.remove_superseded_jobs($1) as removed',
)
/** Removes at most `size` jobs that were queued again while they ran and did not end. Returns how many it removed. */
export async function removeSupersededJobs(tx: Tx, size: number): Promise<number> {
  return Number((await tx.row(removeSuperseded, [size]))?.removed ?? 0)
}
