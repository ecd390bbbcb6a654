/**
 * Frees the jobs of dead workers. Each process renews a lease in the database under the name that locks its
 * jobs. When a lease has expired, its jobs are unlocked, so that kill -9 delays work by seconds only. Jobs
 * that were locked for this process and never reached it are unlocked too. A step number detects work that
 * runs twice.
 */
import type { Worker } from 'graphile-worker'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { endLeases, freeDeadWorkers, freeUnheldJobs, renewLeases } from '../store/worker-leases.ts'

export interface LeaseLimits {
  readonly renewEveryMs: number
  readonly lifetimeMs: number
}

const leaseLimits: LeaseLimits = { renewEveryMs: 1_000, lifetimeMs: 6_000 }

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

  /** Called after the workers have ended; their leases expire. */
  forget(): void {
    this.#workers.clear()
  }

  /** The names by which the library locks jobs: the ids of worker pools, not of workers. */
  get #names(): string[] {
    return [...new Set([...this.#workers].map(({ workerPool }) => workerPool.id))]
  }

  get #heldJobIds(): string[] {
    return [...this.#workers].flatMap((worker) => worker.getActiveJob()?.id ?? [])
  }

  /** `alone`: no other process works on this database, so every existing lock belongs to a dead worker. */
  async start(alone: boolean): Promise<void> {
    if (alone) await inTransaction(this.#owner, { firm: null }, async (tx) => freeDeadWorkers(tx, 0))
    this.#timer = setInterval(() => {
      this.#renewing = this.renew().catch(this.#onFault)
    }, this.#limits.renewEveryMs)
  }

  /** Renews the leases of this process and unlocks the jobs of dead workers. */
  async renew(): Promise<void> {
    await inTransaction(this.#owner, { firm: null, repeatable: true }, async (tx) => {
      const { lifetimeMs } = this.#limits
      renewLeases(tx, this.#names)
      freeDeadWorkers(tx, lifetimeMs)
      freeUnheldJobs(tx, this.#names, this.#heldJobIds, lifetimeMs)
    })
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing
    await inTransaction(this.#owner, { firm: null }, (tx) => endLeases(tx, this.#names))
  }
}
