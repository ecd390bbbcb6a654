/**
 * The table of calls: the properties of each operation that a client needs, as the committed file
 * `protocol/src/calls/table.ts`.
 */
import type { CallRow } from '../calls/call-row.ts'
import { rowsName } from '../calls/rows-name.ts'
import { limits } from '../limits.ts'
import { deprecatedMembers, type OperationDefinition } from '../operation.ts'
import { eventStreamPath } from '../operations/events.ts'
import { operations } from '../operations/index.ts'

export const callTableFile = new URL('../calls/table.ts', import.meta.url)

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** The names of all properties of `type` (`number` or `integer`), nullable or not, anywhere in a shape. */
export function namesOfType(shape: object, type: string, found: Set<string> = new Set()): Set<string> {
  const { properties = {}, items, anyOf = [] } = shape as Shape
  for (const [name, property] of Object.entries(properties)) {
    if ([property, ...(property.anyOf ?? [])].some((branch) => branch.type === type)) found.add(name)
    namesOfType(property, type, found)
  }
  if (items) namesOfType(items, type, found)
  for (const branch of anyOf) namesOfType(branch, type, found)
  return found
}

function callRowOf(operation: OperationDefinition): CallRow {
  const { audience, inSandbox, writes, body, answers, data } = operation
  const { properties = {} } = operation.request as Shape
  const rows = 'after' in properties ? rowsName(data) : undefined
  const first = ['page', ...deprecatedMembers(operation).keys()].filter((member) => member in properties)
  const decimals = [...namesOfType(data, 'number')]
  return {
    ...(audience === 'firm' ? {} : { audience }),
    ...(inSandbox === undefined ? {} : { inSandbox: true }),
    ...(writes ? { writes } : {}),
    ...(body === 'json' ? {} : { body }),
    ...(answers === 'file' ? { answers } : {}),
    ...(rows === undefined ? {} : { rows }),
    ...(rows === undefined || first.length === 0 ? {} : { first: [...new Set(first)] }),
    ...(decimals.length === 0 ? {} : { decimals }),
  }
}

export function renderCallTable(): string {
  const rows = Object.entries(operations).map(
    ([name, operation]) => `  '${name}': ${JSON.stringify(callRowOf(operation))},`,
  )
  return `// biome-ignore-all format: a row for each operation
/**
 * What a client needs of each operation. Written by \`node protocol/src/openapi/write.ts\` from the definitions of the
 * operations.
 */
import type { OperationName } from '../operations/index.ts'
import type { CallRow } from './call-row.ts'

export const eventStreamPath = '${eventStreamPath}'
export const idempotencyKeyLengthMax = ${limits.idempotencyKeyLengthMax}
export const uploadSizeBytesMax = ${limits.uploadSizeBytesMax}
export const webhookToleranceSeconds = ${limits.webhookToleranceSeconds}

export const calls: Readonly<Record<OperationName, CallRow>> = {
${rows.join('\n')}
}
`
}
