/**
 * The connection of a pool that listens to channels of the database. It is opened for the first listener, replaced when
 * it is lost, and closed with the last listener. Attempts follow after increasing pauses. A slow connection is not a
 * lost one: opening it and each answer may take as long as those of callers (decision 264).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { within } from '../within.ts'
import { DatabaseUnavailable, statementFault } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import { checkWritable } from './session.ts'

export interface SessionTimes {
  /** The first pause before another attempt. Each failure doubles it, up to `retryMaxMs`. */
  readonly retryMs: number
  readonly retryMaxMs: number
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
  onFault(fault: DatabaseUnavailable): void
  onBack(): void
}

/** How long the removal of the last reader waits for an attempt to connect. */
const closingMs = 3_000

export class ListeningSession {
  readonly #pool: Pool
  readonly #times: SessionTimes
  readonly #all = new Set<Heard>()
  #client: Client | undefined
  /** True when the server has confirmed that the connection listens. */
  #listens = false
  /** Attempts since the connection last was sound. */
  #attempts = 0
  /** The causes that readers know since then. */
  readonly #reported = new Set<string>()
  #connecting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(pool: Pool, times: SessionTimes) {
    this.#pool = pool
    this.#times = times
  }

  get isOpen(): boolean {
    return this.#client !== undefined && this.#listens
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
    if (this.#connecting) await within(this.#connecting, closingMs)
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
      const fresh = await this.#pool.acquire(null, this.#pool.limits.connectTimeoutMs)
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
      const text = [...channels].map((channel) => `listen ${channel}`).join('; ')
      await this.#answerOf(client.query(text))
      if (this.#client === client) this.#listens = true
      for (const heard of all) if (this.#all.has(heard)) heard.notify()
    } catch (fault) {
      this.#report(fault)
      this.#lose(client)
    }
  }

  async #answerOf(query: Promise<unknown>): Promise<void> {
    const { answerMs } = this.#times
    const answered = await within(
      query.then(() => true),
      answerMs,
    )
    if (!answered) throw new DatabaseUnavailable('silent', `no answer within ${answerMs} ms`)
  }

  #notify(channel: string): void {
    for (const heard of this.#all) if (heard.channel === channel) heard.notify()
  }

  #report(fault: unknown): void {
    const { message, reason, code } = asUnavailable(fault)
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    const { setting } = this.#pool
    const place = setting === undefined || message.startsWith(setting) ? '' : `${setting}: `
    const words = `no notifications of the database arrive. ${place}${message}`
    for (const heard of this.#all) heard.onFault(new DatabaseUnavailable(reason, words, code))
  }

  /** The connection has answered for a while. */
  #recover(): void {
    this.#attempts = 0
    if (this.#reported.size === 0) return
    this.#reported.clear()
    for (const heard of this.#all) heard.onBack()
  }

  #lose(lost: Client): void {
    if (this.#client !== lost) return
    this.#client = undefined
    this.#listens = false
    lost.removeAllListeners('notification')
    lost.release(true)
    // A silent server would not answer a Terminate message either.
    lost.connection.stream.destroy()
    this.#retry()
  }

  #retry(): void {
    if (this.#all.size === 0) return
    const { retryMs, retryMaxMs } = this.#times
    const pauseMs = Math.min(retryMs * 2 ** this.#attempts, retryMaxMs)
    this.#attempts += 1
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#connect()
    }, pauseMs)
    this.#timer.unref()
  }

  /** Checks at intervals that the connection still leads to the primary. */
  async #watch(watched: Client): Promise<void> {
    for (;;) {
      await pause(this.#times.askMs, undefined, { ref: false })
      if (this.#client !== watched) return
      try {
        await this.#answerOf(checkWritable(watched))
        if (this.#client === watched) this.#recover()
      } catch (fault) {
        if (this.#client !== watched) return
        this.#report(fault)
        this.#lose(watched)
      }
    }
  }
}

function asUnavailable(fault: unknown): DatabaseUnavailable {
  if (fault instanceof DatabaseUnavailable) return fault
  const failed = statementFault(fault, 'listen')
  return failed instanceof DatabaseUnavailable ? failed : new DatabaseUnavailable('away', failed.message)
}
