/**
 * What running a stage came to. The checks, the back end and the sandbox's magic values all speak in these words;
 * `nextStep` says what follows (Reading 4.2, 4.4).
 */
import type { AccountRule, Rejection } from '@clearing/protocol'
import type { FollowUpCode } from './onboarding-state.ts'

/** What a stage asks of the firm; the kind and the documents that answer it follow from the code. */
export interface FollowUpRequest {
  readonly code: Exclude<FollowUpCode, ReviewCode>
  /** Dotted path of the field in question, or empty. */
  readonly field: string
  readonly reason: string
  /** The rule of the account that asks; absent if a person or the sandbox does. */
  readonly rule?: AccountRule
}

/** What a rule of the account found, without what the table of rules has. */
export interface Found {
  readonly rule: AccountRule
  readonly field: string
  readonly reason: string
}

export type ReviewCode = Extract<FollowUpCode, `${string}Review`>

export type StageOutcome =
  /** `later` is asked once the account is open; the opening does not wait for it. */
  | { readonly kind: 'succeeded'; readonly reason: string; readonly later?: readonly FollowUpRequest[] }
  /** Rejected. The consequence depends on the stage (`stageRules`). */
  | { readonly kind: 'failed'; readonly reason: string; readonly errors: readonly Rejection[] }
  /** `otherwise` is what the stage comes to when all of it was answered before. */
  | {
      readonly kind: 'asked'
      readonly requests: readonly FollowUpRequest[]
      readonly otherwise?: StageOutcome
    }
  | {
      readonly kind: 'referred'
      readonly code: ReviewCode
      readonly reason: string
      readonly later?: readonly FollowUpRequest[]
      /** What the rules of the account found that a person must decide. */
      readonly found?: readonly Found[]
    }
  /** The back end timed out or could not be reached: nothing is known, so it is tried again. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export function succeeded(reason = '') {
  return { kind: 'succeeded', reason } as const satisfies StageOutcome
}

/** What screening found of all parties of an account, after remembered decisions were applied. */
export interface WatchlistFindings {
  /** Matches without a decision. */
  readonly open: number
  /** Matches that are the party. */
  readonly confirmed: number
  /** Names that the list's alphabet cannot be compared with. */
  readonly unscreenable: number
}

/** A confirmed match rejects; a possible one, and a name that could not be compared, are for operations. */
export function judgeWatchlist({ open, confirmed, unscreenable }: WatchlistFindings): StageOutcome {
  if (confirmed > 0) {
    return { kind: 'failed', reason: 'A party was confirmed to be on a watch list.', errors: [] }
  }
  if (open > 0) {
    const matches = open === 1 ? 'One possible match' : `${open} possible matches`
    return { kind: 'referred', code: 'WatchlistReview', reason: `${matches} of a watch list.` }
  }
  if (unscreenable > 0) {
    const reason = 'A name is in an alphabet that the watch list cannot be compared with.'
    return { kind: 'referred', code: 'WatchlistReview', reason }
  }
  return succeeded()
}
