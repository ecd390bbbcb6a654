/**
 * The time that tokens are checked by: the wall clock, except that it does not go back. An expired token stays expired
 * when the wall clock is set back. A wall clock that was wrong and is corrected is followed back once the database's
 * clock agrees with it. Otherwise this process would refuse every new token until its next start. A database on the
 * same machine always agrees, so there a clock that is set back is followed too.
 */
import { clockToleranceMs } from '../clock.ts'

export interface SteadyClock {
  now(): Date
  /** Reports the time of the database's clock. */
  compare(databaseMs: number): void
}

export function openSteadyClock(
  wall: () => Date,
  monotonicMs: () => number = () => performance.now(),
): SteadyClock {
  let startMs = wall().getTime() - monotonicMs()
  return {
    now: () => new Date(Math.max(wall().getTime(), startMs + monotonicMs())),
    compare(databaseMs) {
      const wallMs = wall().getTime()
      const aheadMs = startMs + monotonicMs() - wallMs
      if (aheadMs > clockToleranceMs && Math.abs(wallMs - databaseMs) <= clockToleranceMs)
        startMs = wallMs - monotonicMs()
    },
  }
}
