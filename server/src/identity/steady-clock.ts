/**
 * The time that tokens are checked by: the wall clock, except that it never goes back. An expired token stays expired
 * when the wall clock is set back.
 */
export function steadyClock(
  wall: () => Date,
  monotonicMs: () => number = () => performance.now(),
): () => Date {
  const startMs = wall().getTime() - monotonicMs()
  return () => new Date(Math.max(wall().getTime(), startMs + monotonicMs()))
}
