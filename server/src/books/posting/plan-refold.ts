/**
 * Plans the posting of new lines in an account: finds the securities that must be folded again, and the lines
 * that can be added on top. All linked securities are folded again for a correction, or for a line that
 * belongs before others of its security.
 */
import type { AccountBooks } from '../../store/books/accounts.ts'
import type { KeptHolding } from '../../store/books/holdings.ts'
import type { CorrectionRow, StoredLine } from '../../store/books/lines.ts'
import { inOrder, isBefore, placeOfLine } from './account-change.ts'
import { type BookedLine, keysOf, noSecurity } from './booked-line.ts'

export type Link = readonly [secNo: string, other: string]

export interface RefoldPlan {
  /**
   * Securities ('0' for lines without one) from which a refold starts. Empty when all lines are added on top.
   */
  readonly securities: Set<string>
  /** Links between securities that the new lines make. */
  readonly links: readonly Link[]
}

export interface NewLines {
  readonly books: AccountBooks
  readonly lines: readonly BookedLine[]
  /** Existing holdings, by secNo. */
  readonly kept: ReadonlyMap<string, KeptHolding>
  /** Lines that new cancels and rebills name, by external id. */
  readonly originals: ReadonlyMap<string, StoredLine>
  /** Cancels and rebills that arrived before the lines that they name, by that id. */
  readonly waiting: ReadonlyMap<string, readonly CorrectionRow[]>
}

export function planRefold({ lines, kept, originals, waiting }: NewLines): RefoldPlan {
  const securities = new Set<string>()
  const links: Link[] = []
  const refold = (keys: readonly string[]) => {
    for (const key of keys) securities.add(key)
  }
  let byId: Map<string, BookedLine> | undefined
  for (const { line } of inOrder(lines)) {
    const keys = keysOf(line)
    if (keys.length > 1) links.push([keys[0] as string, keys[1] as string])
    if (line.cancels || line.rebills) {
      byId ??= new Map(lines.map((booked) => [booked.line.externalId, booked]))
      const original = byId.get(line.tagNo ?? '') ?? originals.get(line.tagNo ?? '')
      const corrected = original === undefined ? [] : keysOf(original.line)
      refold([...keys, ...corrected])
      linkAll(links, keys, corrected)
      continue
    }
    const corrections = waiting.get(line.externalId)
    if (corrections !== undefined) {
      const correcting = corrections.map(({ sec_no }) => String(sec_no))
      refold([...keys, ...correcting])
      linkAll(links, keys, correcting)
      continue
    }
    const place = placeOfLine(line)
    const isLate = keys.some((key) => {
      const last = key === noSecurity ? undefined : kept.get(key)
      return last !== undefined && isBefore(place, last)
    })
    if (isLate) refold(keys)
  }
  return { securities, links }
}

function linkAll(links: Link[], keys: readonly string[], others: readonly string[]): void {
  for (const key of keys) for (const other of others) if (key !== other) links.push([key, other])
}

/** All securities that are linked to the given ones, directly or indirectly. */
export function closeOverLinks(securities: Iterable<string>, links: Iterable<Link>): Set<string> {
  const neighbours = new Map<string, string[]>()
  for (const [one, other] of links) {
    neighbours.set(one, [...(neighbours.get(one) ?? []), other])
    neighbours.set(other, [...(neighbours.get(other) ?? []), one])
  }
  const reached = new Set(securities)
  const open = [...reached]
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const neighbour of neighbours.get(key) ?? []) {
      if (reached.has(neighbour)) continue
      reached.add(neighbour)
      open.push(neighbour)
    }
  }
  return reached
}
