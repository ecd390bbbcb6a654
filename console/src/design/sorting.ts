/** The sort order of a list, kept in the address. */
import { useMemo } from 'react'
import { forgetPlaces, keptName, useFilters } from '../address.ts'

export interface Sorting {
  /** The `sortBy` value of the service, or the key of a column that the console sorts. */
  readonly by: string
  readonly descending: boolean
}

export function useSorting(list: string) {
  const [filters, set] = useFilters()
  const name = keptName('order', list)
  const text = filters[name] ?? ''
  const sorting = useMemo(() => parseSorting(text), [text])
  const sort = (next: Sorting | undefined) =>
    set({ ...forgetPlaces(filters), [name]: next && `${next.descending ? '-' : ''}${next.by}` })
  return [sorting, sort] as const
}

function parseSorting(text: string): Sorting | undefined {
  if (text === '') return undefined
  const descending = text.startsWith('-')
  return { by: descending ? text.slice(1) : text, descending }
}

export interface Order<Name extends string> {
  readonly sortBy: Name | undefined
  readonly sortMode: 'ascend' | 'descend' | undefined
}

/** The order in a request, if the service has it; otherwise none. */
export function renderOrder<Name extends string>(
  sorting: Sorting | undefined,
  orders: readonly { readonly value: Name }[],
): Order<Name> {
  const order = orders.find(({ value }) => value === sorting?.by)
  return {
    sortBy: order?.value,
    sortMode: order && (sorting?.descending ? 'descend' : 'ascend'),
  }
}
