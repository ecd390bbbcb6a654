/**
 * Settings of the checklist of a close: which prices are stale, and from which severity a second person must accept
 * open items.
 */
import type { Severity } from '@clearing/domain/books'

export interface CheckSettings {
  /** A price older than this number of days is stale at the end of a day. */
  readonly stalePriceDays: number
  /** The severity of open items from which a second person must accept them; undefined: never. */
  readonly secondPersonFrom: Severity | undefined
}

export const usualChecks: CheckSettings = { stalePriceDays: 5, secondPersonFrom: 'High' }
