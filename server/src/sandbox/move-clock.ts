/**
 * Moves the clock of the sandbox forward in stops. At each time at which queued work is due, it waits for the
 * work. At each end of a business day, it closes the day. The state afterwards is the state that normal
 * running would have reached.
 */
import { addMarketDays } from '@clearing/domain/market'
import type { BusinessDay } from '../business-day/close-day.ts'
import { closeInTurn } from '../business-day/close-in-turn.ts'
import { type CloseTime, endOfBusinessDay } from '../business-day/close-time.ts'
import { DatabaseUnavailable } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Scope, type Tx } from '../database/transaction.ts'
import { readBusinessDay } from '../store/business-day.ts'
import type { Acceptance } from '../store/open-items.ts'
import {
  type Advance,
  countDueJobs,
  holdMoves,
  lockClock,
  readClock,
  readLastJob,
  readNextDue,
  type StoredClock,
  writeClock,
} from '../store/sandbox-clock.ts'
import { within } from '../within.ts'
import { type SandboxClock, settingAt, timeOf } from './sandbox-clock.ts'

export interface ClockMoves {
  readonly owner: Pool
  /** A pool that sees the business day. */
  readonly operations: Pool
  /** A pool of which one connection holds the lock of an advance. */
  readonly spare: Pool
  readonly clock: SandboxClock
  readonly businessDay: BusinessDay
  readonly closeAt: CloseTime
}

export interface AdvanceRequest {
  /** Returns the target time for the clock's current time. */
  readonly to: (now: Date) => Date
  /** Client and idempotency key; empty without a key. */
  readonly by: string
  readonly firmId: string
  readonly clientId: string
  readonly traceId: string
  /** The person who accepts open items of the days that are closed; absent: the advance itself accepts them. */
  readonly accepting?: Acceptance | undefined
}

export interface Moved {
  readonly from: Date
  readonly now: Date
  readonly closedDays: readonly string[]
}

export type AdvanceOutcome =
  | { readonly kind: 'moved'; readonly moved: Moved }
  /** The clock already shows a later time. */
  | { readonly kind: 'backwards'; readonly now: Date }
  /** Another advance is running. */
  | { readonly kind: 'busy'; readonly to: Date | undefined }
  /** Another process restored a snapshot meanwhile, which ended the advance. */
  | { readonly kind: 'restored' }
  /** The service stops. The advance continues when it is requested again with its key. */
  | { readonly kind: 'stopped' }

/** A running advance of this process. Its target is known once it has begun. */
interface Running {
  readonly by: string
  to: Date | undefined
  readonly ends: Promise<AdvanceOutcome>
}

/** A restore in another process replaced the state, the clock included. */
class StateRestored extends Error {}

class ServiceStops extends Error {}

/** The longest wait for queued work at each stop. Failed work is retried by the wall clock. */
const workWaitMs = 15_000
const workPollMs = 5
/** A primary that was demoted may keep a commit waiting for a standby that has left it. */
const databaseWaitMs = 15_000
/** The longest wait of a service that stops for the close of a day on the way. */
const stopWaitMs = 10_000

export class ClockMover {
  readonly #moves: ClockMoves
  #running: Running | undefined
  #stopped = false

  constructor(moves: ClockMoves) {
    this.#moves = moves
  }

  /** True while an advance runs in this process. */
  get moving(): boolean {
    return this.#running !== undefined
  }

  /** Ends a running advance at its next stop. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#running !== undefined) await within(this.#running.ends, stopWaitMs).catch(() => {})
  }

  /** Returns the end of a business day. */
  endOf(day: string): Date {
    return endOfBusinessDay(day, this.#moves.closeAt)
  }

  /** Stops the clock, or lets it continue from its current time. */
  freeze(frozen: boolean): Promise<Date> {
    return this.#set((clock) => ({ now: timeOf(clock, Date.now()), frozen }))
  }

  /** Continues the advance that has the same key, or begins this one. */
  advance(request: AdvanceRequest): Promise<AdvanceOutcome> {
    const running = this.#running
    if (running !== undefined) {
      const same = request.by !== '' && running.by === request.by
      return same ? running.ends : Promise.resolve({ kind: 'busy', to: running.to })
    }
    const beginning: Running = { by: request.by, to: undefined, ends: this.#perform(request) }
    this.#running = beginning
    return beginning.ends
  }

  async #perform(request: AdvanceRequest): Promise<AdvanceOutcome> {
    try {
      return await inTransaction(this.#moves.spare, { firm: null }, async (tx) => {
        tx.abandon()
        return (await holdMoves(tx)) ? this.#performAlone(request) : this.#findOther()
      })
    } finally {
      this.#running = undefined
    }
  }

  async #performAlone(request: AdvanceRequest): Promise<AdvanceOutcome> {
    const begun = await this.#begin(request)
    if ('kind' in begun) return begun
    if (this.#running !== undefined) this.#running.to = new Date(begun.to)
    return this.#runUnlessRestored(begun, request)
  }

  /** The advance of another process. */
  async #findOther(): Promise<AdvanceOutcome> {
    const { advance } = await this.#readClock()
    return { kind: 'busy', to: advance === null || advance.ended ? undefined : new Date(advance.to) }
  }

  #readClock(): Promise<StoredClock> {
    return this.#asOwner(readOnly, readClock)
  }

  #begin({ to, by }: AdvanceRequest): Promise<Advance | AdvanceOutcome> {
    return this.#asOwner({ firm: null }, async (tx): Promise<Advance | AdvanceOutcome> => {
      const clock = await lockClock(tx)
      const { advance } = clock
      if (advance !== null && by !== '' && advance.by === by) {
        return advance.ended ? { kind: 'moved', moved: movedBy(advance) } : advance
      }
      const now = timeOf(clock, Date.now())
      const wanted = to(now)
      if (wanted < now) return { kind: 'backwards', now }
      const begun: Advance = {
        by,
        from: now.toISOString(),
        to: wanted.toISOString(),
        closedDays: [],
        ended: false,
      }
      writeClock(tx, { ...clock, advance: begun })
      return begun
    })
  }

  /**
   * A restore takes the data from under a stop. The stop then fails in any way, or the next move of the clock finds the
   * restore.
   */
  async #runUnlessRestored(begun: Advance, request: AdvanceRequest): Promise<AdvanceOutcome> {
    try {
      return { kind: 'moved', moved: await this.#run(begun, request) }
    } catch (fault) {
      if (fault instanceof StateRestored) return { kind: 'restored' }
      if (fault instanceof ServiceStops) return { kind: 'stopped' }
      const { advance } = await this.#readClock()
      if (advance === null) return { kind: 'restored' }
      throw fault
    }
  }

  async #run(begun: Advance, request: AdvanceRequest): Promise<Moved> {
    const { businessDay, clock } = this.#moves
    const { firmId, clientId, traceId } = request
    const to = new Date(begun.to)
    let advance = begun
    for (;;) {
      if (this.#stopped) throw new ServiceStops()
      const stop = await this.#nextStop(begun)
      if (stop === undefined) break
      if (stop.closes === undefined) {
        await this.#moveTo(stop.at, advance)
        await this.#untilWorkIsDone()
        continue
      }
      // Stored before the close, so that an advance that ends right after the close still names the day.
      await this.#moveTo(stop.at, withDay(advance, stop.closes))
      await this.#untilWorkIsDone()
      const accepting = request.accepting ?? { reason: onTheWay, by: clientId, approvedBy: '' }
      const close = { date: stop.closes, firmId, clientId, traceId, now: clock.now(), accepting }
      advance = withDay(advance, await closeInTurn(businessDay, close))
      await this.#untilWorkIsDone()
    }
    advance = { ...advance, ended: true }
    const now = await this.#moveTo(to, advance)
    await this.#untilWorkIsDone()
    return { ...movedBy(advance), now }
  }

  /**
   * Returns the next stop: the end of the open business day, or the time of queued work. Undefined when no stop is
   * left.
   */
  async #nextStop(advance: Advance): Promise<{ at: Date; closes?: string } | undefined> {
    const { operations, clock, closeAt } = this.#moves
    const [from, to] = [new Date(advance.from), new Date(advance.to)]
    const now = clock.now()
    const [day, due] = await Promise.all([
      inTransaction(operations, readOnly, (tx) => readBusinessDay(tx, now)),
      this.#asOwner(readOnly, (tx) => readNextDue(tx, now)),
    ])
    const end = endOfBusinessDay(day, closeAt)
    // An interrupted advance may have reached the end of the day without closing it.
    const closes = end > from ? end <= to : endOfBusinessDay(addMarketDays(day, 1), closeAt) <= to
    const work = due !== undefined && due <= to ? due : undefined
    if (closes && (work === undefined || end <= work)) return { at: end, closes: day }
    return work && { at: work }
  }

  #moveTo(at: Date, advance: Advance): Promise<Date> {
    return this.#set((clock) => {
      // A restore removes the advance from the clock.
      if (clock.advance === null) throw new StateRestored()
      const now = timeOf(clock, Date.now())
      return { now: at > now ? at : now, frozen: clock.frozenAt !== null, advance }
    })
  }

  async #set(
    decide: (clock: StoredClock) => { now: Date; frozen: boolean; advance?: Advance },
  ): Promise<Date> {
    const set = await this.#asOwner({ firm: null, repeatable: true }, async (tx) => {
      const stored = await lockClock(tx)
      const { now, frozen, advance = stored.advance } = decide(stored)
      const setting = settingAt(now, frozen, Date.now())
      writeClock(tx, { ...setting, advance })
      return { setting, now }
    })
    await this.#moves.clock.take(set.setting)
    return set.now
  }

  async #untilWorkIsDone(): Promise<void> {
    const endMs = performance.now() + workWaitMs
    const last = await this.#asOwner(readOnly, readLastJob)
    while (performance.now() < endMs && !this.#stopped) {
      if ((await this.#asOwner(readOnly, (tx) => countDueJobs(tx, last))) === 0) return
      await new Promise((resolve) => setTimeout(resolve, workPollMs))
    }
  }

  async #asOwner<T>(scope: Scope, body: (tx: Tx) => Promise<T>): Promise<T> {
    const result = inTransaction(this.#moves.owner, scope, body).then((value) => ({ value }))
    const ended = await within(result, databaseWaitMs)
    if (ended === undefined)
      throw new DatabaseUnavailable('silent', `no answer within ${databaseWaitMs} ms while the clock moves`)
    return ended.value
  }
}

const readOnly: Scope = { firm: null, readOnly: true, repeatable: true }
const onTheWay = 'The sandbox’s clock went past the end of the day.'

function withDay(advance: Advance, day: string): Advance {
  return { ...advance, closedDays: [...new Set([...advance.closedDays, day])].sort() }
}

function movedBy({ from, to, closedDays }: Advance): Moved {
  return {
    from: new Date(from),
    now: new Date(to),
    closedDays,
  }
}
