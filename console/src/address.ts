/** What a screen keeps in its address, so that it can be shared: filters and tabs, never personal data. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

export type Filters = Readonly<Record<string, string | undefined>>

export const useFilters = () => {
  const filters = useSearch({ strict: false }) as Filters
  const navigate = useNavigate()
  const set = (changes: Filters) =>
    void navigate({ to: '.', search: { ...filters, ...changes } as never, replace: true })
  return [filters, set] as const
}

export const usePart = (name: string): string =>
  (useParams({ strict: false }) as Readonly<Record<string, string | undefined>>)[name] ?? ''

/** Opens an address of the console. */
export const useGoTo = () => {
  const navigate = useNavigate()
  return (to: string, search: Filters = {}) => void navigate({ to, search: search as never })
}
