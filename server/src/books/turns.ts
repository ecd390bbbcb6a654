/**
 * Long work of the clearing firm takes turns. Its call holds a connection until it ends, so only some of it runs at a
 * time: connections are left to other calls of the clearing firm. Work waits before its first statement, and holds
 * nothing meanwhile.
 */
import { PartUnavailable } from '../part-unavailable.ts'

export interface TurnsSettings {
  /** The name of the work in faults, in the plural. */
  readonly work: string
  /** The number that may run at a time. */
  readonly runningMax: number
  readonly waitMs: number
}

export class Turns {
  readonly #settings: TurnsSettings
  #running = 0
  /** The first has waited longest. */
  readonly #waiting = new Set<() => void>()

  constructor(settings: TurnsSettings) {
    this.#settings = settings
  }

  /** Runs the work in its turn. Throws PartUnavailable when the turn does not come in time. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#settings.runningMax) this.#running++
    else await this.#turn()
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#running--
      else next()
    }
  }

  #turn(): Promise<void> {
    const { work, waitMs, runningMax } = this.#settings
    return new Promise((resolve, reject) => {
      const come = () => {
        clearTimeout(timer)
        this.#waiting.delete(come)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(come)
        reject(
          new PartUnavailable(`of ${work}, ${runningMax} may run at a time; none ended within ${waitMs} ms`),
        )
      }, waitMs).unref()
      this.#waiting.add(come)
    })
  }
}
