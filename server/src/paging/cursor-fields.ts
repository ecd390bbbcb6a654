/**
 * The kinds of values in a cursor. Each kind reads a value as strictly as the database does, so that no
 * cursor, genuine or forged, passes a value that its column cannot contain.
 */

import { parseUuid } from '../ids.ts'

/** Reads a value of a cursor; undefined for a value of another kind. */
export type CursorField<T> = (value: unknown) => T | undefined

function fieldOf(isOne: (text: string) => boolean): CursorField<string> {
  return (value) => (typeof value === 'string' && isOne(value) ? value : undefined)
}

const timeForm = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,6})?Z$/
const secondsLength = 'yyyy-MM-ddTHH:mm:ss'.length
/** PostgreSQL has no year 0. */
const yearZero = '0000'

/** JavaScript reads 31 February as 3 March. A text is a valid time when it renders back to the same text. */
function isTime(text: string): boolean {
  if (!timeForm.test(text) || text.startsWith(yearZero)) return false
  const seconds = text.slice(0, secondsLength)
  const at = new Date(`${seconds}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(seconds)
}

/** A time in UTC as in responses, to the microsecond. */
export const time = fieldOf(isTime)
/** A calendar date, `2026-01-31`. */
export const day = fieldOf((text) => isTime(`${text}T00:00:00Z`))
export const uuid = fieldOf((text) => parseUuid(text) === text)
export const accountNumber = fieldOf((text) => /^[A-Z0-9]{8}$/.test(text))
/** Any text that a text column can contain. */
export function words(lengthMax: number) {
  return fieldOf((text) => text.length <= lengthMax && text.isWellFormed() && !text.includes('\0'))
}
export function oneOf<Text extends string>(...texts: readonly Text[]): CursorField<Text> {
  return (value) => texts.find((text) => text === value)
}

/** A whole number from `min` to `max`. */
export function whole(max: number, min = 0): CursorField<number> {
  return (value) => {
    if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return undefined
    const number = Number(value)
    return number >= min && number <= max ? number : undefined
  }
}

export const yesNo: CursorField<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** A value of one of two kinds. */
export function either<T>(one: CursorField<T>, other: CursorField<T>): CursorField<T> {
  return (value) => one(value) ?? other(value)
}

/** A text after a prefix that names its kind. */
export function marked(mark: string, field: CursorField<string>) {
  return fieldOf((text) => text.startsWith(mark) && field(text.slice(mark.length)) !== undefined)
}
