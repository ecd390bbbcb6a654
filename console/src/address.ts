/**
 * The state that a screen keeps in its address, so that it can be shared and restored: filters, tabs, and for each list
 * its order, position and highlighted row. It never contains personal data.
 */
import { type HistoryState, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

export type Filters = Readonly<Record<string, string | undefined>>

export function useFilters() {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (changes: Filters) =>
      void navigate({
        to: '.',
        search: (before: Filters) => ({ ...before, ...changes }),
        state: (before) => ({ ...before, entry: entryOf(before) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return [filters, set] as const
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The key of the entry before its filters changed. */
    entry?: string | undefined
  }
}

/** A key of the entry in the history that remains when filters replace it; undefined if the console did not make it. */
export function entryOf({ entry, __TSR_key }: HistoryState & { __TSR_key?: string }): string | undefined {
  return entry ?? __TSR_key
}

/**
 * The state of a list in an address: `order` (with `-` for descending), the first visible `row`, the highlighted one
 * (`at`), the hidden columns (`hide`), and the density of its rows.
 */
export type Kept = 'order' | 'row' | 'at' | 'hide' | 'dense'

/** The name of the state of a list, derived from the list's label. */
export function keptName(kept: Kept, list: string): string {
  return `${kept}-${list.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

/** Another filter or order makes another list, without a position. */
export function forgetPlaces(filters: Filters): Filters {
  return Object.fromEntries(
    Object.keys(filters)
      .filter((name) => /^(row|at)-/.test(name))
      .map((name) => [name, undefined]),
  )
}

const writtenAfterMs = 300

/**
 * Writes a value into the address when it has not changed for a moment. Returns a function that writes one at once: a
 * screen that is being left must not write later, because the address is then already the next screen's.
 */
export function useWriting(name: string, value: string | undefined, isWritten: boolean) {
  const [, set] = useFilters()
  const router = useRouter()
  const { history } = router
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (isWritten) return
    timer.current = setTimeout(() => {
      // While the next screen is loading, the address is already its own.
      const [shown] = router.state.resolvedLocation?.publicHref.split('?') ?? []
      if (shown === undefined || shown === router.history.location.pathname) set({ [name]: value })
    }, writtenAfterMs)
    return () => clearTimeout(timer.current)
  }, [isWritten, name, value, set, router])
  return (now: string | undefined) => {
    clearTimeout(timer.current)
    set({ [name]: now })
    // A change that follows in the same moment would replace this one.
    history.flush()
  }
}

export function usePart(name: string): string {
  return (useParams({ strict: false }) as Readonly<Record<string, string | undefined>>)[name] ?? ''
}

/** Opens an address of the console and replaces the current one in the history. */
export function useReplace() {
  const navigate = useNavigate()
  return (to: string, search: Filters = {}) => void navigate({ to, search: () => search, replace: true })
}

/** Opens an address of the console. */
export function useGoTo() {
  const navigate = useNavigate()
  return (to: string, search: Filters = {}) => void navigate({ to, search: () => search })
}
