/**
 * Decimal numbers of answers as the exact text that the service wrote. Which members are decimals comes from the
 * operation's data shape: properties of type number, never integers. No property name is both within one operation.
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

/** The names of the decimal members of an operation's answer: for programs that write answers down and must not lose a digit. */
export const decimalNames = (operation: OperationName): ReadonlySet<string> =>
  namesOfType(operations[operation].data, 'number')

/** A reviver for JSON.parse that gives decimals as text; undefined when the shape has none. */
export function decimalReviver(shape: object) {
  const names = namesOfType(shape, 'number')
  if (names.size === 0) return undefined
  return (key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === 'number' && names.has(key) ? (context.source ?? value) : value
}

/** Whether JSON.parse tells a reviver the text of a number: Node 21 and later, browsers since 2025. */
export function canReadSource(): boolean {
  let source: unknown
  const revive = (_key: string, value: unknown, context?: { source?: string }) => {
    source = context?.source
    return value
  }
  JSON.parse('1', revive as Parameters<typeof JSON.parse>[1])
  return source === '1'
}
