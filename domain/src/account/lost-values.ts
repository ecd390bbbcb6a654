/**
 * What a change of a record takes away although nothing can be deleted: the state and the postal code of an address
 * that moves to another country, and items of a list of codes, which is replaced as a whole (Reading 3.9).
 */
import type { FieldChange } from './merge-blocks.ts'

/** Sentences for the response, without values of addresses. */
export function describeLostValues(changes: readonly FieldChange[]): string[] {
  const emptied = changes.filter(({ field, to }) => to === undefined && ofCountry.test(field))
  const places = emptied.map(({ field }) => field)
  return [
    ...(places.length === 0 ? [] : [`The new country leaves empty: ${places.join(', ')}.`]),
    ...changes.flatMap(({ field, from, to }) => {
      if (!Array.isArray(from) || !Array.isArray(to)) return []
      const lost = from.filter((item) => typeof item === 'string' && !to.includes(item))
      return lost.length === 0 ? [] : [`${field} was replaced and no longer has: ${lost.join(', ')}.`]
    }),
  ]
}

const ofCountry = /\.(stateProvince|postalCode)$/
