/**
 * Holds the started parts, and stops them in the reverse order, also when a later part fails to start or parts are
 * still starting.
 */
import type { Logger } from 'pino'

/** The service was stopped before it was ready. */
class StoppedWhileStarting extends Error {
  override readonly name = 'StoppedWhileStarting'
  constructor() {
    super('stopped before it was ready')
  }
}

export class Started {
  readonly #stops: (() => Promise<unknown>)[] = []
  #stopping: Promise<void> | undefined

  /** Throws during a stop. The added part is stopped too, and no further part may start. */
  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop)
    if (this.#stopping) throw new StoppedWhileStarting()
  }

  /** Stops the parts that were added so far. A second call stops the parts that were added since. */
  stop(log: Logger): Promise<void> {
    const before = this.#stopping ?? Promise.resolve()
    this.#stopping = before.then(() => this.#stopAll(log))
    return this.#stopping
  }

  async #stopAll(log: Logger): Promise<void> {
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) {
      await stop().catch((fault) => log.error({ err: fault }, 'a part did not stop cleanly'))
    }
  }
}
