/**
 * Frees the jobs of workers that died: each process renews a lease in the database under the name that its jobs are locked
 * by; jobs locked by one whose lease has run out are unlocked, so that kill -9 delays work by seconds. So are those that
 * were locked for this process and never reached it. Work done twice is caught by its own step number.
 */
import type { Worker } from 'graphile-worker'
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'

export interface LeaseLimits {
  readonly renewEveryMs: number
  readonly lifetimeMs: number
}

export const leaseLimits: LeaseLimits = { renewEveryMs: 1_000, lifetimeMs: 6_000 }

const renewLeases = statement(
  'renew-worker-leases',
  `insert into clearing.worker_lease (worker_id, seen_at) select unnest($1::text[]), clock_timestamp()
   on conflict (worker_id) do update set seen_at = excluded.seen_at`,
)
const endLeases = statement(
  'end-worker-leases',
  'delete from clearing.worker_lease where worker_id = any ($1::text[])',
)
const dropOldLeases = statement(
  'drop-old-worker-leases',
  `delete from clearing.worker_lease where seen_at < clock_timestamp() - $1::int * interval '1 ms'`,
)
/** A lock younger than a lease may be a new worker's whose lease is on its way. */
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

/** The answer that brought them was lost with its connection; nobody works on them. */
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

export class WorkerLeases {
  readonly #owner: Pool
  readonly #onFault: (fault: unknown) => void
  readonly #workers = new Set<Worker>()
  readonly #limits: LeaseLimits
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> = Promise.resolve()

  constructor(owner: Pool, onFault: (fault: unknown) => void, limits: LeaseLimits = leaseLimits) {
    this.#owner = owner
    this.#onFault = onFault
    this.#limits = limits
  }

  add(worker: Worker): void {
    this.#workers.add(worker)
  }

  /** What the library locks jobs by: not a worker's own id, but that of the pool it belongs to. */
  get #names(): string[] {
    return [...new Set([...this.#workers].map(({ workerPool }) => workerPool.id))]
  }

  get #heldJobIds(): string[] {
    return [...this.#workers].flatMap((worker) => worker.getActiveJob()?.id ?? [])
  }

  /** `alone`: no other process can be working on this database, so every lock that stands is a dead worker's. */
  async start(alone: boolean): Promise<void> {
    if (alone) await inTransaction(this.#owner, { firm: null }, (tx) => this.#freeAll(tx))
    this.#timer = setInterval(() => {
      this.#renewing = this.renew().catch(this.#onFault)
    }, this.#limits.renewEveryMs)
  }

  async #freeAll(tx: Tx): Promise<void> {
    tx.later(dropOldLeases, [0])
    tx.later(unlockDead, [0])
  }

  /** Renews the leases of this process and frees what the dead have locked. */
  async renew(): Promise<void> {
    await inTransaction(this.#owner, { firm: null, repeatable: true }, async (tx) => {
      tx.later(renewLeases, [this.#names])
      tx.later(dropOldLeases, [this.#limits.lifetimeMs])
      tx.later(unlockDead, [this.#limits.lifetimeMs])
      tx.later(unlockUnheld, [this.#names, this.#heldJobIds, this.#limits.lifetimeMs])
    })
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing
    await inTransaction(this.#owner, { firm: null }, (tx) => tx.run(endLeases, [this.#names]))
  }
}
