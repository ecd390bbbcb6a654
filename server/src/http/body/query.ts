/** The members that travel in the address of a request: of bodies of lines alone, all others have none. */
import { type JsonPath, type Rejection, reject } from '@clearing/protocol'

export interface Members {
  readonly members: Record<string, unknown>
  readonly duplicates: readonly JsonPath[]
}

/** Named texts as one object; names given twice in one spelling are told apart, since an object holds one of them. */
export function gatherMembers(entries: Iterable<readonly [string, unknown]>): Members {
  const members = new Map<string, unknown>()
  const duplicates: JsonPath[] = []
  for (const [name, value] of entries) {
    if (members.has(name)) duplicates.push([name])
    members.set(name, value)
  }
  return { members: Object.fromEntries(members), duplicates }
}

export const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

export const readQuery = (query: string): Members => gatherMembers(new URLSearchParams(query))

const namesMax = 20

/** A value in the address of an operation that reads none is refused, not passed over (Reading 1.2). */
export function refuseQuery(query: string): Rejection[] {
  const names = [...new Set(new URLSearchParams(query).keys())].slice(0, namesMax)
  return names.map((name) =>
    reject('ERR.2001', name, 'The operation takes nothing from the query; send it in the body.'),
  )
}
