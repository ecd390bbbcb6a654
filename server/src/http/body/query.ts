/** Reads members from the query of a request. Only operations with a body of lines have such members. */
import { type JsonPath, type Rejection, reject } from '@clearing/protocol'

export interface Members {
  readonly members: Record<string, unknown>
  readonly duplicates: readonly JsonPath[]
}

/**
 * Gathers named texts in one object. A name that is given twice in one spelling is reported, because an object holds
 * only one of the values.
 */
export function gatherMembers(entries: Iterable<readonly [string, unknown]>): Members {
  const members = new Map<string, unknown>()
  const duplicates: JsonPath[] = []
  for (const [name, value] of entries) {
    if (members.has(name)) duplicates.push([name])
    members.set(name, value)
  }
  return { members: Object.fromEntries(members), duplicates }
}

export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

export function readQuery(query: string): Members {
  return gatherMembers(new URLSearchParams(query))
}

const namesMax = 20

/**
 * Refuses a query on operations that read none; ignoring the query would hide a mistake (Reading 1.2).
 * new-account accepts `submit=true`, because it always submits. It refuses `submit=false`, because there are
 * no drafts.
 */
export function refuseQuery(operation: string, query: string): Rejection[] {
  const given = new Map([...new URLSearchParams(query)].slice(0, namesMax))
  const takesSubmit = operation === 'new-account'
  return [...given].flatMap(([name, value]) => {
    if (!takesSubmit || name.toLowerCase() !== 'submit') {
      const other = takesSubmit ? 'no query parameters except submit' : 'no query parameters'
      return [reject('ERR.2001', name, `The operation takes ${other}; send the values in the body.`)]
    }
    if (value.toLowerCase() === 'true') return []
    return [
      reject(
        'ERR.1015',
        name,
        'Drafts are not stored: check an incomplete application with validate-account.',
      ),
    ]
  })
}
