/** The kinds of loads, named by their operations, in words. */
import type { OperationName } from '@clearing/protocol'
import { wordsOf } from '../design/words.ts'

export const loadKinds = [
  'load-securities',
  'load-prices',
  'load-fx-rates',
  'load-held-away',
  'load-location-positions',
  'load-account-terms',
  'load-activity',
  'load-corporate-actions',
] as const satisfies readonly OperationName[]

export type LoadKind = (typeof loadKinds)[number]

const words: Readonly<Record<LoadKind, string>> = {
  'load-securities': 'Securities',
  'load-prices': 'Prices',
  'load-fx-rates': 'FX rates',
  'load-held-away': 'Positions held away',
  'load-location-positions': 'Positions at locations',
  'load-account-terms': 'Terms of accounts',
  'load-activity': 'Activity',
  'load-corporate-actions': 'Corporate actions',
}

/** What people need to know about the file of a kind, beyond what holds for all. */
export const hintOfKind: Readonly<Partial<Record<LoadKind, string>>> = {
  'load-corporate-actions':
    'A line that names an announcement in amends replaces its terms, and has an id of its own. In CSV, the options of an action are a JSON array in one cell.',
}

export function loadKindInWords(kind: string): string {
  const known = loadKinds.find((one) => one === kind)
  return known === undefined ? wordsOf(kind) : words[known]
}

/** `Load of prices`. */
export function titleOfLoad(kind: string): string {
  const label = loadKindInWords(kind)
  return `Load of ${label.startsWith('FX') ? label : label.toLowerCase()}`
}
