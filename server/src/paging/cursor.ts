/**
 * The start of a page of a list, as text that callers send back: the name of the list, and the values of the previous
 * page's last row in the order of the list. One reader serves all lists: a text is a cursor of a list when it names the
 * list and each of its values has the kind that the list declares.
 */
import type { OperationName } from '@clearing/protocol'
import type { CursorField } from './cursor-fields.ts'

/** How the values of a cursor become text, and text becomes values: undefined for a text in another spelling. */
export interface Spelling {
  /** Whether cursors name their list. Without it, the values of each list must be of other kinds. */
  readonly named: boolean
  readonly join: (values: readonly unknown[]) => string
  readonly split: (text: string) => readonly unknown[] | undefined
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString()
}

/** A JSON array: the spelling of every new list. */
const listed: Spelling = {
  named: true,
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
// A list keeps its spelling, so that callers can continue a list that they began before an upgrade.
/** Values separated by a space. */
export const spaced: Spelling = {
  named: true,
  join: (values) => encode(values.join(' ')),
  split: (text) => decode(text).split(' '),
}
/** Values separated by a dot, not encoded. */
export const dotted: Spelling = {
  named: false,
  join: (values) => values.join('.'),
  split: (text) => text.split('.'),
}

type Values<Fields extends readonly CursorField<unknown>[]> = {
  readonly [At in keyof Fields]: Exclude<ReturnType<Fields[At]>, undefined>
}

export interface Cursor<Position extends readonly unknown[]> {
  readonly write: (position: Position) => string
  /** Parses a cursor; undefined for a text that is not a cursor of the list. */
  readonly read: (text: string) => Position | undefined
}

export function cursorOf<const Fields extends readonly CursorField<unknown>[]>(
  list: OperationName,
  fields: Fields,
  spelling: Spelling = listed,
): Cursor<Values<Fields>> {
  return {
    write: (position) => {
      const values = position.map((value) => (typeof value === 'boolean' ? value : String(value)))
      return spelling.join(spelling.named ? [list, ...values] : values)
    },
    read: (text) => {
      const split = spelling.split(text)
      // Cursors of earlier builds name no list.
      const given = spelling.named && split?.[0] === list ? split.slice(1) : split
      if (given?.length !== fields.length) return undefined
      const position = fields.map((read, at) => read(given[at]))
      return position.includes(undefined) ? undefined : (position as unknown as Values<Fields>)
    },
  }
}
