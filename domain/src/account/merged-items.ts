/**
 * A list of the changed record, and the items of the request that named its items. The rules name an item by its
 * position in the record, and a rejection names it by its position in the request.
 */

import { isBlank } from './blank.ts'

/** Replaces the item at the beginning of a path, `largeTraders[0].endDate`. */
function replaceItem(path: string, replacement: (item: string) => string): string {
  const end = path.indexOf(']') + 1
  return replacement(path.slice(0, end)) + path.slice(end)
}

export interface MergeSettings {
  readonly nextCustomerId: () => string
  /** The paths of the request that could not be read. */
  readonly refusedPaths: ReadonlySet<string>
}

/** Whether the reading of the request has refused everything that an item of a list contains. */
export function isUnread(item: unknown, path: string, refusedPaths: ReadonlySet<string>): boolean {
  return (
    isBlank(item) && [...refusedPaths].some((refused) => refused === path || refused.startsWith(`${path}.`))
  )
}

export class MergedItems<T> {
  readonly list: string
  readonly values: T[]
  /** The path of the item in the request, by its path in the record. */
  readonly #named = new Map<string, string>()

  constructor(list: string, values: readonly T[]) {
    this.list = list
    this.values = [...values]
  }

  put(index: number, value: T, path: string): void {
    this.values[index] = value
    this.#named.set(`${this.list}[${index}]`, path)
  }

  isNamed(index: number): boolean {
    return this.#named.has(`${this.list}[${index}]`)
  }

  /** The path in the request of a path in the record. An item that the request does not name keeps its own. */
  inRequest(field: string): string {
    return replaceItem(field, (item) => this.#named.get(item) ?? item)
  }

  /** The paths in the record of paths in the request. Paths of an item that has no place in the record are left out. */
  inRecord(fields: Iterable<string>): ReadonlySet<string> {
    const places = new Map([...this.#named].map(([place, path]) => [path, place]))
    const paths = new Set<string>()
    for (const field of fields) {
      if (!field.startsWith(`${this.list}[`)) paths.add(field)
      else if (places.has(field.slice(0, field.indexOf(']') + 1)))
        paths.add(replaceItem(field, (item) => places.get(item) ?? item))
    }
    return paths
  }
}
