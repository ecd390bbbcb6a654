/**
 * State of a screen that Back and Forward restore. It is kept in memory under the key of the entry in the history, not
 * in the address: it can be long, or name a person.
 */
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { entryOf } from './address.ts'

const kept = new Map<string, unknown>()

/** `name` is of one state on one screen, and always has values of the same type. */
export function useRestoredState<T>(name: string, first: T) {
  const entry = useRouterState({ select: ({ location }) => entryOf(location.state) })
  const key = entry && `${name} ${entry}`
  const [state, setState] = useState(() =>
    key !== undefined && kept.has(key) ? (kept.get(key) as T) : first,
  )
  useEffect(() => {
    if (key !== undefined && (state !== first || kept.has(key))) kept.set(key, state)
  }, [key, state, first])
  return [state, setState] as const
}
