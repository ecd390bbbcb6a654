/**
 * Large loads take turns. The call of a load holds a connection until the load ends, so only some of them run at a
 * time: connections are left to other calls of the clearing firm. A load waits before its body is read, and holds
 * nothing meanwhile.
 */
import { PartUnavailable } from '../../part-unavailable.ts'

export interface LoadTurnsSettings {
  readonly loadsMax: number
  readonly waitMs: number
}

/** About three hundred lines. They are loaded at once: they cost less than the start of a thread, and take no turn. */
const shortBytesMax = 65_536

/** A body without an announced length is not short. */
export function isShort(bytes: number | undefined): boolean {
  return bytes !== undefined && bytes <= shortBytesMax
}

export class LoadTurns {
  readonly #settings: LoadTurnsSettings
  #running = 0
  /** The first has waited longest. */
  readonly #waiting = new Set<() => void>()

  constructor(settings: LoadTurnsSettings) {
    this.#settings = settings
  }

  /** Runs the load in its turn. Throws PartUnavailable when the turn does not come in time. */
  async run<T>(load: () => Promise<T>): Promise<T> {
    if (this.#running < this.#settings.loadsMax) this.#running++
    else await this.#turn()
    try {
      return await load()
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#running--
      else next()
    }
  }

  #turn(): Promise<void> {
    const { waitMs, loadsMax } = this.#settings
    return new Promise((resolve, reject) => {
      const come = () => {
        clearTimeout(timer)
        this.#waiting.delete(come)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(come)
        reject(new PartUnavailable(`${loadsMax} large loads are running, and none ended within ${waitMs} ms`))
      }, waitMs).unref()
      this.#waiting.add(come)
    })
  }
}
