/**
 * Runs several processes of the service behind one port (`PROCESSES`). The parent owns the port, the embedded
 * database and the port of the metrics. It replaces processes that end unexpectedly, passes signals on, and
 * ends last. It reads no request while one of them serves, so that they continue to serve after a fault in another.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { openEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { connectionsOf } from '../database/open-pools.ts'
import { checkPort } from '../listen.ts'
import type { RenderedMetrics } from '../observe/metrics.ts'
import { serveMetrics } from '../observe/serve-metrics.ts'
import { Started } from '../started.ts'
import { AddedMetrics } from './added-metrics.ts'
import type { ToParent, ToProcess } from './messages.ts'
import { askEveryMs } from './signs-of-life.ts'
import { Slot } from './slot.ts'
import { StandIn } from './stand-in.ts'

/**
 * The time limit of an answer. For a process without an answer, the last counts remain in the sum. It reads a moved
 * clock on its own.
 */
const answerTimeoutMs = 1_000
/** A process ends itself 30 seconds after its drain. */
const endTimeoutMs = 35_000
/** Connections to the embedded database for people and for the parent itself. */
const connectionsBeside = 20

type Ready = Extract<ToParent, { kind: 'ready' }>

export class Parent {
  readonly #config: Config
  readonly #log: Logger
  readonly #started = new Started()
  readonly #metrics = new AddedMetrics()
  readonly #slots: Slot[] = []
  #standIn: StandIn | undefined
  #ending: Promise<void> | undefined
  #lastId = 0
  /** Questions to processes, with the processes that have not answered yet. */
  readonly #asked = new Map<number, { readonly owing: Set<Slot>; readonly done: () => void }>()

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
  }

  /**
   * Starts the first process alone, so that it alone migrates and inserts the first rows, and then the
   * others. `onReady` is called when the first one is ready. Returns the number of ready processes. Throws
   * ProcessEnded when the first one does not start.
   */
  async start(onReady: (ready: Ready) => void): Promise<number> {
    const { processes, host, metricsPort } = this.#config
    const port = await checkPort(this.#config, 'PORT')
    if (metricsPort !== undefined) {
      await checkPort({ host, port: metricsPort }, 'METRICS_PORT')
      await serveMetrics(host, metricsPort, () => this.#renderMetrics(), this.#started)
    }
    const databaseUrl = await this.#openDatabase()
    const openSlot = (number: number): Slot => {
      const slot = new Slot({
        assignment: { number, port, databaseUrl },
        mustStart: number === 1,
        log: this.#log,
        onMessage: (from, message) => {
          if (message.kind === 'ready' && this.#slots.length === 1) onReady(message)
          void this.#receive(from, message)
        },
        onEnded: (ended, processId) => {
          void this.#metrics.end(processId)
          if (!this.ending && !this.#slots.some(({ opensPort }) => opensPort)) void this.#standIn?.open()
          for (const { owing, done } of this.#asked.values()) if (owing.delete(ended)) done()
        },
      })
      this.#slots.push(slot)
      return slot
    }
    await openSlot(1).ready
    if (this.ending) return 1
    this.#watch()
    this.#standIn = new StandIn(host, port)
    const others = Array.from({ length: processes - 1 }, (_, at) => openSlot(at + 2))
    // A process that does not start is retried without limit; the first one serves in the meantime.
    await Promise.allSettled(others.map(({ ready }) => ready))
    return this.#slots.filter(({ serving }) => serving).length
  }

  #watch(): void {
    const timer = setInterval(() => {
      if (!this.ending) for (const slot of this.#slots) slot.askForLife()
    }, askEveryMs)
    this.#started.add(async () => clearInterval(timer))
  }

  get ending(): boolean {
    return this.#ending !== undefined
  }

  /** Passes a signal on, and ends the parts of the parent after all processes have ended. */
  end(signal: NodeJS.Signals): Promise<void> {
    this.#standIn?.close()
    const ends = Promise.all(this.#slots.map((slot) => slot.end(signal)))
    this.#ending ??= this.#endAfter(ends)
    return this.#ending
  }

  async #endAfter(ends: Promise<unknown>): Promise<void> {
    const timeoutMs = this.#config.drainSeconds * 1_000 + endTimeoutMs
    const late = await Promise.race([ends.then(() => false), pause(timeoutMs, true, { ref: false })])
    if (late) for (const slot of this.#slots) slot.kill()
    await ends
    await this.#started.stop(this.#log)
  }

  async #openDatabase(): Promise<string | undefined> {
    const { database, dataDir, processes } = this.#config
    if (database.kind === 'external') return undefined
    const embedded = await openEmbeddedPostgres({
      dataDir,
      serverSettings: {
        max_connections: String(Math.max(400, processes * connectionsOf(this.#config) + connectionsBeside)),
      },
      onEvent: (event) => this.#log.warn(event),
    })
    this.#started.add(() => embedded.stop())
    await embedded.start()
    return embedded.urls.owner
  }

  async #receive(from: Slot, message: ToParent): Promise<void> {
    switch (message.kind) {
      case 'taken':
        for (const slot of this.#slots) if (slot !== from) slot.send(message)
        return
      case 'metrics': {
        this.#metrics.take(from.processId, message.metrics)
        return this.#takeAnswer(from, message.id)
      }
      case 'clock read':
        return this.#takeAnswer(from, message.id)
      case 'clock moved': {
        const others = this.#slots.filter((slot) => slot !== from)
        await this.#ask(others, (id) => ({ kind: 'read clock', id, sandboxId: message.sandboxId }))
        return from.send({ kind: 'clock read by all', id: message.id })
      }
      case 'read metrics of all':
        from.send({ kind: 'metrics of all', id: message.id, ...(await this.#renderMetrics()) })
        return
      case 'open port':
        this.#standIn?.close()
        return from.send({ kind: 'port is free' })
      case 'here':
      case 'still there':
      case 'ready':
        return
      default:
        message satisfies never
    }
  }

  async #renderMetrics(): Promise<RenderedMetrics> {
    const silent = await this.#ask(this.#slots, (id) => ({ kind: 'read metrics', id }))
    return this.#metrics.render(new Set(silent.map(({ processId }) => processId)))
  }

  /** Asks the given serving processes, and waits until they have answered. Returns those that have not. */
  async #ask(slots: readonly Slot[], question: (id: number) => ToProcess): Promise<Slot[]> {
    const id = ++this.#lastId
    const owing = new Set(slots.filter(({ serving }) => serving))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, answerTimeoutMs)
      const done = () => {
        if (owing.size > 0) return
        clearTimeout(timer)
        resolve()
      }
      this.#asked.set(id, { owing, done })
      for (const slot of owing) slot.send(question(id))
      done()
    })
    this.#asked.delete(id)
    return [...owing]
  }

  #takeAnswer(from: Slot, id: number): void {
    const asked = this.#asked.get(id)
    if (asked?.owing.delete(from)) asked.done()
  }
}
