/**
 * Lists that come in pages as one loop over their rows. Where the next page begins follows from the shapes of the operation:
 * by `cursor` and `nextCursor`, `after` and `next`, `afterLine` and `nextLine`, or by `page` and `total`.
 */
import type { OperationDefinition } from '@clearing/protocol'
import type { Answer } from './answer.ts'
import type { CallSettings } from './settings.ts'

/** What the answer of a list that comes in pages has. */
export type Page =
  | { nextCursor: string | null }
  | { next: string }
  | { nextLine: number | null }
  | { page: number; size: number; total: number }

/** The rows of an answer: the items of its list of objects. */
export type RowOf<Data> = {
  [Name in keyof Data]: Data[Name] extends readonly (infer Row extends object)[] ? Row : never
}[keyof Data]

type Values = Readonly<Record<string, unknown>>
type ListMethod = (request: Values, settings: CallSettings) => Promise<Answer<unknown>>

interface Paging {
  /** The member of the answer that holds the rows. */
  readonly rows: string
  /** What to add to the request for the page after this one; undefined after the last. */
  readonly next: (data: Values, request: Values) => Values | undefined
}

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** How the list of an operation is paged; undefined of operations that answer everything at once. */
export function pagingOf({ request, data }: OperationDefinition): Paging | undefined {
  const wanted = (request as Shape).properties ?? {}
  const answered = (data as Shape).properties ?? {}
  const rows = rowsName(data as Shape)
  if (rows === undefined) return undefined
  for (const [place, next] of places) {
    if (place in wanted && next in answered) {
      return { rows, next: (page) => follow(place, page[next], page.more) }
    }
  }
  if ('page' in wanted && 'total' in answered) return { rows, next: (page) => nextNumber(page) }
  return undefined
}

const places = [
  ['cursor', 'nextCursor'],
  ['after', 'next'],
  ['afterLine', 'nextLine'],
] as const

/** The one member of an answer that is a list of objects; undefined when there is none, or several. */
export function rowsName(data: object): string | undefined {
  const lists = Object.entries((data as Shape).properties ?? {}).filter(
    ([, shape]) => shape.type === 'array' && shape.items?.type === 'object',
  )
  return lists.length === 1 ? lists[0]?.[0] : undefined
}

const follow = (place: string, next: unknown, more: unknown): Values | undefined =>
  more === false || next === undefined || next === null || next === '' ? undefined : { [place]: next }

const nextNumber = ({ page, size, total }: Values): Values | undefined =>
  Number(page) * Number(size) < Number(total) ? { page: Number(page) + 1 } : undefined

/** Every row from where the request begins, page after page. */
export async function* eachRow(
  method: ListMethod,
  { rows, next }: Paging,
  request: Values,
  settings: CallSettings,
): AsyncGenerator<unknown, void, undefined> {
  let wanted: Values | undefined = request
  while (wanted !== undefined) {
    const { data } = (await method(wanted, settings)) as { data: Values }
    yield* data[rows] as unknown[]
    const place = next(data, wanted)
    wanted = place === undefined ? undefined : { ...request, ...place }
  }
}
