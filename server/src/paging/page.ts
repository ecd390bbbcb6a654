/** Pages of a list: the start of the requested page, and the start of the next one. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Cursor } from './cursor.ts'

/** The paging members of a request. */
export interface PageRequest {
  readonly after?: string
  /** The older name of `after`, in the lists that had it. */
  readonly cursor?: string
}

/** Returns the text of the position in a request and the member that holds it; undefined when the request has none. */
export function findPosition({
  after,
  cursor,
}: PageRequest): { readonly text: string; readonly field: 'after' | 'cursor' } | undefined | Rejected {
  if (after && cursor && after !== cursor)
    return new Rejected([
      reject('ERR.1014', 'after', 'after and cursor are the same position: send only one of them.'),
    ])
  if (after) return { text: after, field: 'after' }
  return cursor ? { text: cursor, field: 'cursor' } : undefined
}

/** Returns the position after which the page begins; undefined at the beginning of the list. */
export function readPosition<Position extends readonly unknown[]>(
  cursor: Cursor<Position>,
  request: PageRequest,
): Position | undefined | Rejected {
  const found = findPosition(request)
  if (found === undefined || found instanceof Rejected) return found
  return cursor.read(found.text) ?? new Rejected([refuse[found.field]])
}

const refuse = {
  after: reject('ERR.1016', 'after', 'after must be the next of a page of this list.'),
  cursor: reject('ERR.1015', 'cursor', 'cursor must be the nextCursor of a page of this list.'),
} as const

/**
 * Returns at most `size` of the rows, of which one more was read, and the start of the next page: empty on the last
 * page.
 */
export function pageOfRows<Row, Position extends readonly unknown[] | []>(
  rows: readonly Row[],
  size: number,
  cursor: Cursor<Position>,
  positionOf: (row: Row) => Position,
): { rows: readonly Row[]; next: string } {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { rows: page, next: rows.length > size && last !== undefined ? cursor.write(positionOf(last)) : '' }
}
