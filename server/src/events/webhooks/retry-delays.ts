/** How long a delivery is tried: twelve times, the last more than three days after the first (Standard Webhooks). */
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The waits between the attempts. */
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

/** At most this part is added by chance, so that a receiver that comes back is not met by all at once. */
const spread = 0.2

/** The wait after the attempt of this number (from 1), or undefined when it was the last. */
export function retryDelay(
  attempt: number,
  retryAfterMs: number,
  delaysMs: readonly number[] = retryDelaysMs,
  chance: () => number = Math.random,
): number | undefined {
  const delayMs = delaysMs[attempt - 1]
  return delayMs === undefined ? undefined : Math.max(retryAfterMs, delayMs * (1 + spread * chance()))
}
