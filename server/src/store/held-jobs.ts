/**
 * Jobs that the process that queues them also runs, so that no worker has to search the queue for them. Such a job is
 * in the queue, locked for its process, from the commit that queues it until the commit that does its work. When the
 * process dies or the work fails, the job is unlocked like that of a dead worker, and any process takes it.
 */
import { randomUUID } from 'node:crypto'
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type QueuedJob, queue, usualAttemptsMax } from './jobs.ts'

const queueHeldJob = statement<{ id: bigint }>(
  'queue-held-job',
  'select clearing.queue_held_job($1, $2::json, $3, $4, $5) as id',
)
const endHeldJob = statement('end-held-job', 'select clearing.end_held_job($1, $2)')

/** Does the work of a job. `end` removes the job in the transaction that does the work. */
export type WorkHeld = (payload: unknown, end: (tx: Tx) => void) => Promise<void>

interface HeldJob {
  readonly id: bigint
  readonly payload: unknown
}

/** A thousand onboardings take some seconds. */
const usualWaitingMax = 1_000

/** The beginning of the name for which a process locks the jobs that it holds. */
export const holderPrefix = 'held-'

export class HeldJobs {
  /** The name for which the jobs of this process are locked. */
  readonly holder = `${holderPrefix}${randomUUID()}`
  readonly #ids = new Set<bigint>()
  readonly #running = new Set<Promise<void>>()
  #waiting: HeldJob[] = []
  readonly #waitingMax: number
  #work: WorkHeld | undefined
  #atOnce = 0

  /** With more waiting jobs, the next ones are left to the workers of all processes. */
  constructor(waitingMax = usualWaitingMax) {
    this.#waitingMax = waitingMax
  }

  /** The jobs that this process has. */
  get ids(): readonly bigint[] {
    return [...this.#ids]
  }

  /** Before the start and after the stop, jobs are queued for workers. */
  start(work: WorkHeld, atOnce: number): void {
    this.#work = work
    this.#atOnce = atOnce
  }

  /** Lets running jobs finish. Waiting jobs stay in the queue. */
  async stop(): Promise<void> {
    this.#work = undefined
    for (const { id } of this.#waiting) this.#ids.delete(id)
    this.#waiting = []
    await Promise.all(this.#running)
  }

  /** Queues a job that begins after the commit. */
  queue(tx: Tx, job: QueuedJob): void {
    if (this.#work === undefined || this.#waiting.length >= this.#waitingMax) {
      queue(tx, { ...job, due: null })
      return
    }
    const { task, payload, key, attemptsMax = usualAttemptsMax } = job
    let id: bigint | undefined
    tx.later(queueHeldJob, [task, json(payload), key, attemptsMax, this.holder], ([row]) => {
      id = row?.id
    })
    tx.onCommit(() => {
      if (id !== undefined) this.#take({ id, payload })
    })
  }

  #take(job: HeldJob): void {
    if (this.#work === undefined) return
    this.#ids.add(job.id)
    this.#waiting.push(job)
    this.#runWaiting()
  }

  #runWaiting(): void {
    while (this.#work !== undefined && this.#running.size < this.#atOnce) {
      const job = this.#waiting.shift()
      if (job === undefined) return
      const running = this.#run(job, this.#work).finally(() => {
        this.#running.delete(running)
        this.#runWaiting()
      })
      this.#running.add(running)
    }
  }

  async #run({ id, payload }: HeldJob, work: WorkHeld): Promise<void> {
    try {
      await work(payload, (tx) => tx.later(endHeldJob, [id, this.holder]))
    } catch {
      // The work has reported its failure. A worker tries it again.
    } finally {
      this.#ids.delete(id)
    }
  }
}
