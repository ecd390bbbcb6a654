/**
 * The link of a process to its parent. The parent assigns the port and the database, and passes signals on.
 * It reports the requests of clients at the other processes, adds up the metrics of all, and makes the others
 * read a clock that was moved.
 */
import type { RateLimiter } from '../http/admission/rate-limit.ts'
import type { RenderedMetrics } from '../observe/metrics.ts'
import type { ClockPeers } from '../sandbox/sandbox-clock.ts'
import {
  type Assignment,
  endingSignals,
  type MetricsJson,
  type Taken,
  type ToParent,
  type ToProcess,
} from './messages.ts'

/** The interval at which a process reports the requests of its clients to the others. */
const shareEveryMs = 50

export class ParentLink {
  readonly assignment: Assignment
  readonly #limiters = new Map<string, RateLimiter>()
  #taken = new Map<string, Taken>()
  #sharing: NodeJS.Timeout | undefined
  #onPortFree: () => void = () => {}
  #onSignal: ((signal: NodeJS.Signals) => void) | undefined
  /** A signal that arrived before the process acts on signals: it can come together with the assignment. */
  #earlySignal: NodeJS.Signals | undefined
  #readMetrics: () => Promise<MetricsJson> = async () => []
  readonly #asked = new Map<number, (metrics: RenderedMetrics) => void>()
  readonly #clocks = new Map<string, () => Promise<void>>()
  readonly #movedClocks = new Map<number, () => void>()
  #lastId = 0

  private constructor(assignment: Assignment) {
    this.assignment = assignment
    process.on('message', (message: ToProcess) => void this.#receive(message))
  }

  /** Waits for the assignment of the parent. */
  static open(): Promise<ParentLink> {
    // The parent passes signals on. A signal that a terminal sends to all processes must not count twice.
    for (const signal of endingSignals) process.on(signal, () => {})
    return new Promise((resolve) => {
      // Messages of other processes may arrive earlier than the assignment.
      const receive = (message: ToProcess) => {
        if (message.kind !== 'start') return
        process.off('message', receive)
        resolve(new ParentLink(message.assignment))
      }
      process.on('message', receive)
      process.send?.({ kind: 'here' } satisfies ToParent)
    })
  }

  onSignal(act: (signal: NodeJS.Signals) => void): void {
    this.#onSignal = act
    if (this.#earlySignal !== undefined) act(this.#earlySignal)
  }

  /** Resolves when the process may open the port. */
  takePort(): Promise<void> {
    return new Promise((resolve) => {
      this.#onPortFree = resolve
      this.#send({ kind: 'open port' })
    })
  }

  sayReady(address: string, staffPassword: string | undefined): void {
    this.#send({ kind: 'ready', address, staffPassword })
  }

  /** Counts requests at one process at the limiters of the same name in all others. */
  shareRates(limit: string, limiter: RateLimiter): void {
    this.#limiters.set(limit, limiter)
    limiter.onTaken = (clientId, ratePerSecond) => {
      const key = `${limit} ${clientId}`
      const count = this.#taken.get(key)?.[2] ?? 0
      this.#taken.set(key, [limit, clientId, count + 1, ratePerSecond])
      this.#sharing ??= setTimeout(() => this.#shareTaken(), shareEveryMs).unref()
    }
  }

  /** Sets how the metrics of this process are read. */
  answerMetrics(read: () => Promise<MetricsJson>): void {
    this.#readMetrics = read
  }

  /** Returns the metrics of all processes, added up. */
  renderMetrics(): Promise<RenderedMetrics> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#asked.set(id, resolve)
      this.#send({ kind: 'read metrics of all', id })
    })
  }

  /** The clock of the same sandbox in the other processes; `sandboxId` is empty for the service's own. */
  peersOfClock(sandboxId: string): ClockPeers {
    return {
      follow: (read) => {
        this.#clocks.set(sandboxId, read)
        return () => this.#clocks.delete(sandboxId)
      },
      tell: () => {
        const id = ++this.#lastId
        return new Promise((resolve) => {
          this.#movedClocks.set(id, resolve)
          this.#send({ kind: 'clock moved', id, sandboxId })
        })
      },
    }
  }

  #shareTaken(): void {
    this.#sharing = undefined
    this.#send({ kind: 'taken', taken: [...this.#taken.values()] })
    this.#taken = new Map()
  }

  async #receive(message: ToProcess): Promise<void> {
    switch (message.kind) {
      case 'signal':
        if (this.#onSignal === undefined) this.#earlySignal = message.signal
        else this.#onSignal(message.signal)
        return
      case 'port is free':
        return this.#onPortFree()
      case 'taken':
        for (const [limit, clientId, count, ratePerSecond] of message.taken)
          this.#limiters.get(limit)?.takeElsewhere(clientId, count, ratePerSecond, performance.now())
        return
      case 'read metrics': {
        const metrics = await this.#readMetrics().catch(() => undefined)
        if (metrics) this.#send({ kind: 'metrics', id: message.id, metrics })
        return
      }
      case 'metrics of all':
        this.#asked.get(message.id)?.(message)
        this.#asked.delete(message.id)
        return
      case 'are you there':
        return this.#send({ kind: 'still there' })
      case 'read clock':
        await this.#clocks.get(message.sandboxId)?.()
        return this.#send({ kind: 'clock read', id: message.id })
      case 'clock read by all':
        this.#movedClocks.get(message.id)?.()
        this.#movedClocks.delete(message.id)
        return
      case 'start':
        return
      default:
        message satisfies never
    }
  }

  /** Ends the process when its parent has ended. Its messages are then lost too. */
  #send(message: ToParent): void {
    if (process.connected) process.send?.(message)
  }
}
