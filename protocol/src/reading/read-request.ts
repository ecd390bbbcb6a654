/**
 * Reads the request of an operation by its schema: converts a caller's JSON to the canonical value and finds all errors
 * at once (Reading 1.9). Pure: no clock, no I/O. The service, the sdk and the console use the same reader.
 */

import type { Static, TSchema } from 'typebox'
import type { Rejection } from '../errors.ts'
import { compileSchema } from './compile.ts'
import { Findings } from './findings.ts'
import type { JsonPath } from './json-text.ts'
import { labelOf } from './label.ts'
import { showUnknownName } from './mask-name.ts'
import type { Reader } from './reader.ts'

export interface Reading<T> {
  /** The result in canonical names and forms, without rejected values. Complete only if there are no rejections. */
  readonly value: T
  readonly rejections: readonly Rejection[]
  /** The rejected paths, so that later rules do not report them again. */
  readonly refusedPaths: ReadonlySet<string>
  /**
   * The rejected values that earlier releases accepted, by path, with the words for which they are rejected. They are
   * in the result, so that an update can send back a record that has them.
   */
  readonly unlessStored: ReadonlyMap<string, readonly string[]>
}

export interface ReadingSettings {
  /** Paths of duplicate keys of the JSON text, in the spelling of the caller (`parseJson`). */
  readonly duplicates?: readonly JsonPath[]
  /** Whether all values are texts (a form or a query), which has no numbers and booleans. */
  readonly fromText?: boolean
}

const readers = new WeakMap<TSchema, Reader>()

/** The reader of a schema. A schema is compiled once. */
export function readerOf(schema: TSchema): Reader {
  let reader = readers.get(schema)
  if (reader === undefined) {
    reader = compileSchema(schema, 'The request')
    readers.set(schema, reader)
  }
  return reader
}

/** Compiles the readers of a schema now instead of at the first request. Throws if the schema has no reader. */
export function prepareReading(schema: TSchema): void {
  readerOf(schema)
}

/** Reads `json` by `schema`. Rejections: 1000 to 1016, 1024, 2001, 2002 of the catalogue (Reading 1.1 to 1.7). */
export function readRequest<S extends TSchema>(
  schema: S,
  json: unknown,
  settings: ReadingSettings = {},
): Reading<Static<S>> {
  const reader = readerOf(schema)
  const findings = new Findings(settings.fromText ?? false)
  const read = reader.read(json, undefined, '', findings)
  const value = typeof read === 'object' && read !== null ? read : {}
  for (const duplicate of settings.duplicates ?? []) refuseDuplicate(reader, value, duplicate, findings)
  const { rejections, refusedPaths, unlessStored } = findings
  return { value: value as Static<S>, rejections, refusedPaths, unlessStored }
}

/** A duplicate key of the text. JSON.parse keeps the last value, which may not be the intended one. */
function refuseDuplicate(root: Reader, value: object, duplicate: JsonPath, findings: Findings): void {
  let reader: Reader | undefined = root
  let holder: unknown = value
  let path = ''
  let name = ''
  let shown = ''
  duplicate.forEach((segment, depth) => {
    if (typeof segment === 'number') {
      path += `[${segment}]`
      reader = reader?.item
      holder = Array.isArray(holder) ? holder[segment] : undefined
      return
    }
    const member = reader?.member?.(segment)
    name = member?.name ?? segment
    shown = member?.name ?? showUnknownName(segment)
    path += path === '' ? shown : `.${shown}`
    reader = member?.reader
    if (depth < duplicate.length - 1) holder = (holder as Record<string, unknown> | undefined)?.[name]
  })
  if (holder !== null && typeof holder === 'object' && !Array.isArray(holder)) {
    delete (holder as Record<string, unknown>)[name]
  }
  findings.refuseAt('ERR.1014', path, `${labelOf(shown)} is given twice.`)
}
