/**
 * The differences between two versions of a record, value by value, in the order of the paths. Items of lists are
 * matched by customer id, large traders by large trader id, so that an item that only moved has not changed.
 */
import type { AccountRecord } from './record.ts'

/** A value before and after; null if absent. */
export interface ValueChange {
  readonly field: string
  readonly from: string | string[] | null
  readonly to: string | string[] | null
}

type Value = string | string[]

/** Returns each value that differs, sorted by its path. `null` stands for an absent value. */
export function compareRecords(before: AccountRecord, after: AccountRecord): ValueChange[] {
  const old = new Map(valuesOf(before, ''))
  const changes: ValueChange[] = []
  for (const [field, to] of valuesOf(after, '')) {
    const from = old.get(field) ?? null
    old.delete(field)
    if (JSON.stringify(from) !== JSON.stringify(to)) changes.push({ field, from, to })
  }
  for (const [field, from] of old) changes.push({ field, from, to: null })
  return changes.sort((one, other) => (one.field < other.field ? -1 : 1))
}

/** Every single value with its path. */
function* valuesOf(value: unknown, path: string): Generator<[string, Value]> {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) {
      if (value.length > 0) yield [path, value.map(String)]
      return
    }
    for (const item of value) yield* valuesOf(item, `${path}[${keyOf(item)}]`)
    return
  }
  if (typeof value !== 'object') {
    yield [path, String(value)]
    return
  }
  for (const [name, member] of Object.entries(value)) {
    yield* valuesOf(member, path === '' ? name : `${path}.${name}`)
  }
}

function keyOf(item: { customerId?: string; largeTraderId?: string }): string {
  return item.customerId ?? item.largeTraderId ?? ''
}
