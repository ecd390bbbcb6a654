/** Iterates over the rows of a list in pages. The `next` of a page is the `after` of the next request. */
import type { OperationName } from '@clearing/protocol'
import { calls } from '@clearing/protocol/calls'
import type { Answer } from './answer.ts'
import { checkNames, settingNames } from './setting-names.ts'
import type { CallSettings } from './settings.ts'

/** The `data` of a list in pages: the cursor of the next page, empty on the last page. */
export interface Page {
  readonly next: string
}

/** The rows of a response: the items of its list of objects. */
export type RowOf<Data> = {
  [Name in keyof Data]: Data[Name] extends readonly (infer Row extends object)[] ? Row : never
}[keyof Data]

/** Settings of `each`. The settings of a call apply to the request of every page. */
export interface EachSettings<Data> extends CallSettings {
  /**
   * Called with the response of each page, before its rows. Read its `message`: an empty page can state that your firm
   * has no account with the number of the filter.
   */
  readonly onPage?: ((page: Answer<Data>) => void) | undefined
}

type Values = Readonly<Record<string, unknown>>
type ListMethod = (request: Values, settings: CallSettings) => Promise<Answer<unknown>>

export interface Paging {
  /** The member of `data` that holds the rows. */
  readonly rows: string
  /** Other members of the request that select the first page. */
  readonly older: ReadonlySet<string>
}

/** How the list of an operation is paged; undefined for operations without pages. */
export function pagingOf(operation: OperationName): Paging | undefined {
  const { rows, first } = calls[operation]
  return rows === undefined ? undefined : { rows, older: new Set(first) }
}

/** All rows, from the page of the request on. */
export async function* eachRow(
  method: ListMethod,
  { rows, older }: Paging,
  request: Values,
  { onPage, ...settings }: EachSettings<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  checkNames({ onPage, ...settings }, settingNames.each)
  const going = Object.fromEntries(Object.entries(request).filter(([name]) => !older.has(name)))
  for (let wanted = request; ; ) {
    const page = await method(wanted, settings)
    onPage?.(page)
    const data = page.data as Values
    for (const row of data[rows] as unknown[]) {
      settings.signal?.throwIfAborted()
      yield row
    }
    const { next } = data
    if (next === '') return
    // Otherwise an incomplete list would look complete.
    if (typeof next !== 'string')
      throw new Error('the response has no next: the service is older than this client')
    wanted = { ...going, after: next }
  }
}
