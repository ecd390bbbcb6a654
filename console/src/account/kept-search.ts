/**
 * What a person searches for, kept for the way back: the screen shows it again when Back leads to it. It is kept in
 * memory under the key of the entry in the history, because an address and the history of the browser contain no names.
 */
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

export interface Sought {
  readonly text: string
  readonly taxIdNumber: string
}

const nothing: Sought = { text: '', taxIdNumber: '' }
const kept = new Map<string, Sought>()

export function useSought() {
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' })
  const [sought, setSought] = useState(() => kept.get(entry) ?? nothing)
  // A filter replaces the entry of the history by one with another key.
  useEffect(() => {
    if (sought !== nothing || kept.has(entry)) kept.set(entry, sought)
  }, [entry, sought])
  return [sought, setSought] as const
}
