/**
 * Long work takes turns. Its call holds a connection until it ends, so only some of it runs at a time: connections are
 * left to other calls. Work waits before its first statement, and holds nothing meanwhile.
 */
import { PartUnavailable } from './part-unavailable.ts'

export interface TurnsSettings {
  /** The name of the work in faults, in the plural. */
  readonly work: string
  /** The number that may run at a time. */
  readonly runningMax: number
  /** The number that may run at a time for one firm; all of them by default. */
  readonly runningOfFirmMax?: number
  readonly waitMs: number
}

interface Waiting {
  readonly firm: string
  readonly come: () => void
}

export class Turns {
  readonly #settings: TurnsSettings
  #running = 0
  readonly #runningOf = new Map<string, number>()
  /** The first has waited longest. */
  readonly #waiting = new Set<Waiting>()

  constructor(settings: TurnsSettings) {
    this.#settings = settings
  }

  /** Runs the work in its turn. Throws PartUnavailable when the turn does not come in time. */
  async run<T>(work: () => Promise<T>, firm = ''): Promise<T> {
    if (this.#mayRun(firm)) this.#begin(firm)
    else await this.#turn(firm)
    try {
      return await work()
    } finally {
      this.#end(firm)
    }
  }

  #mayRun(firm: string): boolean {
    const { runningMax, runningOfFirmMax = runningMax } = this.#settings
    return this.#running < runningMax && (this.#runningOf.get(firm) ?? 0) < runningOfFirmMax
  }

  #begin(firm: string): void {
    this.#running++
    this.#runningOf.set(firm, (this.#runningOf.get(firm) ?? 0) + 1)
  }

  #end(firm: string): void {
    this.#running--
    const left = (this.#runningOf.get(firm) ?? 0) - 1
    if (left > 0) this.#runningOf.set(firm, left)
    else this.#runningOf.delete(firm)
    const next = [...this.#waiting].find((waiting) => this.#mayRun(waiting.firm))
    if (next === undefined) return
    this.#begin(next.firm)
    next.come()
  }

  #turn(firm: string): Promise<void> {
    const { work, waitMs } = this.#settings
    return new Promise((resolve, reject) => {
      const come = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        resolve()
      }
      const waiting = { firm, come }
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new PartUnavailable(`${work} take turns, and no turn came within ${waitMs} ms`))
      }, waitMs).unref()
      this.#waiting.add(waiting)
    })
  }
}
