/** The service's time: the wall clock, or in the sandbox one that is set, advanced and frozen (`sandbox/sandbox-clock.ts`). */

export interface Clock {
  now(): Date
  /** How far the service's time is ahead of the wall's; below zero while a clock that was stopped stands. */
  aheadMs(): number
}

export const wallClock: Clock = {
  now: () => new Date(),
  aheadMs: () => 0,
}
