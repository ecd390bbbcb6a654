/** Values that the responses of many operations have: a day, a time, and a value that may be null. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox'

/** A calendar day, such as `2026-01-31`. */
export function day(description?: string) {
  return Type.String({ format: 'date', ...(description === undefined ? {} : { description }) })
}

/** A time in UTC, such as `2026-01-31T14:30:00.000Z`. */
export function time(description?: string) {
  return Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
}

export function orNull<T extends TSchema>(shape: T, settings: TSchemaOptions = {}) {
  return Type.Union([shape, Type.Null()], settings)
}
