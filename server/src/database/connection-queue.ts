/**
 * Callers that wait for a connection of a pool. A caller waits for a short time. The attempt to connect has a
 * longer limit of its own, and its connection serves the caller that has waited longest. On a busy machine a
 * connection may take longer than its caller waits, and would otherwise be discarded each time.
 */
import type pg from 'pg'
import { connectFault, DatabaseUnavailable } from './faults.ts'
import { WrongRole } from './session.ts'

export interface QueueLimits {
  /** The number of attempts at a time. */
  readonly connectionsMax: number
  readonly waitersMax: number
  readonly acquireTimeoutMs: number
}

export interface QueueSettings {
  readonly connections: pg.Pool
  readonly limits: QueueLimits
  /** False for a connection that must be closed instead of given to a caller. */
  readonly mayServe: (client: pg.PoolClient) => boolean
  /** True while a new connection is being made; false while callers only wait for a holder to return one. */
  readonly isConnecting: () => boolean
}

interface Waiter {
  readonly number: number
  readonly timer: NodeJS.Timeout
  resolve(client: pg.PoolClient): void
  reject(fault: Error): void
}

export class ConnectionQueue {
  readonly #settings: QueueSettings
  /** The waiting callers; the first has waited longest. */
  readonly #waiters = new Set<Waiter>()
  #lastNumber = 0
  #attempts = 0

  constructor(settings: QueueSettings) {
    this.#settings = settings
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Resolves to a connection. Throws DatabaseUnavailable or WrongRole. */
  async take(): Promise<pg.PoolClient> {
    const { waitersMax, acquireTimeoutMs } = this.#settings.limits
    if (this.#waiters.size >= waitersMax)
      throw new DatabaseUnavailable('busy', `${waitersMax} callers wait for a database connection`)
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    const timer = setTimeout(() => {
      this.#waiters.delete(waiter)
      reject(this.#lateFault())
    }, acquireTimeoutMs).unref()
    const waiter: Waiter = { number: ++this.#lastNumber, timer, resolve, reject }
    this.#waiters.add(waiter)
    this.#attempt()
    return promise
  }

  #lateFault(): DatabaseUnavailable {
    const { limits, isConnecting } = this.#settings
    const connecting = isConnecting()
    const why = connecting ? 'none was made' : 'all are in use'
    return new DatabaseUnavailable(
      connecting ? 'away' : 'busy',
      `no database connection within ${limits.acquireTimeoutMs} ms: ${why}`,
    )
  }

  #attempt(): void {
    const { connections, limits } = this.#settings
    if (this.#attempts >= limits.connectionsMax) return
    this.#attempts++
    const newest = this.#lastNumber
    connections.connect().then(
      (client) => this.#serve(client),
      (error: Error) => this.#fail(error, newest),
    )
  }

  #serve(client: pg.PoolClient): void {
    this.#attempts--
    if (!this.#settings.mayServe(client)) client.release(true)
    else {
      const waiter = this.#leave()
      if (waiter === undefined) client.release()
      else waiter.resolve(client)
    }
    this.#attemptForOthers()
  }

  /** Fails the first waiter, unless it came after the attempt had begun. */
  #fail(error: Error, newest: number): void {
    this.#attempts--
    const waiter = this.#leave(newest)
    waiter?.reject(error instanceof WrongRole ? error : connectFault(error))
    this.#attemptForOthers()
  }

  #attemptForOthers(): void {
    if (this.#waiters.size > this.#attempts) this.#attempt()
  }

  /** Takes the first waiter out of the queue, if its number is not above `newest`. */
  #leave(newest = this.#lastNumber): Waiter | undefined {
    const [waiter] = this.#waiters
    if (waiter === undefined || waiter.number > newest) return undefined
    clearTimeout(waiter.timer)
    this.#waiters.delete(waiter)
    return waiter
  }
}
