/**
 * Callers that wait for a connection of a pool. A caller waits for a short time. The attempt to connect has a longer
 * limit of its own, and its connection serves the caller that has waited longest. On a busy machine a connection may
 * take longer than its caller waits, and would otherwise be discarded each time.
 *
 * A firm does not keep the connections from others: a free connection goes to the firm that holds the fewest, and one
 * firm holds at most four fifths of five or more. When too many callers wait, the newest caller of the firm with the
 * most is refused.
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
  /** The setting that holds the address. Faults of connecting name it. */
  readonly setting: string | undefined
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

/** The callers of one firm. */
interface Line {
  /** The first has waited longest. */
  readonly waiters: Set<Waiter>
  readonly heldMax: number
  held: number
}

/** Of so many connections, one is left to other firms. Smaller pools leave none. */
const connectionsForOneLeft = 5

export class ConnectionQueue {
  readonly #settings: QueueSettings
  /** By firm; '' is the line of callers without a firm. */
  readonly #lines = new Map<string, Line>()
  #waiting = 0
  #lastNumber = 0
  #attempts = 0

  constructor(settings: QueueSettings) {
    this.#settings = settings
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Resolves to a connection. Throws DatabaseUnavailable or WrongRole. */
  async take(firm: string, waitMs = this.#settings.limits.acquireTimeoutMs): Promise<pg.PoolClient> {
    const { waitersMax } = this.#settings.limits
    if (this.#waiting >= waitersMax && !this.#makeRoom(firm)) throw this.#tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    const timer = setTimeout(() => {
      this.#leave(firm, waiter)
      reject(this.#lateFault(waitMs))
    }, waitMs).unref()
    const waiter: Waiter = { number: ++this.#lastNumber, timer, resolve, reject }
    this.#lineOf(firm).waiters.add(waiter)
    this.#waiting++
    this.#attemptForOthers()
    return promise
  }

  /** The beginning of the messages of faults. */
  get #place(): string {
    const { setting } = this.#settings
    return setting === undefined ? '' : `${setting}: `
  }

  #lineOf(firm: string): Line {
    const known = this.#lines.get(firm)
    if (known !== undefined) return known
    const { connectionsMax } = this.#settings.limits
    const left = firm === '' ? 0 : Math.floor(connectionsMax / connectionsForOneLeft)
    const line: Line = { waiters: new Set(), heldMax: connectionsMax - left, held: 0 }
    this.#lines.set(firm, line)
    return line
  }

  /** Refuses the newest caller of the firm with the most callers. False if the firm itself is this one. */
  #makeRoom(firm: string): boolean {
    const own = this.#lines.get(firm)?.waiters.size ?? 0
    const [most] = [...this.#lines].sort(([, one], [, other]) => other.waiters.size - one.waiters.size)
    if (most === undefined || most[1].waiters.size <= own + 1) return false
    const newest = [...most[1].waiters].at(-1) as Waiter
    this.#leave(most[0], newest)
    newest.reject(this.#tooMany())
    return true
  }

  #tooMany(): DatabaseUnavailable {
    const { waitersMax } = this.#settings.limits
    return new DatabaseUnavailable(
      'busy',
      `${this.#place}${waitersMax} callers wait for a database connection`,
    )
  }

  #lateFault(waitMs: number): DatabaseUnavailable {
    const { isConnecting } = this.#settings
    const connecting = isConnecting()
    const why = connecting ? 'none was made' : 'all are in use'
    return new DatabaseUnavailable(
      connecting ? 'away' : 'busy',
      `${this.#place}no database connection within ${waitMs} ms: ${why}`,
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
      const firm = this.#next()
      if (firm === undefined) client.release()
      else this.#give(client, firm)
    }
    this.#attemptForOthers()
  }

  /** The firm with the fewest connections of those whose callers may have one. */
  #next(): string | undefined {
    let next: [string, Line] | undefined
    for (const entry of this.#lines) {
      const [, { waiters, held, heldMax }] = entry
      if (waiters.size > 0 && held < heldMax && held < (next?.[1].held ?? Number.POSITIVE_INFINITY))
        next = entry
    }
    return next?.[0]
  }

  #give(client: pg.PoolClient, firm: string): void {
    const line = this.#lineOf(firm)
    const [waiter] = line.waiters
    if (waiter === undefined) throw new Error('a connection was given to a firm without a caller')
    line.held++
    this.#leave(firm, waiter)
    // Firms that hold equally many take turns.
    this.#lines.delete(firm)
    this.#lines.set(firm, line)
    const release = client.release.bind(client)
    client.release = (destroy) => {
      client.release = release
      line.held--
      this.#forgetIfEmpty(firm, line)
      release(destroy)
      this.#attemptForOthers()
    }
    waiter.resolve(client)
  }

  /** Fails the caller that has waited longest, unless it came after the attempt had begun. */
  #fail(error: Error, newest: number): void {
    this.#attempts--
    let oldest: [string, Waiter] | undefined
    for (const [firm, { waiters }] of this.#lines) {
      const [first] = waiters
      if (first !== undefined && first.number <= (oldest?.[1].number ?? newest)) oldest = [firm, first]
    }
    if (oldest !== undefined) {
      this.#leave(...oldest)
      const place = this.#place
      const isWrong = error instanceof WrongRole
      oldest[1].reject(isWrong ? new WrongRole(place + error.message) : connectFault(error, place))
    }
    this.#attemptForOthers()
  }

  #attemptForOthers(): void {
    let due = 0
    for (const { waiters, held, heldMax } of this.#lines.values())
      due += Math.min(waiters.size, heldMax - held)
    if (due > this.#attempts) this.#attempt()
  }

  #leave(firm: string, waiter: Waiter): void {
    clearTimeout(waiter.timer)
    const line = this.#lineOf(firm)
    line.waiters.delete(waiter)
    this.#waiting--
    this.#forgetIfEmpty(firm, line)
  }

  #forgetIfEmpty(firm: string, line: Line): void {
    if (line.waiters.size === 0 && line.held === 0) this.#lines.delete(firm)
  }
}
