/**
 * Symbols that pass from one security to another among the lines of a batch. The lines that give a symbol up count
 * first, so that the order of the lines does not matter, and two securities can exchange their symbols.
 */
import type { SecurityValues } from '../lines/shapes.ts'
import { type Draft, type Drafts, idNames } from './security-drafts.ts'

/**
 * The securities whose symbols are given up: a line names each by another identifier, and gives it a symbol that is
 * free or given up as well. `isValid` is true for a line that is accepted apart from its symbol.
 */
export function securitiesGivingUp(
  drafts: Drafts,
  lines: readonly SecurityValues[],
  isValid: (draft: Draft, values: SecurityValues) => boolean,
): Set<Draft> {
  const taken = new Map<Draft, string>()
  for (const values of lines) {
    const { symbol } = values
    const draft = symbol === undefined ? undefined : namedOtherwise(drafts, values)
    if (draft === undefined || symbol === undefined || taken.has(draft)) continue
    if (draft.facts.symbol !== null && draft.facts.symbol !== symbol && isValid(draft, values))
      taken.set(draft, symbol)
  }
  for (let before = Number.NaN; before !== taken.size; ) {
    before = taken.size
    for (const [draft, symbol] of taken) {
      const owner = drafts.find('symbol', symbol)
      if (owner !== undefined && owner !== draft && !taken.has(owner)) taken.delete(draft)
    }
  }
  return new Set(taken.keys())
}

/** The security that the identifiers other than the symbol name. */
function namedOtherwise(drafts: Drafts, values: SecurityValues): Draft | undefined {
  const found = new Set<Draft>()
  for (const name of idNames) {
    const value = values[name]
    const draft = name === 'symbol' || value === undefined ? undefined : drafts.find(name, value)
    if (draft !== undefined) found.add(draft)
  }
  return found.size === 1 ? [...found][0] : undefined
}
