/**
 * What a reading finds: rejections with the path of each, bounded in number. Paths are rendered only when something
 * is wrong, so that a right request pays nothing for them.
 */
import { type ErrorCode, type Rejection, reject } from '../errors.ts'
import { limits } from '../limits.ts'

/** Where a value stands: a name or an index within a block or list; `undefined` is the request itself. */
export interface Place {
  readonly within: Place | undefined
  readonly key: string | number
}

/** Stands for a value that was refused: it is left out of what is read. */
export const refused = Symbol('refused')

/** The dotted path of a key within a place: `associatedParties[0].birthDate`. */
function renderPath(within: Place | undefined, key: string | number): string {
  const before = within === undefined ? '' : renderPath(within.within, within.key)
  if (typeof key === 'number') return `${before}[${key}]`
  return before === '' ? key : `${before}.${key}`
}

export class Findings {
  readonly rejections: Rejection[] = []
  readonly refusedPaths = new Set<string>()
  /** The values came as text (a form, a query), where a number or a boolean has no type of its own. */
  readonly fromText: boolean

  constructor(fromText: boolean) {
    this.fromText = fromText
  }

  /** No more is looked for: the answer has room for `limits.rejectionsMax` errors. */
  get full(): boolean {
    return this.rejections.length >= limits.rejectionsMax
  }

  refuse(code: ErrorCode, within: Place | undefined, key: string | number, reason: string): typeof refused {
    return this.refuseAt(code, renderPath(within, key), reason)
  }

  refuseAt(code: ErrorCode, path: string, reason: string): typeof refused {
    this.refusedPaths.add(path)
    if (!this.full) this.rejections.push(reject(code, path, reason))
    return refused
  }
}
