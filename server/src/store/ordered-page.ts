/** A page of a list that an index orders: the rows behind a place, in the order of its columns. */
import type { Conditions } from './conditions.ts'

/** What an order goes by, and the types: an index begins with the first, and together they tell every row from every other. */
export type OrderColumns = readonly (readonly [column: string, type: string])[]

export interface OrderedPage<Name extends string> {
  readonly sortBy: Name
  readonly descending: boolean
  /** The values of the order, of the row before the page. */
  readonly after: readonly string[] | undefined
  readonly most: number
}

/** Adds the condition of the place, and answers ` order by … limit …`. */
export function orderPage(
  c: Conditions,
  order: OrderColumns,
  { descending, after, most }: Omit<OrderedPage<string>, 'sortBy'>,
): string {
  const [sign, direction] = descending ? ['<', 'desc'] : ['>', 'asc']
  const columns = order.map(([column]) => column)
  if (after !== undefined) {
    const place = order.map(([, type], at) => `${c.bind(after[at] ?? null)}::${type}`)
    // The first alone, too: an index finds it whatever the others are.
    c.and(`${columns[0]} ${sign}= ${place[0]} and (${columns.join(', ')}) ${sign} (${place.join(', ')})`)
  }
  return ` order by ${columns.map((column) => `${column} ${direction}`).join(', ')} limit ${most}`
}
