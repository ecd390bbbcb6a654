/**
 * The pace of a load. While calls are running, a load works in small slices, one at a time, and pauses after
 * each for a fifth of the time that it took, however many calls there are.
 */
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'

export interface Pace {
  /** True while calls are running: work is then divided into smaller portions for one connection. */
  readonly isSlow: boolean
  /** Begins a series of slices of work. The returned function is called between two slices. */
  slices(): () => Promise<void>
}

/** The pace of a load that gives way to no calls. */
export const fullPace: Pace = { isSlow: false, slices: () => immediate }

/** The calls of a process, counted in memory that its threads share. */
export class Calls {
  readonly memory: SharedArrayBuffer
  /** How many are running, and how many have begun. */
  readonly #counts: Int32Array

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#counts = new Int32Array(memory)
  }

  get running(): number {
    return this.#counts[0] as number
  }

  get begun(): number {
    return this.#counts[1] as number
  }

  begin(): void {
    this.#counts[0] = this.running + 1
    this.#counts[1] = this.begun + 1
  }

  end(): void {
    this.#counts[0] = this.running - 1
  }
}

export const slowPaceLimits = {
  /** Calls that follow each other closely count as one that is running. */
  gapMs: 20,
  /**
   * The length of a pause, as a part of the slice before it. Longer pauses cost lines and shorten no call (decision
   * 153).
   */
  pausePart: 0.2,
  /** The longest pause, for slices that themselves had to wait. */
  pauseMsMax: 50,
  /** How long a series may wait in all, because a batch holds locks until its end. */
  waitsMsMax: 2_000,
} as const

/** The clock of a pace. */
export interface PaceTimer {
  now(): number
  wait(ms: number): Promise<unknown>
}

const wallTimer: PaceTimer = { now: () => performance.now(), wait }

/** Gives way to calls. All loads of a thread share it, and so take turns. */
export class YieldingPace implements Pace {
  readonly #calls: Calls
  readonly #timer: PaceTimer
  #begunSeen: number
  #calledMs = Number.NEGATIVE_INFINITY
  /** Ends with the pause after the last slice. */
  #paused: Promise<unknown> = Promise.resolve()

  constructor(calls: Calls, timer = wallTimer) {
    this.#calls = calls
    this.#timer = timer
    this.#begunSeen = calls.begun
  }

  get isSlow(): boolean {
    const { running, begun } = this.#calls
    const nowMs = this.#timer.now()
    if (running > 0 || begun !== this.#begunSeen) this.#calledMs = nowMs
    this.#begunSeen = begun
    return nowMs - this.#calledMs < slowPaceLimits.gapMs
  }

  slices(): () => Promise<void> {
    let beganMs = this.#timer.now()
    let waitedMs = 0
    return async () => {
      if (this.isSlow && waitedMs < slowPaceLimits.waitsMsMax) {
        const endedMs = this.#timer.now()
        await this.#pause(Math.min((endedMs - beganMs) * slowPaceLimits.pausePart, slowPaceLimits.pauseMsMax))
        waitedMs += this.#timer.now() - endedMs
      } else await immediate()
      beganMs = this.#timer.now()
    }
  }

  /** Pauses after the pauses of the other series. */
  #pause(ms: number): Promise<unknown> {
    this.#paused = this.#paused.then(() => this.#timer.wait(ms))
    return this.#paused
  }
}
