/**
 * Keeps this process's doors shut while another process puts everything back. The one that does holds a lock and
 * announces it; here callers are asked to come again until the lock is free, and then what memory holds is forgotten.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../database/pool.ts'
import { isRestoring } from '../store/snapshots.ts'
import type { Doors } from './doors.ts'

export interface RestoreWatchSettings {
  readonly owner: Pool
  readonly doors: Doors
  readonly forget: () => void
  readonly onFault: (fault: unknown) => void
}

const lookAgainMs = 50

export class RestoreWatch {
  readonly #settings: RestoreWatchSettings
  /** One look after the other, so that an announcement during a look is not missed. */
  #looks: Promise<void> = Promise.resolve()

  constructor(settings: RestoreWatchSettings) {
    this.#settings = settings
  }

  /** To be called when something was announced. */
  look(): void {
    this.#looks = this.#looks.then(() => this.#follow()).catch(this.#settings.onFault)
  }

  async #follow(): Promise<void> {
    const { owner, doors, forget } = this.#settings
    // The restore is this process's own.
    if (doors.shut || !(await isRestoring(owner))) return
    await doors.keepShut(async () => {
      do await pause(lookAgainMs)
      while (await isRestoring(owner))
      forget()
    })
  }
}
