/**
 * The controls of the sandbox in one object, which only the sandbox makes, so that production has no such code to call.
 */
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
  /** The owner's pool, with time for statements that copy whole tables. */
  readonly owner: Pool
  readonly operations: Pool
  readonly clock: SandboxClock
  readonly businessDay: BusinessDay
  readonly closeAt: CloseTime
  /** Clears the state that is held in memory. */
  readonly forget: () => void
  /** Called after a snapshot was restored. */
  readonly afterRestore: () => Promise<void>
  readonly onFault: (fault: unknown) => void
}

export function makeControls(settings: ControlSettings): SandboxControls {
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
