/**
 * The one form in which lists come a page at a time: `after` and `size` in the request, `next` in the answer, which is sent as the
 * `after` of the page that follows and is empty on the last. Older names of the same things go on working.
 */
import Type from 'typebox'
import { optional, words } from './field.ts'
import { limits } from './limits.ts'
import type { Deprecation } from './operation.ts'

export interface PageSettings {
  readonly sizeMax?: number
  readonly sizeDefault?: number
}

/** The members of a request that ask for a page. */
export const pageOf = ({
  sizeMax = limits.pageSizeMax,
  sizeDefault = limits.pageSizeDefault,
}: PageSettings = {}) => ({
  size: optional(Type.Integer({ minimum: 1, maximum: sizeMax, default: sizeDefault })),
  after: afterOf(),
})

export const afterOf = () =>
  optional(words(limits.cursorLengthMax, { description: 'The `next` of the page before.' }))

/** The member of an answer that leads on. */
export const next = Type.String({ description: 'Where the next page begins; empty on the last.' })

/** For the schema of a member that has a new name. */
export const renamed = (name: string): { 'x-deprecated': Deprecation } => ({
  'x-deprecated': { since: '2026-11-22', instead: `Use \`${name}\`.` },
})

/** The older name of `next`, of lists that answered null on the last page. */
export const orNullCursor = () =>
  Type.Union([Type.String(), Type.Null()], {
    description: 'Null when there are no more.',
    ...renamed('next'),
  })

/** The older name of `after`. */
export const cursor = (lengthMax: number, description = 'The `nextCursor` of the page before.') =>
  optional(words(lengthMax, { description, ...renamed('after') }))
