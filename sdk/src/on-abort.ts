/**
 * Calls functions when a signal is aborted, with one listener for each signal: Node.js 20 warns of a leak when many
 * calls with one signal add a listener each.
 */
interface Watch {
  readonly works: Set<() => void>
  readonly listener: () => void
}

const watches = new WeakMap<AbortSignal, Watch>()

/** Calls `work` when the signal is aborted, or at once if it is. The returned function ends this. */
export function onAbort(signal: AbortSignal, work: () => void): () => void {
  if (signal.aborted) {
    work()
    return () => {}
  }
  const { works, listener } = watches.get(signal) ?? watch(signal)
  // Two callers may pass the same function.
  const own = () => work()
  works.add(own)
  return () => {
    works.delete(own)
    if (works.size > 0 || watches.get(signal)?.works !== works) return
    watches.delete(signal)
    signal.removeEventListener('abort', listener)
  }
}

function watch(signal: AbortSignal): Watch {
  const works = new Set<() => void>()
  const listener = () => {
    watches.delete(signal)
    for (const work of [...works]) work()
  }
  const made = { works, listener }
  watches.set(signal, made)
  signal.addEventListener('abort', listener, { once: true })
  return made
}
