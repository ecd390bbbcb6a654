/** A page of a list in the order of an index: the rows after a position, in the order of the columns. */
import type { Conditions } from './conditions.ts'

/**
 * The columns of the order with their types. An index begins with the first column, and all columns together identify a
 * row.
 */
export type OrderColumns = readonly (readonly [column: string, type: string])[]

export interface OrderedPage<Name extends string> {
  readonly sortBy: Name
  readonly descending: boolean
  /** The values of the order in the row before the page. */
  readonly after: readonly string[] | undefined
  readonly most: number
}

/** Adds the condition of the position and returns ` order by … limit …`. */
export function orderPage(
  c: Conditions,
  order: OrderColumns,
  { descending, after, most }: Omit<OrderedPage<string>, 'sortBy'>,
): string {
  const [sign, direction] = descending ? ['<', 'desc'] : ['>', 'asc']
  const columns = order.map(([column]) => column)
  if (after !== undefined) {
    const place = order.map(([, type], at) => `${c.bind(after[at] ?? null)}::${type}`)
    // The first column has a condition of its own, so that an index finds it whatever the other columns are.
    c.and(`${columns[0]} ${sign}= ${place[0]} and (${columns.join(', ')}) ${sign} (${place.join(', ')})`)
  }
  return ` order by ${columns.map((column) => `${column} ${direction}`).join(', ')} limit ${most}`
}
