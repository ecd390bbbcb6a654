/**
 * The kinds of value that a cursor is made of. Each reads one value back as strictly as the database does, so that no cursor, made by
 * us or by anybody else, reaches a statement with a value that its column cannot hold.
 */

/** Reads a value of a cursor: undefined for what is none of its kind. */
export type CursorField<T> = (value: unknown) => T | undefined

const fieldOf =
  (isOne: (text: string) => boolean): CursorField<string> =>
  (value) =>
    typeof value === 'string' && isOne(value) ? value : undefined

const timeForm = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,6})?Z$/
const secondsLength = 'yyyy-MM-ddTHH:mm:ss'.length
/** PostgreSQL has no year 0. */
const yearZero = '0000'

/** JavaScript reads 31 February as 3 March: a time is one when it is written again as it was. */
const isTime = (text: string): boolean => {
  if (!timeForm.test(text) || text.startsWith(yearZero)) return false
  const seconds = text.slice(0, secondsLength)
  const at = new Date(`${seconds}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(seconds)
}

/** A time in UTC as answers have it, to the microsecond. */
export const time = fieldOf(isTime)
/** A calendar date, `2026-01-31`. */
export const day = fieldOf((text) => isTime(`${text}T00:00:00Z`))
export const uuid = fieldOf((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
export const accountNumber = fieldOf((text) => /^[A-Z0-9]{8}$/.test(text))
/** Any text that a column of text can hold. */
export const words = (lengthMax: number) =>
  fieldOf((text) => text.length <= lengthMax && text.isWellFormed() && !text.includes('\0'))
export const oneOf = (...texts: readonly string[]) => fieldOf((text) => texts.includes(text))

/** A whole number from `min` to `max`. */
export const whole =
  (max: number, min = 0): CursorField<number> =>
  (value) => {
    if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return undefined
    const number = Number(value)
    return number >= min && number <= max ? number : undefined
  }

export const yesNo: CursorField<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** A value of one kind or of another. */
export const either =
  <T>(one: CursorField<T>, other: CursorField<T>): CursorField<T> =>
  (value) =>
    one(value) ?? other(value)

/** A text behind a mark that tells its kind. */
export const marked = (mark: string, field: CursorField<string>) =>
  fieldOf((text) => text.startsWith(mark) && field(text.slice(mark.length)) !== undefined)
