/** Published examples of outcomes: lines of activity in one or more securities, the gains, and the remaining lots. */

import type { AcctType, BuySell, TransType } from '../activity.ts'

/** Amounts are texts. Without `of`, a line is of OLD, which is the option if the example has one. */
export interface OutcomeLine {
  readonly transType: TransType
  readonly date: string
  readonly of?: string
  /** The security received. */
  readonly to?: string
  readonly buySell?: BuySell
  readonly acctType?: AcctType
  readonly openDate?: string
  readonly ratio?: string
  readonly quantity?: string
  readonly price?: string
  readonly commission?: string
  readonly secFee?: string
  readonly netAmount?: string
  readonly cost?: string
  readonly cashPerShare?: string
  readonly costShare?: string
  readonly taxable?: true
  readonly cashInLieu?: string
}

export interface OutcomeExample {
  readonly id: string
  readonly about: string
  readonly source: string
  readonly strength: 'A' | 'B'
  readonly option?: { readonly putCall: 'Put' | 'Call'; readonly strike: string }
  readonly lines: readonly OutcomeLine[]
  readonly expected: {
    /** Term and amount of each gain or loss. */
    readonly gains: readonly (readonly [term: string, amount: string])[]
    /** Quantity and cost of each lot, by security. */
    readonly lots: Readonly<Record<string, readonly (readonly [quantity: string, cost: string])[]>>
  }
}
