/** The retries of a delivery: twelve attempts, the last more than three days after the first (Standard Webhooks). */
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The delays between the attempts. */
export const retryDelaysMs: readonly number[] = [
  2_000,
  10_000,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  22 * hourMs,
]

/** Largest random part of a delay, so that a receiver that recovers does not get all deliveries at once. */
const spread = 0.2

/** Returns the delay after this attempt (the first is 1), or undefined after the last attempt. */
export function retryDelay(
  attempt: number,
  retryAfterMs: number,
  delaysMs: readonly number[] = retryDelaysMs,
  chance: () => number = Math.random,
): number | undefined {
  const delayMs = delaysMs[attempt - 1]
  return delayMs === undefined ? undefined : Math.max(retryAfterMs, delayMs * (1 + spread * chance()))
}
