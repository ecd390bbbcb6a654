// Looks up a value in a coded list: finds the canonical value if only the letter case differs, else the nearest values
// for the reason of a rejection. A value that differs in more than letter case is never accepted. Reading 1.3 and 3.7.

import type { CodeRow } from './code-list.ts'

// Only the beginning of a longer text is compared, so that the cost of a wrong value is limited.
const comparedCharactersMax = 24
// Shorter common beginnings are coincidental.
const shortestBeginning = 6
const shortestPart = 4

const rowsByLowerCase = new WeakMap<readonly CodeRow[], ReadonlyMap<string, CodeRow>>()

/** The row whose value equals the input without regard to letter case; undefined if there is none. Constant time. */
export function matchRow<Row extends CodeRow>(rows: readonly Row[], input: string): Row | undefined {
  let byLowerCase = rowsByLowerCase.get(rows)
  if (byLowerCase === undefined) {
    byLowerCase = new Map(rows.map((row) => [row.value.toLowerCase(), row]))
    rowsByLowerCase.set(rows, byLowerCase)
  }
  const row = byLowerCase.get(input.toLowerCase()) as Row | undefined
  // The Kelvin sign lower-cases to k, but k does not upper-case to the Kelvin sign: both directions must agree.
  return row !== undefined && row.value.toUpperCase() === input.toUpperCase() ? row : undefined
}

/**
 * At most `count` values of the list, the most similar first, compared by value and label without regard to letter
 * case. Values that begin with the input, and values with which the input begins, come first, then values that contain
 * the input, then values by edit distance. Ties keep the order of the list.
 */
export function nearestValues<Value extends string>(
  rows: readonly CodeRow<Value>[],
  input: string,
  count: number,
): Value[] {
  const wanted = comparable(input)
  return rows
    .map(({ value, label }) => ({
      value,
      distance: Math.min(dissimilarity(wanted, comparable(value)), dissimilarity(wanted, comparable(label))),
    }))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ value }) => value)
}

function comparable(text: string) {
  return text.slice(0, comparedCharactersMax).toLowerCase()
}

// A common beginning ranks before any edit distance: Accounting and AccountingOrAuditing, USA and US.
function dissimilarity(wanted: string, known: string): number {
  const shorter = Math.min(wanted.length, known.length)
  if (shorter > 0 && wanted.slice(0, shorter) === known.slice(0, shorter)) {
    return 1 - 1 / (1 + Math.abs(wanted.length - known.length))
  }
  // A part of a value ranks next: UTMA and CustodialUtma.
  if (wanted.length >= shortestPart && known.includes(wanted)) return 1
  // A typing error in a common beginning ranks next: Acounting is nearer to AccountingOrAuditing than to Consulting.
  const beginning =
    shorter < shortestBeginning
      ? Number.POSITIVE_INFINITY
      : editDistance(wanted, known.slice(0, wanted.length + 1))
  return 1 + Math.min(editDistance(wanted, known), beginning)
}

// The current row of the distance matrix. Lower-casing can lengthen a text, at most threefold.
const distances = new Uint8Array(3 * comparedCharactersMax + 1)

function editDistance(left: string, right: string): number {
  for (let column = 0; column <= right.length; column += 1) distances[column] = column
  for (let row = 1; row <= left.length; row += 1) {
    let diagonal = row - 1
    let before = row
    distances[0] = row
    for (let column = 1; column <= right.length; column += 1) {
      const above = distances[column] as number
      const replaced = diagonal + (left.charCodeAt(row - 1) === right.charCodeAt(column - 1) ? 0 : 1)
      before = Math.min(replaced, before + 1, above + 1)
      distances[column] = before
      diagonal = above
    }
  }
  return distances[right.length] as number
}
