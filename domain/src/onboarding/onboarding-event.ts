/** The events of an onboarding, and the results of a step: work to queue and notices to send (Reading 4.1, 4.6). */
import type { Rejection } from '@clearing/protocol'
import type { Actor, FollowUp, FollowUpAnswer, OnboardingState, StageCode } from './onboarding-state.ts'
import type { FollowUpRequest, RenewalRequest, StageOutcome } from './stage-outcome.ts'
import type { Transition } from './transitions.ts'

/** An event. `at` is ISO 8601 UTC; `run` is the number of the reporting job. */
export type OnboardingEvent = { readonly at: string; readonly by: Actor } & (
  | { readonly kind: 'work-began'; readonly run: number }
  | {
      readonly kind: 'stage-ended'
      readonly run: number
      readonly stage: StageCode
      readonly outcome: StageOutcome
    }
  | {
      readonly kind: 'follow-up-answered'
      readonly followUpId: string
      readonly answer?: Omit<FollowUpAnswer, 'at'>
    }
  | { readonly kind: 'follow-up-accepted'; readonly followUpId: string }
  | {
      readonly kind: 'follow-up-refused' | 'follow-up-waived'
      readonly followUpId: string
      readonly reason: string
    }
  /** The record of an application that waits was changed. */
  | { readonly kind: 'record-changed' }
  | { readonly kind: 'follow-ups-expired' }
  | { readonly kind: 'renewal-asked'; readonly requests: readonly RenewalRequest[] }
  | { readonly kind: 'renewal-expired' | 'renewal-settled'; readonly followUpId: string }
  /** `on` is the day, US Eastern. */
  | { readonly kind: 'renewal-withdrawn'; readonly followUpId: string; readonly on: string }
  /** `documentId` is the approved death certificate. */
  | { readonly kind: 'owner-died'; readonly documentId: string }
  | { readonly kind: 'approved' | 'rejected'; readonly reason: string }
  | { readonly kind: 'withdrawn' }
  | {
      readonly kind: 'information-requested'
      readonly requests: readonly FollowUpRequest[]
      readonly reason: string
    }
)

/**
 * Work to queue in the transaction that stores the state. It runs at `notBefore` (ISO 8601 UTC) or later. Its
 * `jobKey` is unique within an onboarding: work that is queued twice is one job, and a second report of a job is
 * refused.
 */
export type OnboardingJob = { readonly run: number; readonly notBefore: string } & (
  | { readonly kind: 'begin' }
  | { readonly kind: 'run-stage'; readonly stage: StageCode; readonly attempt: number }
  | { readonly kind: 'expire-follow-ups' }
)

/** The key of a job within its onboarding. Work with the same key is one job. */
export function jobKey({ kind, run }: OnboardingJob): string {
  return `${kind}:${run}`
}

export type NoticeType =
  | 'application.stage.completed'
  | 'application.stage.failed'
  | 'application.resumed'
  | 'application.action_required'
  | 'application.manual_review'
  | 'application.approved'
  | 'application.rejected'
  | 'application.failed'
  | 'account.opened'
  | 'followup.opened'
  | 'followup.answered'
  | 'followup.accepted'
  | 'followup.refused'
  | 'followup.waived'
  | 'followup.expired'

/** An event of the account for its subscribers. It contains no personal data. */
export interface OnboardingNotice {
  readonly type: NoticeType
  readonly content: Readonly<Record<string, string>>
}

export interface OnboardingStep {
  readonly state: OnboardingState
  readonly transition: Transition
  /** The reason for the history; empty if the description of the transition suffices. */
  readonly reason: string
  readonly opened: readonly FollowUp[]
  readonly jobs: readonly OnboardingJob[]
  readonly notices: readonly OnboardingNotice[]
}

export type NextStep = { readonly step: OnboardingStep } | { readonly rejection: Rejection }

export interface OnboardingSettings {
  /** The delay before a due stage runs: 0, except for the sandbox's SLOW30. */
  readonly stageDelayMs: number
  /** The wait before each retry of a back end that did not respond. Their number limits the attempts. */
  readonly retryDelaysMs: readonly number[]
}

export const defaultOnboardingSettings: OnboardingSettings = {
  stageDelayMs: 0,
  retryDelaysMs: [500, 2_000, 10_000, 60_000, 300_000],
}
