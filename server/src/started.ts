/** What was started, to be stopped in the opposite order, also when a later part fails to start. */
import type { Logger } from 'pino'

export class Started {
  readonly #stops: (() => Promise<unknown>)[] = []
  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop)
  }
  async stop(log: Logger): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) {
      await stop().catch((fault) => log.error({ err: fault }, 'a part did not stop cleanly'))
    }
  }
}
