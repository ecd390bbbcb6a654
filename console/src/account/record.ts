/** An account's record in the form of the screens: values by path, for any blocks. */
import type { Answered } from '../client.ts'

type Json = unknown
export type Block = Readonly<Record<string, Json>>

/** Both shapes of get-account as one record. */
export function recordOf(data: Answered<'get-account'>): Block {
  const { message } = data as { message?: Block }
  return message ?? (data as Block)
}

export function isBlock(value: Json): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every value of a record by its path: `primaryOwner.legalAddress.city`. */
export function flatten(value: Json, path = ''): [path: string, value: string][] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) {
    if (value.every((each) => !isBlock(each))) return value.length === 0 ? [] : [[path, value.join(', ')]]
    return value.flatMap((each, index) => flatten(each, `${path}[${index}]`))
  }
  if (isBlock(value)) {
    return Object.entries(value).flatMap(([name, each]) =>
      flatten(each, path === '' ? name : `${path}.${name}`),
    )
  }
  return [[path, String(value)]]
}
