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

/** The rejections with the names of the request, in a reason too if this begins with the field. */
export function rejectionsAsSent(
  schema: TSchema,
  json: unknown,
  rejections: readonly Rejection[],
): Rejection[] {
  const members = new SentMembers()
  return rejections.map((rejection) => {
    const { field, reason } = rejection
    const sentAs = fieldAsSent(schema, json, field, members)
    const named = reason.startsWith(`${field} `) ? sentAs + reason.slice(field.length) : reason
    return sentAs === field ? rejection : { ...rejection, field: sentAs, reason: named }
  })
}

/** The canonical path `field` with the names that the request has in their place. */
export function fieldAsSent(
  schema: TSchema,
  json: unknown,
  field: string,
  members: SentMembers = new SentMembers(),
): string {
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
    const { sentAs, value } = members.find(reader, holder, name)
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
  const members = new SentMembers()
  for (const name of path) {
    holder = members.find(reader, holder, name).value
    reader = reader?.member?.(name)?.reader
  }
  return typeof holder === 'object' && holder !== null ? Object.keys(holder) : []
}

interface SentMember {
  readonly sentAs: string
  readonly value: unknown
}

/**
 * The members of the blocks of one request by their canonical names. The names of a block are read once, for all
 * rejections: a block can have 50,000 names and a response 1,000 rejections.
 */
class SentMembers {
  readonly #blocks = new Map<object, ReadonlyMap<string, SentMember>>()

  /** If the request has both names, the canonical one stands for both. */
  find(reader: Reader | undefined, holder: unknown, name: string): SentMember {
    const absent = { sentAs: name, value: undefined }
    if (reader?.member === undefined || typeof holder !== 'object' || holder === null) return absent
    let members = this.#blocks.get(holder)
    if (members === undefined) {
      members = membersByName(reader, holder)
      this.#blocks.set(holder, members)
    }
    return members.get(name) ?? absent
  }
}

function membersByName(reader: Reader, holder: object): ReadonlyMap<string, SentMember> {
  const members = new Map<string, SentMember>()
  for (const [spelled, value] of Object.entries(holder)) {
    const name = reader.member?.(spelled)?.name
    if (name === undefined) continue
    const earlier = members.get(name)
    const other = otherNames.find((one) => one.toLowerCase() === spelled.toLowerCase())
    if (earlier === undefined) members.set(name, { sentAs: other ?? name, value })
    else members.set(name, { sentAs: name, value: earlier.value })
  }
  return members
}
