/** A fact of an open account that falls due on a day, of a kind in the table of renewals. */
import { type RenewalKind, type RenewalKindRow, renewalKinds } from '@clearing/protocol/values'
import type { Party } from '../record.ts'

export interface DueItem {
  readonly kind: RenewalKind
  /** The customer id of the party that it concerns. */
  readonly subject: string
  /** Path in the record. */
  readonly field: string
  readonly asks: RenewalKindRow['asks']
  /** The first day on which something is missing, `yyyy-MM-dd`. */
  readonly fallsOn: string
  /**
   * The day under which the item is stored and listed: `fallsOn`, or the first of its month for a birthday, because
   * birth dates are encrypted.
   */
  readonly listedOn: string
  /** A sentence for the firm; it repeats no personal number and no birth date. */
  readonly reason: string
}

type Given = Omit<DueItem, 'kind' | 'asks' | 'listedOn'> & Partial<Pick<DueItem, 'asks' | 'listedOn'>>

export function item(kind: RenewalKind, given: Given): DueItem {
  return { kind, asks: renewalKindOf(kind).asks, listedOn: given.fallsOn, ...given }
}

/** The row of a kind: the rule that requires it, and the consequence when no answer comes. */
export function renewalKindOf(kind: RenewalKind): RenewalKindRow {
  const row = renewalKinds.find(({ value }) => value === kind)
  if (row === undefined) throw new Error(`${kind} is not a kind of renewal`)
  return row
}

export function subjectOf({ customerId }: Party): string {
  return customerId ?? ''
}
