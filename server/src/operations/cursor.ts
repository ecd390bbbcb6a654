/** The `after` and `next` of a page: the values that its last row has in the order of the list, as text nobody need understand. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../context.ts'

export const renderCursor = (values: readonly string[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** The values, of which there are so many and each of its form; undefined for no cursor, null for a text that is none. */
export const parseCursor = (
  text: string | undefined,
  forms: readonly RegExp[],
): readonly string[] | undefined | null => {
  if (text === undefined || text === '') return undefined
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(values) || values.length !== forms.length) return null
    return values.every((value, at) => typeof value === 'string' && forms[at]?.test(value)) ? values : null
  } catch {
    return null
  }
}

export const cursorRefused = (): Rejected =>
  new Rejected([reject('ERR.1016', 'after', 'after must be the next of a page.')])

export const cursorForms = {
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  account: /^[A-Z0-9]{8}$/,
  number: /^\d{1,18}$/,
  words: /^.{0,120}$/,
} as const

/** A page of at most `size`, read with one row more, and where the next begins. */
export const pageOfRows = <Row>(
  rows: readonly Row[],
  size: number,
  place: (row: Row) => readonly string[],
): { rows: readonly Row[]; next: string } => {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { rows: page, next: rows.length > size && last !== undefined ? renderCursor(place(last)) : '' }
}
