/** A value outside React that components subscribe to. */
import { useSyncExternalStore } from 'react'

export interface SharedValue<T> {
  set(value: T): void
  use(): T
}

export function shareValue<T>(first: T): SharedValue<T> {
  let current = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, () => current),
  }
}
