/**
 * The visible columns and the density of a list, kept in the address, so that Back, reloading and saved views restore
 * them.
 */
import { keptName, useFilters } from '../address.ts'

export interface ListShape {
  /** Keys of the hidden columns. */
  readonly hidden: ReadonlySet<string>
  readonly isCompact: boolean
  show(column: string, shown: boolean): void
  setCompact(compact: boolean): void
}

export function useListShape(list: string): ListShape {
  const [filters, set] = useFilters()
  const [hide, dense] = [keptName('hide', list), keptName('dense', list)]
  const hidden = new Set((filters[hide] ?? '').split('.').filter((key) => key !== ''))
  return {
    hidden,
    isCompact: filters[dense] === 'yes',
    show(column, shown) {
      const next = shown ? [...hidden].filter((key) => key !== column) : [...hidden, column]
      set({ [hide]: next.length === 0 ? undefined : next.join('.') })
    },
    setCompact: (compact) => set({ [dense]: compact ? 'yes' : undefined }),
  }
}
