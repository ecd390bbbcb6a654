/** The lines of a margin account that count, in the order in which they count. */

import { orderOf } from '../../store/books/order-of.ts'
import type { MarginLine } from '../../store/margin-lines.ts'

/**
 * The lines without those that another of them cancels, and without these cancels. A rebill takes the place of its
 * original, as in the books.
 */
export function withoutCancelled(lines: readonly MarginLine[]): readonly MarginLine[] {
  if (lines.every(({ correction }) => correction === undefined)) return lines
  const here = new Map(lines.map((line) => [line.externalId, line]))
  const cancelled = new Set<MarginLine>()
  for (const line of lines) {
    const original = line.correction === 'C' ? here.get(line.tagNo ?? '') : undefined
    if (original !== undefined && original.correction !== 'C') cancelled.add(original).add(line)
  }
  return lines
    .filter((line) => !cancelled.has(line))
    .sort((a, b) =>
      a.tradeDate === b.tradeDate ? orderOf(a, here) - orderOf(b, here) : a.tradeDate < b.tradeDate ? -1 : 1,
    )
}
