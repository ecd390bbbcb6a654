/**
 * Drains calls before a snapshot is restored. New calls are refused and running calls finish. The restore
 * begins only when no call runs, so that a call never reads data from both before and after the restore.
 */
import { within } from '../within.ts'

export class CallDrain {
  #running = 0
  #refusing = false
  #drained: (() => void) | undefined

  get refusing(): boolean {
    return this.#refusing
  }

  /** Runs a call. Returns undefined while calls are refused. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#refusing) return undefined
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#drained?.()
    }
  }

  /**
   * Refuses new calls, waits until the running calls end, and then does the work. Returns undefined when a call runs
   * longer than `waitMs`, or when calls are refused already.
   */
  async runDrained<T>(waitMs: number, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#refusing) return undefined
    this.#refusing = true
    try {
      if (!(await this.#drain(waitMs))) return undefined
      return await work()
    } finally {
      this.#refusing = false
    }
  }

  /**
   * Refuses new calls until the work is done, and does not wait for running calls. Does nothing when calls are refused
   * already.
   */
  async refuseWhile(work: () => Promise<void>): Promise<void> {
    if (this.#refusing) return
    this.#refusing = true
    try {
      await work()
    } finally {
      this.#refusing = false
    }
  }

  async #drain(waitMs: number): Promise<boolean> {
    if (this.#running === 0) return true
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve
    })
    await within(drained, waitMs)
    this.#drained = undefined
    return this.#running === 0
  }
}
