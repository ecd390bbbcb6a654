/**
 * The kinds of request fields. Each builder returns a JSON Schema (TypeBox). Its keyword `x-reads` defines how the
 * reader (`reading/`) converts a caller's value to the canonical value. The same schema describes the field in OpenAPI
 * and gives its TypeScript type. The description of a field says what it means: that of its kind, or one that the
 * settings give. OpenAPI adds how the value is read (`openapi/describe-reads.ts`).
 */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { CodeListName, CodeOf } from './codes/index.ts'
import { limits } from './limits.ts'
import type { Deprecation } from './operation.ts'

export type Reads =
  | { kind: 'text'; max: number }
  | { kind: 'words'; max: number }
  | { kind: 'wholeName'; max: number }
  | { kind: 'name'; max: number }
  | { kind: 'email'; max: number }
  | { kind: 'code'; list: CodeListName }
  | { kind: 'codes'; list: CodeListName }
  | { kind: 'codeOrText'; list: CodeListName; max: number }
  | { kind: 'flag'; answered: 'True' | 'true' }
  | { kind: 'flagOrText'; max: number }
  | { kind: 'country' | 'state' | 'postal' | 'city' | 'street' }
  | { kind: 'date' | 'birthDate' | 'rangeDate' | 'knownAt' }
  | { kind: 'phone' | 'region' | 'extension' }
  | { kind: 'taxId' | 'accountNumber' | 'entityNumber' | 'repCode' | 'customerId' }
  | { kind: 'percent' | 'count' }
  | { kind: 'apart' }

function reads<T>(schema: TSchema, how: Reads, settings: object = {}) {
  return Type.Unsafe<T>({ ...schema, ...settings, 'x-reads': how })
}

/**
 * `x-deprecated` marks a deprecated field. Responses to requests with the field, and the reference, report the
 * deprecation.
 */
type Settings = { description?: string; examples?: unknown[]; 'x-deprecated'?: Deprecation }

/** Free text: NFC, trimmed, inner white space collapsed, upper case (Reading 1.4). `max` counts characters. */
export function text(max: number, settings: Settings = {}) {
  return reads<string>(Type.String(), { kind: 'text', max }, { maxLength: max, ...settings })
}

/** Text that keeps its letter case: document names, comments (Reading 1.4). */
export function words(max: number, settings: Settings = {}) {
  return reads<string>(Type.String(), { kind: 'words', max }, { maxLength: max, ...settings })
}

/**
 * A whole name in one text, of a person or an entity: free text with the plain marks for typographic ones (Reading
 * 3.5).
 */
export function wholeName(max: number, settings: Settings = {}) {
  return reads<string>(Type.String(), { kind: 'wholeName', max }, { maxLength: max, ...settings })
}

/** A part of a person's name: letters, space, `' - / # . ,` and the marks of scripts; upper case (Reading 3.5). */
export function name(settings: Settings = {}) {
  return reads<string>(
    Type.String(),
    { kind: 'name', max: limits.namePartLengthMax },
    {
      maxLength: limits.namePartLengthMax,
      ...settings,
    },
  )
}

/** An e-mail address. It keeps its letter case. */
export function email(settings: Settings = {}) {
  return reads<string>(
    Type.String(),
    { kind: 'email', max: limits.emailLengthMax },
    { description: 'E-mail address.', maxLength: limits.emailLengthMax, ...settings },
  )
}

/**
 * One value of a coded list, matched without regard to letter case and returned in canonical form (Reading 1.3). New
 * values may be added to a list.
 */
export function code<L extends CodeListName>(list: L, settings: Settings = {}) {
  return reads<CodeOf<L> | (string & {})>(
    Type.String(),
    { kind: 'code', list },
    { 'x-code-list': list, ...settings },
  )
}

/** A value of a coded list, returned in canonical form. Text that is not in the list is kept as free text. */
export function codeOrText<L extends CodeListName>(list: L, max: number, settings: Settings = {}) {
  return reads<CodeOf<L> | (string & {})>(
    Type.String(),
    { kind: 'codeOrText', list, max },
    { maxLength: max, 'x-code-list': list, ...settings },
  )
}

/** One value of a coded list in a response. A client must accept values that it does not know. */
export function answeredCode<L extends CodeListName>(list: L, settings: Settings = {}) {
  return Type.Unsafe<CodeOf<L> | (string & {})>(Type.String({ 'x-code-list': list, ...settings }))
}

/** Several values of a coded list: an array, or one text with values separated by commas. */
export function codes<L extends CodeListName>(list: L, settings: Settings = {}) {
  return reads<(CodeOf<L> | (string & {}))[] | string>(
    Type.Union([Type.Array(Type.String(), { maxItems: limits.arrayItemsMax }), Type.String()]),
    { kind: 'codes', list },
    { 'x-code-list': list, ...settings },
  )
}

/** A Boolean value as text: `true` or `false` in any letter case, or a JSON boolean (Reading 1.3). */
export function flag(answered: 'True' | 'true', settings: Settings = {}) {
  return reads<string | boolean>(
    Type.Union([Type.String(), Type.Boolean()]),
    { kind: 'flag', answered },
    settings,
  )
}

/** `true` or `false` as in `flag`, returned as `True` or `False`. Another text is kept as free text. */
export function flagOrText(max: number, settings: Settings = {}) {
  return reads<string | boolean>(
    Type.Union([Type.String({ maxLength: max }), Type.Boolean()]),
    { kind: 'flagOrText', max },
    settings,
  )
}

function kind(
  which: Exclude<Reads, { max: number } | { list: CodeListName } | { answered: string }>['kind'],
  schema: object = {},
) {
  return (settings: Settings = {}) =>
    reads<string>(Type.String(), { kind: which } as Reads, { ...schema, ...settings })
}

/** Two-letter country code, ISO 3166-1 alpha-2 (Reading 1.7). */
export const country = kind('country', {
  description: 'Country, ISO 3166-1 alpha-2.',
  minLength: 2,
  maxLength: 2,
  examples: ['US'],
})
/** State or province. The allowed values depend on the country (Reading 1.7). */
export const state = kind('state', { description: 'State or province.', examples: ['NJ'] })
/** Postal code. Its form depends on the country (Reading 1.7). */
export const postal = kind('postal', {
  description: 'Postal code.',
  maxLength: limits.postalCodeLengthMax,
  examples: ['07302'],
})
/** City, at most 30 characters (Reading 3.5). */
export const city = kind('city', {
  description: 'City.',
  maxLength: limits.cityLengthMax,
  examples: ['JERSEY CITY'],
})
/** Street: lines of at most 30 characters, at most 60 in all (Reading 3.5). */
export const street = kind('street', {
  description: 'Street, or a post-office box.',
  maxLength: limits.streetLengthMax,
  examples: ['12 HARBOR ST'],
})
/** A calendar date, `yyyy-MM-dd` (Reading 1.6). */
export const date = kind('date', { format: 'date' })
/** A birth date, `yyyy-MM-dd` (Reading 1.6). An invalid birth date is rejected with ERR.1012. */
export const birthDate = kind('birthDate', {
  description: 'Day of birth.',
  format: 'date',
})
/** A date of a range: `yyyy-MM-dd`, also `yyyyMMdd` or `MM/dd/yyyy` (Reading 1.6). */
export const rangeDate = kind('rangeDate', { examples: ['2026-01-31'] })
/** The first day of a filter, which includes it. `what` names the compared day. */
export function earliest(what: string) {
  return rangeDate({ description: `The earliest ${what}.` })
}
/** The last day of a filter, which includes it. */
export function latest(what: string) {
  return rangeDate({ description: `The latest ${what}.` })
}
/** The point of knowledge of a view of the books: the close of a day, `yyyy-MM-dd`, or `now`. */
export const knownAt = kind('knownAt', { examples: ['2026-01-30', 'now'] })
/** A phone number without its region: 6 to 15 digits (Reading 3.5). */
export const phone = kind('phone', {
  description: 'Phone number.',
  pattern: '^[0-9]{6,15}$',
  examples: ['2015550123'],
})
/** The calling code of a phone number's country, `1` for the US (Reading 3.4). */
export const region = kind('region', {
  description: 'Country code of the phone number.',
  pattern: '^\\+?[0-9]{1,4}$',
  examples: ['1'],
})
/** A phone extension, 1 to 5 digits. */
export const extension = kind('extension', {
  description: 'Extension of the phone number.',
  pattern: '^[0-9]{1,5}$',
})
/** Of the tax ids that update-account takes. */
export const maskedAccepted =
  'A change also accepts the masked form of the record, with the last four digits.'
/** A tax id of 9 digits: SSN, EIN or ITIN (Reading 3.5, 3.6). */
export const taxId = kind('taxId', {
  description: `Tax identification number: SSN, EIN or ITIN. ${maskedAccepted}`,
  pattern: '^([0-9]{9}|\\*{5}[0-9]{4})$',
})
/** An account number: 8 letters or digits, matched without regard to letter case (Reading 3.1). */
export const accountNumber = kind('accountNumber', {
  description: 'Number of the account.',
  pattern: '^[A-Za-z0-9]{8}$',
  examples: ['30100001'],
})
/** A representative code of the firm: 4 characters (Reading 2.5). */
export const repCode = kind('repCode', {
  description: 'Code of the representative.',
  maxLength: limits.repCodeLength,
  examples: ['JC01'],
})
/** The service's id of a person of an account: 18 digits. */
export const customerId = kind('customerId', {
  description: 'Number of a person or an entity, the same in all accounts of the firm.',
  pattern: '^[0-9]{18}$',
})
/** A percentage as text with at most two decimals: `50`, `33.33`. */
export const percent = kind('percent', { examples: ['100.00'] })
/** A whole number as text with at most two digits. */
export const count = kind('count', { pattern: '^[0-9]{1,2}$' })

/** An entity number of the firm: 3 digits, as text or as an integer (Reading 1.3). */
export function entityNumber(settings: Settings = {}) {
  return reads<string | number>(
    Type.Union([Type.String({ pattern: '^[0-9]{3}$' }), Type.Integer({ minimum: 0, maximum: 999 })]),
    { kind: 'entityNumber' },
    {
      description: 'Entity number of the firm.',
      examples: ['301'],
      ...settings,
    },
  )
}

/**
 * An object of a request. Property names are matched without regard to letter case. `aliases` maps further accepted
 * spellings, in lower case, to names (Reading 1.1). The contract lists those of `shownAliases` as properties. Unknown
 * names are rejected. A null value is equal to an absent one, unless `blanks` are kept: the operation then
 * distinguishes a deletion from an absent value, at every depth of the block.
 */
export function block<P extends TProperties>(
  properties: P,
  settings: {
    aliases?: Record<string, string>
    shownAliases?: readonly string[]
    blanks?: 'kept'
    description?: string
    examples?: unknown[]
  } = {},
): TObject<P> {
  const { aliases, shownAliases, blanks, ...rest } = settings
  return Type.Object(properties, {
    additionalProperties: false,
    ...rest,
    ...(aliases ? { 'x-aliases': aliases } : {}),
    ...(shownAliases ? { 'x-shown-aliases': shownAliases } : {}),
    ...(blanks ? { 'x-blanks': blanks } : {}),
  }) as TObject<P>
}

/** A list in a request with at most `limits.arrayItemsMax` items. */
export function list<T extends TSchema>(item: T, settings: Settings = {}) {
  return Type.Array(item, { maxItems: limits.arrayItemsMax, ...settings })
}

/**
 * An object that the operation itself reads by this schema. An error in one item of a list then rejects that item, not
 * the whole request.
 */
export function apart<T extends TSchema>(schema: T) {
  return reads<Static<T>>(schema, { kind: 'apart' })
}

export const optional = Type.Optional

/**
 * A copy of the schema with the meaning that it has in this place. The contract still refers to a shared shape by its
 * name.
 */
export function described<T extends TSchema>(schema: T, description: string): T {
  const meaning = { value: description, enumerable: true, configurable: true, writable: true }
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      description: meaning,
    },
  ) as T
}

export type { Static }
