/**
 * The clock of the sandbox in one process. Its setting is in the database, so that every process has the same time and
 * a restart keeps it. The setting is also held in memory, because every request reads the time.
 */
import type { Clock } from '../clock.ts'
import { type ChangeListener, openChangeListener } from '../database/change-listener.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { type ClockSetting, makeClock, readClock } from '../store/sandbox-clock.ts'

/**
 * A move in another process is announced at once. If the announcement is lost, the move is found after this
 * time.
 */
const lookEveryMs = 1_000

/** The same clock in the other processes of this service. */
export interface ClockPeers {
  /**
   * Sets how this process reads the clock after another process has moved it. Returns a function that ends
   * this.
   */
  follow(read: () => Promise<void>): () => void
  /** Waits until the other processes have read the clock. */
  tell(): Promise<void>
}

/** Returns the clock's time at a time of the wall clock. */
export function timeOf({ offsetMs, frozenAt }: ClockSetting, wallMs: number): Date {
  return frozenAt ?? new Date(wallMs + offsetMs)
}

/** Returns the setting that shows `now` at a time of the wall clock. */
export function settingAt(now: Date, frozen: boolean, wallMs: number): ClockSetting {
  return {
    offsetMs: now.getTime() - wallMs,
    frozenAt: frozen ? now : null,
  }
}

export class SandboxClock implements Clock, AsyncDisposable {
  readonly #owner: Pool
  readonly #onFault: (fault: unknown) => void
  readonly #peers: ClockPeers | undefined
  #unfollow: (() => void) | undefined
  #setting: ClockSetting
  #listener: ChangeListener | undefined
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  /** Counts the settings that were taken over. A read that began before the last one is outdated. */
  #taken = 0

  private constructor(
    owner: Pool,
    setting: ClockSetting,
    onFault: (fault: unknown) => void,
    peers: ClockPeers | undefined,
  ) {
    this.#owner = owner
    this.#setting = setting
    this.#onFault = onFault
    this.#peers = peers
  }

  static async open(
    owner: Pool,
    onFault: (fault: unknown) => void,
    peers?: ClockPeers,
  ): Promise<SandboxClock> {
    const setting = await inTransaction(owner, { firm: null, repeatable: true }, (tx) => {
      makeClock(tx)
      return readClock(tx)
    })
    const clock = new SandboxClock(owner, setting, onFault, peers)
    clock.#listener = openChangeListener(owner, 'clearing_clock', { onFault })
    clock.#listener.onChange(() => clock.#look())
    clock.#timer = setInterval(() => clock.#look(), lookEveryMs)
    clock.#timer.unref()
    clock.#unfollow = peers?.follow(() => clock.#readAgain())
    return clock
  }

  /** Also called for moves in this process, and when another process begins a restore. */
  onChange(notify: () => void): void {
    this.#listener?.onChange(notify)
  }

  get frozen(): boolean {
    return this.#setting.frozenAt !== null
  }

  now(): Date {
    return timeOf(this.#setting, Date.now())
  }

  aheadMs(): number {
    const wallMs = Date.now()
    return timeOf(this.#setting, wallMs).getTime() - wallMs
  }

  /**
   * Takes over the setting after a move in this process was committed. Waits until the other processes of the
   * service have it too.
   */
  async take(setting: ClockSetting): Promise<void> {
    this.#taken += 1
    this.#setting = setting
    await this.#peers?.tell()
  }

  /** A read in progress may have begun before the move. */
  async #readAgain(): Promise<void> {
    await this.#reading
    this.#look()
    await this.#reading
  }

  #look(): void {
    this.#reading ??= this.#read()
      .catch(this.#onFault)
      .finally(() => {
        this.#reading = undefined
      })
  }

  async #read(): Promise<void> {
    const before = this.#taken
    const setting = await inTransaction(
      this.#owner,
      { firm: null, readOnly: true, repeatable: true },
      readClock,
    )
    if (this.#taken === before) this.#setting = setting
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#unfollow?.()
    await this.#listener?.[Symbol.asyncDispose]()
    await this.#reading
  }
}
