/** What the checklist of a close counts as stale, and from which severity on a second person accepts what is open. */
import type { Severity } from '@clearing/domain/books'

export interface CheckSettings {
  /** A price that is older by so many days is stale at the end of a day. */
  readonly stalePriceDays: number
  /** Of open items, from which severity on a second person accepts them; undefined: never. */
  readonly secondPersonFrom: Severity | undefined
}

export const usualChecks: CheckSettings = { stalePriceDays: 5, secondPersonFrom: 'High' }
