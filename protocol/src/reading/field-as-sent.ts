/**
 * The path of an error in the names of the request. The parts of a person's name, the entity number and the expected
 * version have two names, and an error has the one that the caller used (Reading 1.9).
 */
import type { TSchema } from 'typebox'
import type { Rejection } from '../errors.ts'
import { readerOf } from './read-request.ts'
import type { Reader } from './reader.ts'

/** The names of the record that the reader converts to another name. */
const otherNames = ['name1', 'name2', 'name3', 'name4', 'subNumber', 'version']

/** The rejection with the names of the request, in its reason too if this begins with the field. */
export function rejectionAsSent(schema: TSchema, json: unknown, rejection: Rejection): Rejection {
  const { field, reason } = rejection
  const sentAs = fieldAsSent(schema, json, field)
  const named = reason.startsWith(`${field} `) ? sentAs + reason.slice(field.length) : reason
  return sentAs === field ? rejection : { ...rejection, field: sentAs, reason: named }
}

/** The canonical path `field` with the names that the request has in their place. */
export function fieldAsSent(schema: TSchema, json: unknown, field: string): string {
  let reader: Reader | undefined = readerOf(schema)
  let holder = json
  let path = ''
  for (const [, name = '', index] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) {
      path += `[${index}]`
      reader = reader?.item
      holder = Array.isArray(holder) ? holder[Number(index)] : undefined
      continue
    }
    const { sentAs, value } = findMember(reader, holder, name)
    path += path === '' ? sentAs : `.${sentAs}`
    holder = value
    reader = reader?.member?.(name)?.reader
  }
  return path
}

/** The names that the request has in the block at `path`, as they are spelled. None if it has no such block. */
export function namesAsSent(schema: TSchema, json: unknown, path: readonly string[]): string[] {
  let reader: Reader | undefined = readerOf(schema)
  let holder = json
  for (const name of path) {
    holder = findMember(reader, holder, name).value
    reader = reader?.member?.(name)?.reader
  }
  return typeof holder === 'object' && holder !== null ? Object.keys(holder) : []
}

interface SentMember {
  readonly sentAs: string
  readonly value: unknown
}

/** If the request has both names, the canonical one stands for both. */
function findMember(reader: Reader | undefined, holder: unknown, name: string): SentMember {
  const sent =
    typeof holder === 'object' && holder !== null
      ? Object.entries(holder).filter(([spelled]) => reader?.member?.(spelled)?.name === name)
      : []
  const [one, another] = sent
  if (one === undefined || another !== undefined) return { sentAs: name, value: one?.[1] }
  const [spelled, value] = one
  const sentAs = otherNames.find((other) => other.toLowerCase() === spelled.toLowerCase()) ?? name
  return { sentAs, value }
}
