/** The fields of an account for the table of the documentation. */
import { listFields, operations } from '@clearing/protocol'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly 'x-aliases'?: Readonly<Record<string, string>>
}

function hasPath(shape: Shape, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  if (shape.items) return hasPath(shape.items, [name, ...rest])
  if (shape.anyOf) return shape.anyOf.some((one) => hasPath(one, [name, ...rest]))
  const member = shape.properties?.[shape['x-aliases']?.[name.toLowerCase()] ?? name]
  return member !== undefined && hasPath(member, rest)
}

/**
 * The fields of the record at the paths that `update-account` accepts or returns. Persons of every kind have the same
 * labels.
 */
export function listSentFields() {
  const { request, data } = operations['update-account']
  return listFields().filter(({ path }) =>
    [request, data].some((shape) => hasPath(shape as Shape, path.split('.'))),
  )
}
