/**
 * The one form of paging. A request has `after` and `size`, a response has `next`: the cursor of the next page, to be
 * sent as `after`, or an empty text on the last page. Deprecated names of these members are still accepted.
 */
import Type from 'typebox'
import type { CodeListName } from './codes/index.ts'
import { code, optional, words } from './field.ts'
import { limits } from './limits.ts'
import type { Deprecation } from './operation.ts'

export interface PageSettings {
  readonly sizeMax?: number
  readonly sizeDefault?: number
}

/** The members of a request that select a page. */
export function pageOf({
  sizeMax = limits.pageSizeMax,
  sizeDefault = limits.pageSizeDefault,
}: PageSettings = {}) {
  return {
    size: optional(
      Type.Integer({
        description: 'The most items of a page.',
        minimum: 1,
        maximum: sizeMax,
        default: sizeDefault,
      }),
    ),
    after: afterOf(),
  }
}

/** The member of a request that takes the cursor of a page. */
export function afterOf() {
  return optional(
    words(limits.cursorLengthMax, {
      description: 'The `next` of the previous page. The default is the first page.',
    }),
  )
}

/** The member of a response that holds the cursor of the next page. */
export const next = Type.String({ description: 'Cursor of the next page; empty on the last page.' })

/** Asks for `total` with the first page. */
export function counted() {
  return optional(Type.Boolean({ description: 'Returns `total` with the first page.' }))
}

/** The members of a request that select the order of a list. */
export function orderMembers<L extends CodeListName>(
  list: L,
  { by, mode }: { readonly by: string; readonly mode: 'ascend' | 'descend' },
) {
  return {
    sortBy: optional(code(list, { description: `What the list is ordered by. The default is ${by}.` })),
    sortMode: optional(
      code('sortMode', { description: `The direction of the order. The default is ${mode}.` }),
    ),
  }
}

/** The number of all rows of a list, counted up to a limit. */
export const total = Type.Union([Type.Integer(), Type.Null()], {
  description: `The number of rows in all pages, or ${limits.countedMax + 1} if there are more than ${limits.countedMax}. Null without \`counted\`, and on later pages.`,
})

/** Marks a member as deprecated in favor of the member `name`. */
export function renamed(name: string): { 'x-deprecated': Deprecation } {
  return {
    'x-deprecated': { since: '2026-11-22', instead: `Use \`${name}\`.` },
  }
}

/** The deprecated name of `next` in lists that return null on the last page. */
export function orNullCursor() {
  return Type.Union([Type.String(), Type.Null()], {
    description: 'Null on the last page.',
    ...renamed('next'),
  })
}

/** The deprecated name of `after`. */
export function cursor(lengthMax: number, description = 'The `nextCursor` of the previous page.') {
  return optional(words(lengthMax, { description, ...renamed('after') }))
}
