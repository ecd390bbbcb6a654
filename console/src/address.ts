/**
 * What a screen keeps in its address, so that it can be shared and comes back: filters, tabs, and of each list its order, its
 * position and its highlighted row; never personal data.
 */
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type Filters = Readonly<Record<string, string | undefined>>

export function useFilters() {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (changes: Filters) =>
      void navigate({
        to: '.',
        search: (before: Filters) => ({ ...before, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return [filters, set] as const
}

/**
 * What an address keeps of a list: `order` (`-` before it when descending), the first `row` in sight, the highlighted one (`at`), the
 * columns that are hidden (`hide`), and whether its rows are dense.
 */
export type Kept = 'order' | 'row' | 'at' | 'hide' | 'dense'

/** The name of what is kept of a list, which is called by its label. */
export function keptName(kept: Kept, list: string): string {
  return `${kept}-${list.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

/** Another filter or another order is another list, in which there is no position yet. */
export function forgetPlaces(filters: Filters): Filters {
  return Object.fromEntries(
    Object.keys(filters)
      .filter((name) => /^(row|at)-/.test(name))
      .map((name) => [name, undefined]),
  )
}

/** Writes changes of the address down at once: otherwise one that follows in the same moment takes their place. */
export function useFlush() {
  const { history } = useRouter()
  return history.flush
}

export function usePart(name: string): string {
  return (useParams({ strict: false }) as Readonly<Record<string, string | undefined>>)[name] ?? ''
}

/** Opens an address of the console in the place of this one. */
export function useReplace() {
  const navigate = useNavigate()
  return (to: string, search: Filters = {}) => void navigate({ to, search: () => search, replace: true })
}

/** Opens an address of the console. */
export function useGoTo() {
  const navigate = useNavigate()
  return (to: string, search: Filters = {}) => void navigate({ to, search: () => search })
}
