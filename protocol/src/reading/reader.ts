/** What a field's schema is compiled to: a closure that reads one value, and what the readers around it ask. */
import type { Findings, Place, refused } from './findings.ts'
import { type JsonType, renderTypeOf, renderTypes } from './label.ts'

/** Answers the canonical value, `''` when it says nothing, or `refused` after saying why. */
export type Read = (
  given: unknown,
  within: Place | undefined,
  key: string | number,
  findings: Findings,
) => unknown

export interface Reader {
  readonly read: Read
  /** The JSON types it takes: what a union chooses by. */
  readonly types: readonly JsonType[]
  /** The canonical name and reader that a spelling in this block stands for. */
  readonly member?: (spelled: string) => { readonly name: string; readonly reader: Reader } | undefined
  /** The reader of this list's items. */
  readonly item?: Reader
}

export function refuseType(
  label: string,
  types: readonly JsonType[],
  given: unknown,
  within: Place | undefined,
  key: string | number,
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

/** A reader of strings; an empty one is answered as it is, for whoever knows whether that is allowed here. */
export function textReader(label: string, read: ReadText): Reader {
  const types = ['string'] as const
  return {
    types,
    read(given, within, key, findings) {
      if (typeof given !== 'string') return refuseType(label, types, given, within, key, findings)
      return given === '' ? '' : read(given, within, key, findings)
    },
  }
}

/** Nothing was said: absent, null, empty text, empty list. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
