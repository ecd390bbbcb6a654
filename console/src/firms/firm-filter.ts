/** The filter of a list by client firm. */
import type { Answered } from '../client.ts'
import type { Filter } from '../design/filters.tsx'

/** Offers no firm while the firms are loading. */
export function firmFilter(firms: Answered<'list-firms'>['firms'] | undefined): Filter {
  return {
    name: 'firmId',
    label: 'Firm',
    kind: 'choice',
    any: 'All firms',
    choices: (firms ?? []).map(({ firmId, name }) => ({ value: firmId, label: name })),
  }
}
