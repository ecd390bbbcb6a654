/**
 * Long work takes turns. Its call holds a connection until it ends, so only some of it runs at a time: connections are
 * left to other calls. Work waits before its first statement, and holds nothing meanwhile. Work that is kept waiting
 * by its own caller loses its turn when other work waits for one.
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

/** Work that depends on a caller. */
export interface Holder {
  /** True while the work waits for its caller, who has been slow. */
  isSlow(): boolean
  /** Ends the work with a fault. */
  cutOff(): void
}

interface Waiting {
  readonly firm: string
  readonly come: () => void
}

/** How often the slow holders of turns are looked for while work waits. */
const lookEveryMs = 250

export class Turns {
  readonly #settings: TurnsSettings
  #running = 0
  readonly #runningOf = new Map<string, number>()
  /** The first has waited longest. */
  readonly #waiting = new Set<Waiting>()
  readonly #holders = new Set<Holder>()
  /** Holders that were cut off and have not ended yet. */
  readonly #ending = new Set<Holder>()
  #looking: NodeJS.Timeout | undefined

  constructor(settings: TurnsSettings) {
    this.#settings = settings
  }

  /** Runs the work in its turn. Throws PartUnavailable when the turn does not come in time. */
  async run<T>(work: () => Promise<T>, firm = '', holder?: Holder): Promise<T> {
    if (this.#mayRun(firm)) this.#begin(firm)
    else await this.#turn(firm)
    if (holder) this.#holders.add(holder)
    try {
      return await work()
    } finally {
      if (holder) for (const holders of [this.#holders, this.#ending]) holders.delete(holder)
      this.#end(firm)
    }
  }

  /** Cuts off as many slow holders as work waits. */
  #look(): void {
    for (const holder of this.#holders) {
      if (this.#waiting.size <= this.#ending.size) return
      if (this.#ending.has(holder) || !holder.isSlow()) continue
      this.#ending.add(holder)
      holder.cutOff()
    }
  }

  #startLooking(): void {
    this.#looking ??= setInterval(() => this.#look(), lookEveryMs).unref()
  }

  #stopLooking(): void {
    if (this.#waiting.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
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
        this.#stopLooking()
        resolve()
      }
      const waiting = { firm, come }
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        this.#stopLooking()
        reject(new PartUnavailable(`${work} take turns, and no turn came within ${waitMs} ms`))
      }, waitMs).unref()
      this.#waiting.add(waiting)
      this.#startLooking()
    })
  }
}
