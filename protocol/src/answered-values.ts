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

export function textOf(description: string) {
  return Type.String({ description })
}

export function wholeOf(description: string) {
  return Type.Integer({ description })
}

export function listOf<T extends TSchema>(item: T, description: string) {
  return Type.Array(item, { description })
}

/** The firm of a row in a list over all firms. */
export const ofFirm = {
  firmId: Type.String({ format: 'uuid', description: 'ID of the firm.' }),
  firmName: textOf('Name of the firm.'),
}

/** The security of a row. */
export const namesOfSecurity = {
  secNo: textOf('Number of the security in the books.'),
  symbol: textOf('Ticker symbol; empty without one.'),
  cusip: textOf('CUSIP; empty without one.'),
  description: textOf('Description of the security.'),
}

export const numberOfAccount = textOf('Number of the account.')
export const titleOfAccount = textOf('Title of the account.')

export function orNull<T extends TSchema>(shape: T, settings: TSchemaOptions = {}) {
  return Type.Union([shape, Type.Null()], settings)
}

/** Of a call for an intraday margin deficit: what shows whether the customer makes a practice of it. */
export const unsatisfiedDeficits = orNull(Type.Integer(), {
  description:
    'Of a call `Intraday`: the number of intraday margin deficits of the account, in the twelve months until this one, that were not satisfied by the fifth business day and exceeded the smaller of 5 % of the equity and 1,000.00 (FINRA Rule 4210(d)(2)(D)). Null for other calls and for a closed day.',
})
