/** Queues work in the caller's own transaction: a rollback takes it back. */
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const queueJob = statement(
  'queue-job',
  'select clearing.queue_job($1, $2::json, $3, clearing.wall_time_of($4::timestamptz), null, $5)',
)

/** A job that fails is tried again with growing pauses; after this many it is left for operations to see. */
const usualAttemptsMax = 25

/** `due` is a moment of the service's time; null: at once. */
export function queue(
  tx: Tx,
  job: { task: string; payload: unknown; key: string; due: Date | null; attemptsMax?: number },
): void {
  tx.later(queueJob, [job.task, json(job.payload), job.key, job.due, job.attemptsMax ?? usualAttemptsMax])
}
