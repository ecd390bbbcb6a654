/** What was started, to be stopped in the opposite order: also when a later part fails to start, and while parts still start. */
import type { Logger } from 'pino'

/** The service was told to stop before it was ready. */
class StoppedWhileStarting extends Error {
  override readonly name = 'StoppedWhileStarting'
  constructor() {
    super('stopped before it was ready')
  }
}

export class Started {
  readonly #stops: (() => Promise<unknown>)[] = []
  #stopping: Promise<void> | undefined

  /** Throws when all is being stopped: what is added then is stopped too, and nothing more is to be started. */
  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop)
    if (this.#stopping) throw new StoppedWhileStarting()
  }

  /** Stops what was added so far; called again, what has come since. */
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
