/** Coded lists of the protocol as choices of forms and filters. */
import { type CodeListName, codeLists } from '@clearing/protocol'
import type { Choice } from '../act/field.ts'

const knownCode = /^[A-Z]{2,3}$/

export function choicesOf(list: CodeListName): Choice[] {
  return codeLists[list].map(({ value, label }) => ({
    value,
    // Codes that people know by heart are found by them too: US, NJ, USD.
    label: label !== value && knownCode.test(value) ? `${label} (${value})` : label,
  }))
}

/** The label of a value of a list; the value itself when the list does not know it. */
export function labelOf(list: CodeListName, value: string): string {
  return codeLists[list].find((row) => row.value === value)?.label ?? value
}

export function plainChoices(values: readonly string[], words: (value: string) => string = (value) => value) {
  return values.map((value) => ({ value, label: words(value) }))
}
