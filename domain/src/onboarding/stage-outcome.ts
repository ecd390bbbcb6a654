/**
 * The outcomes of a stage, in one type for the checks, the back end and the sandbox's magic values. `nextStep`
 * determines the consequence (Reading 4.2, 4.4).
 */
import type { AccountRule, Rejection } from '@clearing/protocol'
import type { FollowUpCode } from './onboarding-state.ts'

/** A request of a stage to the firm. Its code determines its kind and the documents that answer it. */
export interface FollowUpRequest {
  readonly code: Exclude<FollowUpCode, ReviewCode>
  /** Dotted path of the field in question, or empty. */
  readonly field: string
  readonly reason: string
  /** The rule of account policy that caused the request; absent if a person or the sandbox caused it. */
  readonly rule?: AccountRule
  /** A fingerprint of the value that the finding is about; absent if the rule and the field say it all. */
  readonly about?: string
}

/** A request to the firm of an open account. */
export interface RenewalRequest extends FollowUpRequest {
  /** The due time of the same question before the record withdrew it; absent for a question that is new. */
  readonly dueBy?: string
}

/** A finding of a rule, without the members of the table of rules. */
export interface Found {
  readonly rule: AccountRule
  readonly field: string
  readonly reason: string
  /** As in a request. It is also absent in states of releases before it was stored. */
  readonly about?: string
}

export type ReviewCode = Extract<FollowUpCode, `${string}Review`>

export type StageOutcome =
  /** `later` holds the requests to make after the opening. The opening does not wait for them. */
  | { readonly kind: 'succeeded'; readonly reason: string; readonly later?: readonly FollowUpRequest[] }
  /** Rejected. The consequence depends on the stage (`stageRules`). */
  | { readonly kind: 'failed'; readonly reason: string; readonly errors: readonly Rejection[] }
  /** `otherwise` is the outcome of the stage if every request was answered before. */
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
      /** The findings of account policy that a person must decide on. */
      readonly found?: readonly Found[]
      /** The approved death certificate of an owner that a person must decide on. */
      readonly certificate?: string
    }
  /** The back end timed out or could not be reached. The outcome is unknown, so the stage is retried. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export function succeeded(reason = '') {
  return { kind: 'succeeded', reason } as const satisfies StageOutcome
}

/** The result of screening all parties of an account, after earlier decisions were applied. */
export interface WatchlistFindings {
  /** Matches without a decision. */
  readonly open: number
  /** Confirmed matches. */
  readonly confirmed: number
  /** Names that the list's alphabet cannot be compared with. */
  readonly unscreenable: number
}

/**
 * A confirmed match rejects the application. Operations decide on a possible match and on a name that could not be
 * compared.
 */
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
