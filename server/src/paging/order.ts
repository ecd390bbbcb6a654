/** A list with several orders: a position names its order and is not valid in another order. */
import type { OperationName } from '@clearing/protocol'
import { cursorOf } from './cursor.ts'
import { type CursorField, oneOf } from './cursor-fields.ts'

export interface Order<Name extends string> {
  readonly sortBy: Name
  readonly descending: boolean
}

/** Returns the order of the request, or the default order. */
export function readOrder<Name extends string>(
  { sortBy, sortMode }: { readonly sortBy?: string; readonly sortMode?: string },
  otherwise: Order<Name>,
): Order<Name> {
  return {
    sortBy: ((sortBy || undefined) as Name | undefined) ?? otherwise.sortBy,
    descending: sortMode ? sortMode === 'descend' : otherwise.descending,
  }
}

/**
 * Positions of an order, by the kinds of their values. Positions of the default order name no order, because they are
 * older than the other orders.
 */
export function positionsOf<Name extends string>(
  list: OperationName,
  { sortBy, descending }: Order<Name>,
  own: Order<Name>,
  fields: readonly CursorField<string>[],
) {
  const isOwn = sortBy === own.sortBy && descending === own.descending
  const name = `${sortBy} ${descending ? 'descend' : 'ascend'}`
  const cursor = cursorOf(list, isOwn ? fields : [oneOf(name), ...fields])
  return {
    write: (position: readonly string[]) => cursor.write(isOwn ? position : [name, ...position]),
    read: (text: string) => cursor.read(text)?.slice(isOwn ? 0 : 1),
  }
}
