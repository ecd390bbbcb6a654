/** Finds the list of rows in the shape of a response. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** The only member of `data` that is a list of objects; undefined if there is none or more than one. */
export function rowsName(data: object): string | undefined {
  const lists = Object.entries((data as Shape).properties ?? {}).filter(
    ([, shape]) => shape.type === 'array' && shape.items?.type === 'object',
  )
  return lists.length === 1 ? lists[0]?.[0] : undefined
}
