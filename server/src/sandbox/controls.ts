/** The controls of the sandbox as one part: made in the sandbox alone, so that production has nothing to call. */
import type { BusinessDay } from '../business-day/close-day.ts'
import type { CloseTime } from '../business-day/close-time.ts'
import type { Pool } from '../database/pool.ts'
import { CallDrain } from './call-drain.ts'
import { Loopback } from './loopback.ts'
import { ClockMover } from './move-clock.ts'
import { RestoreWatch } from './restore-watch.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { Snapshots } from './snapshots.ts'

export interface SandboxControls {
  readonly clock: SandboxClock
  readonly mover: ClockMover
  readonly drain: CallDrain
  readonly snapshots: Snapshots
  readonly loopback: Loopback
}

export interface ControlSettings {
  /** Of the owner, with time for statements that copy whole tables. */
  readonly owner: Pool
  readonly operations: Pool
  readonly clock: SandboxClock
  readonly businessDay: BusinessDay
  readonly closeAt: CloseTime
  /** Forgets what is held in memory of the state. */
  readonly forget: () => void
  /** Called when a snapshot was put back. */
  readonly afterRestore: () => Promise<void>
  readonly onFault: (fault: unknown) => void
}

export const makeControls = (settings: ControlSettings): SandboxControls => {
  const { owner, clock, forget, afterRestore, onFault } = settings
  const drain = new CallDrain()
  const watch = new RestoreWatch({ owner, drain, forget, onFault })
  clock.onChange(() => watch.look())
  return {
    clock,
    drain,
    mover: new ClockMover(settings),
    snapshots: new Snapshots({ owner, clock, drain, forget, afterRestore }),
    loopback: new Loopback(),
  }
}
