/**
 * The clock of the sandbox in one process. Where it stands is kept in the database, so that every process has the same time
 * and a restart keeps it; here it is held in memory, since every request asks for the time.
 */
import type { Clock } from '../clock.ts'
import { type ChangeListener, openChangeListener } from '../database/change-listener.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { type ClockSetting, makeClock, readClock } from '../store/sandbox-clock.ts'

/** A move made elsewhere is heard of at once; should the word be lost, it is seen this much later. */
const lookEveryMs = 1_000

/** The clock's time at an instant of the wall. */
export const timeOf = ({ offsetMs, frozenAt }: ClockSetting, wallMs: number): Date =>
  frozenAt ?? new Date(wallMs + offsetMs)

/** The setting that shows `now` at an instant of the wall. */
export const settingAt = (now: Date, frozen: boolean, wallMs: number): ClockSetting => ({
  offsetMs: now.getTime() - wallMs,
  frozenAt: frozen ? now : null,
})

export class SandboxClock implements Clock, AsyncDisposable {
  readonly #owner: Pool
  readonly #onFault: (fault: unknown) => void
  #setting: ClockSetting
  #listener: ChangeListener | undefined
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  /** Counts what was taken over here: a reading begun before is older. */
  #taken = 0

  private constructor(owner: Pool, setting: ClockSetting, onFault: (fault: unknown) => void) {
    this.#owner = owner
    this.#setting = setting
    this.#onFault = onFault
  }

  static async open(owner: Pool, onFault: (fault: unknown) => void): Promise<SandboxClock> {
    const setting = await inTransaction(owner, { firm: null, repeatable: true }, (tx) => {
      makeClock(tx)
      return readClock(tx)
    })
    const clock = new SandboxClock(owner, setting, onFault)
    clock.#listener = openChangeListener(owner, 'clearing_clock', onFault)
    clock.#listener.onChange(() => clock.#look())
    clock.#timer = setInterval(() => clock.#look(), lookEveryMs)
    clock.#timer.unref()
    return clock
  }

  /** Also told of moves made here, and of a restore that begins elsewhere. */
  onChange(tell: () => void): void {
    this.#listener?.onChange(tell)
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

  /** After a move made here was committed. */
  take(setting: ClockSetting): void {
    this.#taken += 1
    this.#setting = setting
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
    await this.#listener?.[Symbol.asyncDispose]()
    await this.#reading
  }
}
