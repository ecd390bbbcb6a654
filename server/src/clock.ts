/**
 * The time of the service: the wall clock, or in the sandbox a clock that can be set, advanced and frozen
 * (`sandbox/sandbox-clock.ts`).
 */

export interface Clock {
  now(): Date
  /** How far the service's time is ahead of the wall clock; negative while a stopped clock stands. */
  aheadMs(): number
}

export const wallClock: Clock = {
  now: () => new Date(),
  aheadMs: () => 0,
}
