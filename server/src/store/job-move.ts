/** Moves the queued jobs of a firm from the queue of one cell to that of another. For owners' pools. */
import { unprepared } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Copying } from './firm-copy.ts'

interface WaitingJob {
  readonly id: string
  readonly task: string
  readonly payload: string
  readonly key: string | null
  readonly run_at: string
  readonly max_attempts: number
}

const selectJobs = unprepared<WaitingJob>(
  `select job.id::text, task.identifier as task, job.payload::text, job.key, job.run_at, job.max_attempts
   from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
   where job.payload ->> 'firmId' = $1::text`,
)
const selectWaiting = unprepared<{ waits: boolean }>(
  `select exists (
     select from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
     where job.payload ->> 'firmId' = $1::text and task.identifier = $2) as waits`,
)
const addJob = unprepared('select clearing.queue_job($1, $2::json, $3, $4::timestamptz, null, $5)')
/**
 * The queue's own function leaves out jobs that are locked. The work of a locked job fails, because the firm's rows are
 * frozen.
 */
const removeJobs = unprepared('delete from graphile_worker._private_jobs where id = any ($1::bigint[])')

/** Whether a job of the task waits or failed for a firm. For an owner's pool. */
export async function isAnyJobOf(tx: Tx, firmId: string, task: string): Promise<boolean> {
  return (await tx.row(selectWaiting, [firmId, task]))?.waits === true
}

/** Can be repeated: a job replaces an earlier one with the same key. `from` and `to` are owners' pools. */
export async function moveJobs({ from, to, firmId }: Copying): Promise<number> {
  const jobs = await inTransaction(from, { firm: null, readOnly: true }, (tx) =>
    tx.rows(selectJobs, [firmId]),
  )
  await inTransaction(to, { firm: null }, async (tx) => {
    for (const { task, payload, key, run_at, max_attempts } of jobs)
      await tx.run(addJob, [task, payload, key, run_at, max_attempts])
  })
  await inTransaction(from, { firm: null }, (tx) => tx.run(removeJobs, [jobs.map(({ id }) => id)]))
  return jobs.length
}
