/** The filter of a list by client firm. */
import type { Answered } from '../client.ts'
import type { Filter } from '../design/filters.tsx'

type Firms = Answered<'list-firms'>['firms'] | undefined

export const noSuchFirm = 'There is no firm with this id.'

export function firmFilter(firms: Firms): Filter {
  return {
    name: 'firmId',
    label: 'Firm',
    kind: 'choice',
    any: 'All firms',
    unknown: 'Unknown firm',
    choices: firms?.map(({ firmId, name }) => ({ value: firmId, label: name })),
  }
}

/** The text of an empty list: that the address names no firm, or the given one. */
export function emptyOf(firms: Firms, chosen: string | undefined, empty: string): string {
  const isUnknown = chosen && firms !== undefined && !firms.some(({ firmId }) => firmId === chosen)
  return isUnknown ? noSuchFirm : empty
}
