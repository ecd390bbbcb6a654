/** Coded lists of the protocol as choices in forms and filters. */
import { type CodeListName, codeLists } from '@clearing/protocol'
import type { Choice } from '../act/field.ts'

const knownCode = /^[A-Z]{2,3}$/

export function choicesOf(list: CodeListName): Choice[] {
  return codeLists[list].map(({ value, label }) => ({
    value,
    // Well-known codes such as US, NJ and USD find their entries too.
    label: label !== value && knownCode.test(value) ? `${label} (${value})` : label,
  }))
}

/** The label of a value of a list; the value itself if the list does not have it. */
export function labelOf(list: CodeListName, value: string): string {
  return codeLists[list].find((row) => row.value === value)?.label ?? value
}

export function plainChoices(values: readonly string[], words: (value: string) => string = (value) => value) {
  return values.map((value) => ({ value, label: words(value) }))
}
