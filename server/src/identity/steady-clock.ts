/**
 * The time that tokens are judged by: the wall's, but it does not follow the wall backwards. A token that died of age
 * stays dead when somebody sets the clock back.
 */
export const steadyClock = (
  wall: () => Date,
  monotonicMs: () => number = () => performance.now(),
): (() => Date) => {
  const startMs = wall().getTime() - monotonicMs()
  return () => new Date(Math.max(wall().getTime(), startMs + monotonicMs()))
}
