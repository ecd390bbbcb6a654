/** The order of a list that can be asked for in several: its places name it, and mean nothing in another one. */
import { cursorOf } from './cursor.ts'
import { type CursorField, oneOf } from './cursor-fields.ts'

export interface Order<Name extends string> {
  readonly sortBy: Name
  readonly descending: boolean
}

/** The order that a request asks for, or that of a request which says nothing. */
export function orderOf<Name extends string>(
  { sortBy, sortMode }: { readonly sortBy?: string; readonly sortMode?: string },
  otherwise: Order<Name>,
): Order<Name> {
  return {
    sortBy: ((sortBy || undefined) as Name | undefined) ?? otherwise.sortBy,
    descending: sortMode ? sortMode === 'descend' : otherwise.descending,
  }
}

/** Places of an order, by the kinds of their values. Those of the list's own order name none: they are older than the others. */
export function placesOf<Name extends string>(
  { sortBy, descending }: Order<Name>,
  own: Order<Name>,
  fields: readonly CursorField<string>[],
) {
  const isOwn = sortBy === own.sortBy && descending === own.descending
  const name = `${sortBy} ${descending ? 'descend' : 'ascend'}`
  const cursor = cursorOf(isOwn ? fields : [oneOf(name), ...fields])
  return {
    write: (place: readonly string[]) => cursor.write(isOwn ? place : [name, ...place]),
    read: (text: string) => cursor.read(text)?.slice(isOwn ? 0 : 1),
  }
}
