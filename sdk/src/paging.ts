/** Lists that come in pages as one loop over their rows: each page is asked for `after` the `next` of the one before. */
import { deprecatedMembers, type OperationDefinition } from '@clearing/protocol'
import type { Answer } from './answer.ts'
import type { CallSettings } from './settings.ts'

/** What the answer of a list that comes in pages has: where the next one begins, empty on the last. */
export interface Page {
  readonly next: string
}

/** The rows of an answer: the items of its list of objects. */
export type RowOf<Data> = {
  [Name in keyof Data]: Data[Name] extends readonly (infer Row extends object)[] ? Row : never
}[keyof Data]

type Values = Readonly<Record<string, unknown>>
type ListMethod = (request: Values, settings: CallSettings) => Promise<Answer<unknown>>

export interface Paging {
  /** The member of the answer that holds the rows. */
  readonly rows: string
  /** Members of the request that name the first page in another way. */
  readonly older: ReadonlySet<string>
}

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** How the list of an operation is paged; undefined of operations that answer everything at once. */
export function pagingOf(operation: Pick<OperationDefinition, 'request' | 'data'>): Paging | undefined {
  const { request, data } = operation as { request: Shape; data: Shape }
  const rows = rowsName(data)
  if (rows === undefined || !('after' in (request.properties ?? {}))) return undefined
  return { rows, older: new Set(['page', ...deprecatedMembers(operation).keys()]) }
}

/** The one member of an answer that is a list of objects; undefined when there is none, or several. */
export function rowsName(data: object): string | undefined {
  const lists = Object.entries((data as Shape).properties ?? {}).filter(
    ([, shape]) => shape.type === 'array' && shape.items?.type === 'object',
  )
  return lists.length === 1 ? lists[0]?.[0] : undefined
}

/** Every row from where the request begins, page after page. */
export async function* eachRow(
  method: ListMethod,
  { rows, older }: Paging,
  request: Values,
  settings: CallSettings,
): AsyncGenerator<unknown, void, undefined> {
  const going = Object.fromEntries(Object.entries(request).filter(([name]) => !older.has(name)))
  for (let wanted = request; ; ) {
    const { data } = (await method(wanted, settings)) as { data: Values }
    yield* data[rows] as unknown[]
    const { next } = data
    if (next === '') return
    // A list that ends too early would pass for a whole one.
    if (typeof next !== 'string') throw new Error('the service answers no next: it is older than this client')
    wanted = { ...going, after: next }
  }
}
