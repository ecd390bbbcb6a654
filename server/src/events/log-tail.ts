/**
 * Holds the end of the event log in memory, read once for all open streams. A notification of the database triggers a
 * read, and so does a timer. Each firm's part is separate and bounded. A stream that falls behind it reads the log
 * itself.
 */
import type { ChangeListener } from '../database/change-listener.ts'
import type { Pool } from '../database/pool.ts'
import { readInFirm } from '../database/transaction.ts'
import {
  isAfter,
  type LoggedEvent,
  type LogPosition,
  readLowWatermark,
  readNewEvents,
} from '../store/event-log.ts'

const tailTimes = {
  /** Interval of reads without a notification. */
  pollMs: 1_000,
  /**
   * Interval while an event waits for an open transaction, because the end of that transaction is not
   * announced.
   */
  waitingPollMs: 50,
  /** Pause between two reads; one read serves all announcements of the pause. */
  pauseMs: 5,
} as const

const eventsHeldMax = 2_000
const readMax = 500

export interface TailSettings {
  /** A pool that sees every firm. */
  readonly operations: Pool
  readonly listener: ChangeListener
  /** The text of an event as streams send it. */
  readonly render: (event: LoggedEvent) => string
  readonly onFault: (fault: unknown) => void
}

export interface HeldEvent {
  readonly event: LoggedEvent
  readonly text: string
}

/** The last events of one firm. */
export class FirmTail {
  readonly #held: HeldEvent[] = []
  /** Every event of the firm after `#start` and up to `#end` is in memory. */
  #start: LogPosition | undefined
  #end: LogPosition | undefined
  #change = Promise.withResolvers<void>()

  /** Returns the events after a position, or undefined when some of them are no longer in memory. */
  after(place: LogPosition, max: number): { events: readonly HeldEvent[]; end: LogPosition } | undefined {
    if (this.#start === undefined || this.#end === undefined || isAfter(this.#start, place)) return undefined
    if (!isAfter(this.#end, place)) return { events: [], end: place }
    let [low, high] = [0, this.#held.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isAfter((this.#held[middle] as HeldEvent).event.place, place)) high = middle
      else low = middle + 1
    }
    const events = this.#held.slice(low, low + max)
    const last = low + max < this.#held.length ? events.at(-1)?.event.place : undefined
    return { events, end: last ?? this.#end }
  }

  /** Resolves when there is a new event. */
  changed(): Promise<void> {
    return this.#change.promise
  }

  begin(place: LogPosition): void {
    if (this.#start !== undefined) return
    this.#start = place
    this.#end = place
    this.#notify()
  }

  append(event: LoggedEvent, text: string): void {
    this.#held.push({ event, text })
    if (this.#held.length > eventsHeldMax) {
      this.#start = this.#held.splice(0, eventsHeldMax / 2).at(-1)?.event.place
    }
  }

  /** Records that every event up to this position is in memory. */
  reach(place: LogPosition, appended: boolean): void {
    this.#end = place
    if (appended) this.#notify()
  }

  /** Forgets every event. Streams read the log themselves until the tail begins again. */
  forget(): void {
    this.#held.length = 0
    this.#start = undefined
    this.#end = undefined
  }

  #notify(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}

export class LogTail {
  readonly #settings: TailSettings
  readonly #firms = new Map<string, { readonly tail: FirmTail; watchers: number }>()
  #place: LogPosition | undefined
  #reading: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** Counts the calls of `forget`. A read that began before the last one has rows of the old log. */
  #forgotten = 0

  constructor(settings: TailSettings) {
    this.#settings = settings
    settings.listener.onChange(() => this.#wake())
  }

  /** Returns the firm's tail, which stays current until `leave`. */
  watch(firmId: string): { readonly tail: FirmTail; leave(): void } {
    const watched = this.#firms.get(firmId) ?? { tail: new FirmTail(), watchers: 0 }
    watched.watchers += 1
    this.#firms.set(firmId, watched)
    this.#wake()
    return {
      tail: watched.tail,
      leave: () => {
        watched.watchers -= 1
        if (watched.watchers === 0) this.#firms.delete(firmId)
      },
    }
  }

  /** Forgets every event in memory, because the log was replaced. */
  forget(): void {
    this.#forgotten += 1
    this.#place = undefined
    for (const { tail } of this.#firms.values()) tail.forget()
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#reading
  }

  #wake(): void {
    if (this.#closed) return
    if (this.#reading !== undefined) {
      this.#again = true
      return
    }
    if (this.#firms.size === 0) {
      this.#place = undefined
      return
    }
    clearTimeout(this.#timer)
    this.#reading = this.#read()
      .catch((fault) => {
        this.#settings.onFault(fault)
        return tailTimes.pollMs
      })
      .then((pauseMs) => {
        this.#reading = undefined
        if (this.#closed) return
        const again = this.#again
        this.#again = false
        this.#timer = setTimeout(() => this.#wake(), again ? tailTimes.pauseMs : pauseMs)
        this.#timer.unref()
      })
  }

  /** Reads new events. Resolves to the wait before the next read when no notification comes. */
  async #read(): Promise<number> {
    const { operations, render } = this.#settings
    const rows: Parameters<typeof readLowWatermark>[0] = (what, values) =>
      readInFirm(operations, null, what, values)
    const forgotten = this.#forgotten
    const firms = new Map(this.#firms)
    const firmIds = [...firms.keys()]
    const { lowWatermark, end, waiting } = await readLowWatermark(rows, firmIds)
    if (this.#forgotten !== forgotten) return tailTimes.pauseMs
    // Another process began a line of the log, as after a restore.
    if (this.#place !== undefined && this.#place.line !== end.line) {
      for (const { tail } of this.#firms.values()) tail.forget()
      this.#place = undefined
    }
    let place = this.#place ?? end
    this.#place = place
    for (const { tail } of firms.values()) tail.begin(place)
    for (;;) {
      const events = await readNewEvents(rows, place, lowWatermark, firmIds, readMax)
      if (this.#forgotten !== forgotten) return tailTimes.pauseMs
      const appended = new Set<FirmTail>()
      for (const event of events) {
        const tail = firms.get(event.firmId)?.tail
        if (tail === undefined) continue
        tail.append(event, render(event))
        appended.add(tail)
      }
      const full = events.length === readMax
      place = (full ? events.at(-1)?.place : undefined) ?? end
      this.#place = place
      for (const { tail } of firms.values()) tail.reach(place, appended.has(tail))
      if (!full) return waiting ? tailTimes.waitingPollMs : tailTimes.pollMs
    }
  }
}
