/** The leases with which job workers prove that they run, and the locks of workers that have ended. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const upsertLeases = statement(
  'renew-worker-leases',
  `insert into clearing.worker_lease (worker_id, seen_at) select unnest($1::text[]), clock_timestamp()
   on conflict (worker_id) do update set seen_at = excluded.seen_at`,
)
const deleteLeases = statement(
  'end-worker-leases',
  'delete from clearing.worker_lease where worker_id = any ($1::text[])',
)
const dropOldLeases = statement(
  'drop-old-worker-leases',
  `delete from clearing.worker_lease where seen_at < clock_timestamp() - $1::int * interval '1 ms'`,
)
/** A lock younger than a lease may belong to a new worker whose lease is not written yet. */
const unlockDead = statement(
  'unlock-dead-workers',
  `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
   from (
     select locked_by, locked_at from graphile_worker._private_jobs where locked_by is not null
     union all select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null
   ) as locks
   where locked_by not in (select worker_id from clearing.worker_lease)
     and locked_at < clock_timestamp() - $1::int * interval '1 ms'
   having count(*) > 0`,
)

/** The response with these jobs was lost with its connection, so no worker has them. */
const unlockUnheld = statement(
  'unlock-unheld-jobs',
  `with freed as (
     update graphile_worker._private_jobs set locked_at = null, locked_by = null
     where locked_by = any ($1::text[]) and id <> all ($2::bigint[])
       and locked_at < clock_timestamp() - $3::int * interval '1 ms'
     returning job_queue_id
   )
   update graphile_worker._private_job_queues as queue set locked_at = null, locked_by = null
   from freed where queue.id = freed.job_queue_id and queue.locked_by = any ($1::text[])`,
)

export function renewLeases(tx: Tx, workerIds: readonly string[]): void {
  tx.later(upsertLeases, [workerIds])
}

export function endLeases(tx: Tx, workerIds: readonly string[]): Promise<number> {
  return tx.run(deleteLeases, [workerIds])
}

/** Unlocks the jobs of workers without a lease younger than `lifetimeMs`. */
export function freeDeadWorkers(tx: Tx, lifetimeMs: number): void {
  tx.later(dropOldLeases, [lifetimeMs])
  tx.later(unlockDead, [lifetimeMs])
}

/** Unlocks jobs that are locked for these workers and that none of them holds. */
export function freeUnheldJobs(
  tx: Tx,
  workerIds: readonly string[],
  heldJobIds: readonly string[],
  lifetimeMs: number,
): void {
  tx.later(unlockUnheld, [workerIds, heldJobIds, lifetimeMs])
}
