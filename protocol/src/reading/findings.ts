/**
 * The rejections of a reading with their paths, limited in number. Paths are rendered only for rejections, so that a
 * valid request does not pay for them.
 */
import { type ErrorCode, type Rejection, reject } from '../errors.ts'
import { limits } from '../limits.ts'

/** The position of a value: a name or an index within a block or list; `undefined` is the request itself. */
export interface Place {
  readonly within: Place | undefined
  readonly key: string | number
}

/** Marks a rejected value, which is left out of the result. */
export const refused = Symbol('refused')

/** The dotted path of a key: `associatedParties[0].birthDate`. */
function renderPath(within: Place | undefined, key: string | number): string {
  const before = within === undefined ? '' : renderPath(within.within, within.key)
  if (typeof key === 'number') return `${before}[${key}]`
  return before === '' ? key : `${before}.${key}`
}

const restated: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['ERR.1010', 'ERR.1016'])

export class Findings {
  readonly rejections: Rejection[] = []
  readonly refusedPaths = new Set<string>()
  /**
   * Rejected values that stay in the result, by path, with the words for which they are rejected: an update may send
   * them back if the record has them.
   */
  readonly unlessStored = new Map<string, readonly string[]>()
  /** Whether the values arrived as text (a form or a query), which has no numbers and booleans. */
  readonly fromText: boolean

  constructor(fromText: boolean) {
    this.fromText = fromText
  }

  /** Whether the reading stops: a response holds at most `limits.rejectionsMax` errors. */
  get full(): boolean {
    return this.rejections.length >= limits.rejectionsMax
  }

  refuse(code: ErrorCode, within: Place | undefined, key: string | number, reason: string): typeof refused {
    return this.refuseAt(code, renderPath(within, key), reason)
  }

  /** Rejects a value that earlier releases accepted, for some of its words. It stays in the result. */
  refuseUnlessStored(place: Place, reason: string, value: string, words: readonly string[]): string {
    this.refuse('ERR.1016', place.within, place.key, reason)
    this.unlessStored.set(renderPath(place.within, place.key), words)
    return value
  }

  /** Gives the rejection of a text at a place another reason. */
  restate({ within, key }: Place, reason: string): void {
    const path = renderPath(within, key)
    const index = this.rejections.findLastIndex(({ code, field }) => field === path && restated.has(code))
    const rejection = this.rejections[index]
    if (rejection !== undefined) this.rejections[index] = { ...rejection, reason }
  }

  refuseAt(code: ErrorCode, path: string, reason: string): typeof refused {
    this.refusedPaths.add(path)
    if (!this.full) this.rejections.push(reject(code, path, reason))
    return refused
  }
}
