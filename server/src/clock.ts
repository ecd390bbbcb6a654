/**
 * The time of the service: the wall clock, or in the sandbox a clock that can be set, advanced and frozen
 * (`sandbox/sandbox-clock.ts`).
 */

export interface Clock {
  now(): Date
  /**
   * The difference of the service's time from the wall clock in milliseconds; negative while a stopped clock
   * is behind.
   */
  aheadMs(): number
}

/** As much as the clocks of machines may differ. */
export const clockToleranceMs = 60_000

export const wallClock: Clock = {
  now: () => new Date(),
  aheadMs: () => 0,
}
