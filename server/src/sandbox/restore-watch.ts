/**
 * Refuses calls in this process while another process restores a snapshot. The restoring process announces the restore
 * and holds a lock. This process refuses calls until the lock is free, and then clears its memory of the old state.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../database/pool.ts'
import { isRestoring } from '../store/snapshots.ts'
import type { CallDrain } from './call-drain.ts'

export interface RestoreWatchSettings {
  readonly owner: Pool
  readonly drain: CallDrain
  readonly forget: () => void
  readonly onFault: (fault: unknown) => void
}

const lookAgainMs = 50

export class RestoreWatch {
  readonly #settings: RestoreWatchSettings
  /** Checks run one after the other, so that an announcement during a check is not missed. */
  #looks: Promise<void> = Promise.resolve()

  constructor(settings: RestoreWatchSettings) {
    this.#settings = settings
  }

  /** Called on each announcement. */
  look(): void {
    this.#looks = this.#looks.then(() => this.#follow()).catch(this.#settings.onFault)
  }

  async #follow(): Promise<void> {
    const { owner, drain, forget } = this.#settings
    // When this process refuses calls already, the restore is its own.
    if (drain.refusing || !(await isRestoring(owner))) return
    await drain.refuseWhile(async () => {
      do await pause(lookAgainMs)
      while (await isRestoring(owner))
      forget()
    })
  }
}
