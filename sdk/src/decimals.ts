/**
 * Reads decimal numbers of responses as the exact text that the service wrote. The data shape of the operation determines the decimal
 * members: properties of type number, never integers. Within one operation, no property name has both types.
 */
import { type OperationName, operations } from '@clearing/protocol'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The names of all properties of `type` (`number` or `integer`) anywhere in a shape. */
export function namesOfType(
  shape: object,
  type: string,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  const { properties = {}, items, anyOf = [] } = shape as Schema
  for (const [name, property] of Object.entries(properties)) {
    if (property.type === type) found.add(name)
    namesOfType(property, type, found)
  }
  if (items) namesOfType(items, type, found)
  for (const branch of anyOf) namesOfType(branch, type, found)
  return found
}

/** The names of the decimal members of an operation's `data`, for programs that write data elsewhere and must not lose digits. */
export function decimalNames(operation: OperationName): ReadonlySet<string> {
  return namesOfType(operations[operation].data, 'number')
}

/** A reviver for JSON.parse that returns decimals as text; undefined if the shape has no decimals. */
export function decimalReviver(shape: object) {
  const names = namesOfType(shape, 'number')
  if (names.size === 0) return undefined
  return (key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === 'number' && names.has(key) ? (context.source ?? value) : value
}

/** Whether JSON.parse passes the source text of a number to a reviver: Node 21 and later, browsers since 2025. */
export function canReadSource(): boolean {
  let source: unknown
  const revive = (_key: string, value: unknown, context?: { source?: string }) => {
    source = context?.source
    return value
  }
  JSON.parse('1', revive as Parameters<typeof JSON.parse>[1])
  return source === '1'
}
