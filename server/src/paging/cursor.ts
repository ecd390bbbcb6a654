/**
 * Where a page of a list begins, as text that callers send back: the values that the last row of the page before has in the order of
 * the list. One reader for all lists: a text is a cursor when each of its values is of the kind that the list says.
 */
import type { CursorField } from './cursor-fields.ts'

/** How the values of a cursor become one text, and back: undefined for a text that is not so spelled. */
export interface Spelling {
  readonly join: (values: readonly unknown[]) => string
  readonly split: (text: string) => readonly unknown[] | undefined
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')
const decode = (text: string): string => Buffer.from(text, 'base64url').toString()

/** An array in JSON: that of every new list. */
const listed: Spelling = {
  join: (values) => encode(JSON.stringify(values)),
  split: (text) => {
    try {
      const values: unknown = JSON.parse(decode(text))
      return Array.isArray(values) ? values : undefined
    } catch {
      return undefined
    }
  },
}
// The release before goes on with a page that this one began, and this one with its pages: a list keeps the spelling that it had.
/** Values with a space between them. */
export const spaced: Spelling = {
  join: (values) => encode(values.join(' ')),
  split: (text) => decode(text).split(' '),
}
/** Values with a dot between them, in the clear. */
export const dotted: Spelling = {
  join: (values) => values.join('.'),
  split: (text) => text.split('.'),
}

type Values<Fields extends readonly CursorField<unknown>[]> = {
  readonly [At in keyof Fields]: Exclude<ReturnType<Fields[At]>, undefined>
}

export interface Cursor<Place extends readonly unknown[]> {
  readonly write: (place: Place) => string
  /** Undefined for a text that is no cursor of the list. */
  readonly read: (text: string) => Place | undefined
}

export function cursorOf<const Fields extends readonly CursorField<unknown>[]>(
  fields: Fields,
  spelling: Spelling = listed,
): Cursor<Values<Fields>> {
  return {
    write: (place) =>
      spelling.join(place.map((value) => (typeof value === 'boolean' ? value : String(value)))),
    read: (text) => {
      const given = spelling.split(text)
      if (given?.length !== fields.length) return undefined
      const place = fields.map((read, at) => read(given[at]))
      return place.includes(undefined) ? undefined : (place as unknown as Values<Fields>)
    },
  }
}
