/** The compiled form of a field's schema: a closure that reads one value, and the facts that enclosing readers need. */
import type { Findings, Place, refused } from './findings.ts'
import { type JsonType, renderTypeOf, renderTypes } from './label.ts'

/** Returns the canonical value, `''` for an empty value, or `refused` after adding a rejection. */
export type Read = (
  given: unknown,
  within: Place | undefined,
  key: string | number,
  findings: Findings,
) => unknown

export interface Reader {
  readonly read: Read
  /** The JSON types that the reader takes. A union chooses its member by them. */
  readonly types: readonly JsonType[]
  /** The canonical name and the reader of a spelling in this block. */
  readonly member?: (spelled: string) => { readonly name: string; readonly reader: Reader } | undefined
  /** The reader of the items of this list. */
  readonly item?: Reader
}

export function refuseType(
  label: string,
  types: readonly JsonType[],
  given: unknown,
  { within, key }: Place,
  findings: Findings,
): typeof refused {
  const reason = `${label} must be ${renderTypes(types)}; got ${renderTypeOf(given)}.`
  return findings.refuse('ERR.2002', within, key, reason)
}

export type ReadText = (
  text: string,
  within: Place | undefined,
  key: string | number,
  findings: Findings,
) => unknown

/** A reader of strings. It returns an empty string unchanged; the enclosing block decides whether empty is allowed. */
export function textReader(label: string, read: ReadText): Reader {
  const types = ['string'] as const
  return {
    types,
    read(given, within, key, findings) {
      if (typeof given !== 'string') return refuseType(label, types, given, { within, key }, findings)
      return given === '' ? '' : read(given, within, key, findings)
    },
  }
}

/** Whether a value is empty: absent, null, an empty text or an empty list. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
