/**
 * A timer for the response of another program. It counts the time during which this process runs. While the
 * process is stopped or its event loop is blocked, a response may have arrived that it has not read yet.
 */

const tickMs = 100

/** Calls `act` when the process has run for the given time. The result stops the timer. */
export function afterRunning(durationMs: number, act: () => void): () => void {
  let ticksLeft = Math.ceil(durationMs / tickMs)
  let timer: NodeJS.Timeout | undefined
  let last: NodeJS.Immediate | undefined
  const tick = () => {
    ticksLeft--
    if (ticksLeft > 0) wait()
    // Data that has arrived in the meantime is read first.
    else last = setImmediate(act)
  }
  const wait = () => {
    timer = setTimeout(tick, tickMs).unref()
  }
  wait()
  return () => {
    clearTimeout(timer)
    clearImmediate(last)
  }
}
