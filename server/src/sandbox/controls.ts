/**
 * The controls of the sandbox in one object, which only the sandbox makes, so that production has no such code to call.
 */
import type { BusinessDay } from '../business-day/close-day.ts'
import type { CloseTime } from '../business-day/close-time.ts'
import type { Pool } from '../database/pool.ts'
import type { FirmContext, FirmParts } from '../firm-rules/context.ts'
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

/** The context of an operation on the sandbox. */
export interface SandboxContext extends FirmContext {
  readonly parts: FirmParts & { readonly controls: SandboxControls | undefined }
}

/** The controls of the sandbox that the operation works on. Outside the sandbox, no such operation is mounted. */
export function controlsOf({ parts }: SandboxContext): SandboxControls {
  if (parts.controls === undefined) throw new Error('there are no controls outside the sandbox')
  return parts.controls
}

export interface ControlSettings {
  /** The owner's pool, with time for statements that copy whole tables. */
  readonly owner: Pool
  readonly operations: Pool
  /** A pool of which one connection holds the lock while the clock is advanced. */
  readonly spare: Pool
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
