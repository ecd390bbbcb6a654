/**
 * The connection of a pool that listens to channels of the database. It is opened for the first listener, replaced when
 * it is lost, and closed with the last listener.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, statementFault } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import { checkWritable } from './session.ts'

export interface SessionTimes {
  readonly retryMs: number
  /**
   * Interval of checks that the connection still leads to the primary. A connection that died silently
   * receives nothing.
   */
  readonly askMs: number
  readonly answerMs: number
}

/** One reader of a channel. */
export interface Heard {
  readonly channel: string
  notify(): void
  onFault(fault: unknown): void
}

export class ListeningSession {
  readonly #pool: Pool
  readonly #times: SessionTimes
  readonly #all = new Set<Heard>()
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(pool: Pool, times: SessionTimes) {
    this.#pool = pool
    this.#times = times
  }

  get isOpen(): boolean {
    return this.#client !== undefined
  }

  add(heard: Heard): void {
    this.#all.add(heard)
    if (this.#client !== undefined) void this.#listen(this.#client, [heard])
    else this.#connect()
  }

  /** Resolves to true when no reader is left, and the connection is closed. */
  async remove(heard: Heard): Promise<boolean> {
    this.#all.delete(heard)
    if (this.#all.size > 0) return false
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#connecting
    if (this.#all.size > 0) return false
    // Not returned to the pool, where it would continue to listen.
    this.#client?.release(true)
    this.#client = undefined
    return true
  }

  #connect(): void {
    if (this.#timer !== undefined) return
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined
    })
  }

  async #open(): Promise<void> {
    try {
      const fresh = await this.#pool.acquire()
      if (this.#all.size === 0) return fresh.release(true)
      this.#client = fresh
      fresh.on('notification', ({ channel }) => this.#notify(channel))
      fresh.once('end', () => this.#lose(fresh))
      await this.#listen(fresh, [...this.#all])
      void this.#watch(fresh)
    } catch (fault) {
      this.#report(fault)
      this.#retry()
    }
  }

  /** A change may have been missed before, so each reader is notified. */
  async #listen(client: Client, all: readonly Heard[]): Promise<void> {
    const channels = new Set(all.map(({ channel }) => channel))
    try {
      await client.query([...channels].map((channel) => `listen ${channel}`).join('; '))
      for (const heard of all) if (this.#all.has(heard)) heard.notify()
    } catch (fault) {
      this.#report(fault)
      this.#lose(client)
    }
  }

  #notify(channel: string): void {
    for (const heard of this.#all) if (heard.channel === channel) heard.notify()
  }

  #report(fault: unknown): void {
    const reported = fault instanceof DatabaseUnavailable ? fault : statementFault(fault, 'listen')
    for (const heard of this.#all) heard.onFault(reported)
  }

  #lose(lost: Client): void {
    if (this.#client !== lost) return
    this.#client = undefined
    lost.removeAllListeners('notification')
    lost.release(true)
    this.#retry()
  }

  #retry(): void {
    if (this.#all.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#connect()
    }, this.#times.retryMs)
    this.#timer.unref()
  }

  /** Checks at intervals that the connection still leads to the primary. */
  async #watch(watched: Client): Promise<void> {
    const { askMs, answerMs } = this.#times
    for (;;) {
      await pause(askMs, undefined, { ref: false })
      if (this.#client !== watched) return
      const silence = pause(answerMs, undefined, { ref: false }).then(() => {
        throw new DatabaseUnavailable('silent', `no answer within ${answerMs} ms`)
      })
      try {
        await Promise.race([checkWritable(watched), silence])
      } catch (fault) {
        if (this.#client !== watched) return
        this.#report(fault)
        this.#lose(watched)
        // A silent server would not answer a Terminate message either.
        watched.connection.stream.destroy()
      }
    }
  }
}
