/**
 * Frees the jobs of dead workers. Each process renews a lease in the database under the name that locks its
 * jobs. When a lease has expired, its jobs are unlocked, so that kill -9 delays work by seconds only. Jobs
 * that were locked for this process and never reached it are unlocked too. A step number detects work that
 * runs twice.
 */
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'graphile-worker'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { HeldJobs } from '../store/held-jobs.ts'
import { endLeases, freeDeadWorkers, freeUnheldJobs, renewLeases } from '../store/worker-leases.ts'

export interface LeaseLimits {
  readonly renewEveryMs: number
  readonly lifetimeMs: number
}

export interface LeaseSettings {
  readonly owner: Pool
  readonly onFault: (fault: unknown) => void
  /** Jobs that this process runs without a worker. */
  readonly heldJobs?: HeldJobs | undefined
  readonly limits?: LeaseLimits | undefined
}

const leaseLimits: LeaseLimits = { renewEveryMs: 1_000, lifetimeMs: 6_000 }

export class WorkerLeases {
  readonly #owner: Pool
  readonly #onFault: (fault: unknown) => void
  readonly #heldJobs: HeldJobs | undefined
  readonly #workers = new Set<Worker>()
  readonly #limits: LeaseLimits
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> = Promise.resolve()

  constructor({ owner, onFault, heldJobs, limits = leaseLimits }: LeaseSettings) {
    this.#owner = owner
    this.#onFault = onFault
    this.#heldJobs = heldJobs
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
    const holder = this.#heldJobs?.holder ?? []
    return [...new Set([...this.#workers].map(({ workerPool }) => workerPool.id))].concat(holder)
  }

  get #heldJobIds(): string[] {
    const held = this.#heldJobs?.ids.map(String) ?? []
    return [...this.#workers].flatMap((worker) => worker.getActiveJob()?.id ?? []).concat(held)
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
    // After a pause of the process, responses that wait are read first: a worker may just have been given a job.
    await setImmediate()
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
    await inTransaction(this.#owner, { firm: null }, async (tx) => {
      // Held jobs that have not begun; workers have released theirs.
      freeUnheldJobs(tx, this.#names, [], 0)
      await endLeases(tx, this.#names)
    })
  }
}
