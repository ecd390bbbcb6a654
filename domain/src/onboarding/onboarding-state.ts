/**
 * The state of an onboarding: its stages, and the requests to each party. It is stored as one value. `remarks` and
 * `errorResponses` are rendered from it, so they cannot contradict it (Reading 4.1 to 4.3).
 */
import type { CodeOf, Rejection } from '@clearing/protocol'
import type { FollowUpRequest, Found } from './stage-outcome.ts'

export type CurrentState = CodeOf<'onboardingState'>
export type StageCode = CodeOf<'stageCode'>
export type StageStatus = CodeOf<'stageStatus'>
export type FollowUpCode = CodeOf<'followUpCode'>

/** The actors of an onboarding: the service, the firm that submitted it, operations. */
export type Actor = 'service' | 'firm' | 'operations'

/** accountStatus while an account is being opened (Reading 3.2). */
export type OpeningStatus = 'Pending' | 'Open' | 'Rejected'

export interface Stage {
  readonly code: StageCode
  readonly status: StageStatus
  /** The reason why it failed or waits; empty if there is none. */
  readonly reason: string
  /** The errors, if the stage failed or requested a correction. */
  readonly errors: readonly Rejection[]
}

/** An answer of the firm to a follow-up. At least one of its three parts is present. */
export interface FollowUpAnswer {
  /** ISO 8601 UTC. */
  readonly at: string
  /** ID of the document, or empty. */
  readonly documentId: string
  /** Paths of the changed fields. */
  readonly fields: readonly string[]
  /** The text, or empty. */
  readonly text: string
}

/** A request that must be answered before its stage can continue (Reading 4.2). */
export interface FollowUp {
  /** Unique within the onboarding. */
  readonly id: string
  readonly code: FollowUpCode
  readonly kind: CodeOf<'followUpKind'>
  /** Dotted path of the field in question, or empty. */
  readonly field: string
  readonly reasons: readonly string[]
  /** References of the document catalogue that answer it; empty unless kind is Document. */
  readonly acceptedDocuments: readonly string[]
  readonly status: CodeOf<'followUpStatus'>
  /** ISO 8601 UTC; null when no answer of the firm is awaited (kind Review). */
  readonly dueBy: string | null
  /** The stage that made the request, and with which the work resumes. */
  readonly stage: StageCode
  /** Absent before the first answer. */
  readonly answers?: readonly FollowUpAnswer[]
  /** False for a follow-up of an open account, because nothing waits for its answer. Absent means true. */
  readonly blocking?: false
  /** The findings of account policy that caused it; absent if a person, a watch list or the sandbox caused it. */
  readonly found?: readonly Found[]
  /**
   * The day on which the record stopped asking for it, US Eastern: the status is Waived, without a decision of
   * operations. Absent otherwise.
   */
  readonly withdrawnOn?: string
  /** Id of the approved death certificate of an owner, for a review because of it. Absent otherwise. */
  readonly certificate?: string
  /**
   * True for a review because answers are late or in writing: the stage has found nothing yet. Absent otherwise, and
   * for reviews of releases before it was stored.
   */
  readonly ofAnswers?: true
  /** When operations waived it, ISO 8601 UTC. Absent otherwise, and for waivers of releases before it was stored. */
  readonly waivedAt?: string
}

export interface OnboardingState {
  readonly currentState: CurrentState
  readonly accountStatus: OpeningStatus
  /** All stages, in the order in which they run. */
  readonly stages: readonly Stage[]
  readonly followUps: readonly FollowUp[]
  /** The stage that runs or waits; null before the first and after the last. */
  readonly stage: StageCode | null
  /** The number of the job that may report next. The report of any other job is late or a repeat, and is refused. */
  readonly run: number
  /** Number of the next attempt at the current stage, from 1. */
  readonly attempt: number
  /** The reason why it was rejected or failed; empty before that. */
  readonly reason: string
  /** When the firm withdrew the application, ISO 8601 UTC: it is Rejected without a decision. */
  readonly withdrawnAt?: string
  /** The follow-ups to open after the opening of the account. */
  readonly later?: readonly LaterRequest[]
}

export interface LaterRequest extends FollowUpRequest {
  /** The stage that made the request. */
  readonly stage: StageCode
}

export type StageGroup = 'Screening' | 'AccountCreation'

/**
 * The consequence of a failed stage: the application is rejected, the creation fails, the firm must correct a field,
 * or the account opens despite the failure.
 */
export type OnFailure = 'Reject' | 'Fail' | 'Ask' | 'Continue'

export interface StageRule {
  readonly code: StageCode
  readonly group: StageGroup
  readonly onFailure: OnFailure
  /** The field of the stage, for errors and follow-ups. */
  readonly field: string
  /** The sentence that reports the failure. */
  readonly failure: string
}

/**
 * The stages in their order. A trusted contact is requested, not required (FINRA Rule 4512(a)(1)(F)), and documents
 * that cannot be delivered electronically are delivered on paper. Neither stage delays the opening.
 */
export const stageRules: readonly StageRule[] = [
  {
    code: 'IdentityCheck',
    group: 'Screening',
    onFailure: 'Reject',
    field: '',
    failure: 'The identity could not be verified',
  },
  {
    code: 'WatchlistCheck',
    group: 'Screening',
    onFailure: 'Reject',
    field: '',
    failure: 'The watch-list check was not passed',
  },
  {
    code: 'AccountCreation',
    group: 'AccountCreation',
    onFailure: 'Fail',
    field: '',
    failure: 'The account could not be set up',
  },
  {
    code: 'MailingAddress',
    group: 'AccountCreation',
    onFailure: 'Ask',
    field: 'mailingAddress',
    failure: 'The mailing address could not be set up',
  },
  {
    code: 'TrustedContact',
    group: 'AccountCreation',
    onFailure: 'Continue',
    field: 'primaryOwner.trustedContact',
    failure: 'The trusted contact could not be set up',
  },
  {
    code: 'ElectronicDelivery',
    group: 'AccountCreation',
    onFailure: 'Continue',
    field: 'electronicDelivery',
    failure: 'Electronic delivery could not be set up; documents go by mail',
  },
]

/** The rule of a stage. Throws an error for a code that is not a stage. */
export function stageRuleOf(code: StageCode): StageRule {
  const rule = stageRules.find((candidate) => candidate.code === code)
  if (rule === undefined) throw new Error(`${code} is not a stage`)
  return rule
}

/** States that wait for the firm or for operations. */
export const waitingStates: readonly CurrentState[] = ['ActionRequired', 'ManualReview']

/** Final states. */
export const finalStates: readonly CurrentState[] = ['CreationComplete', 'Rejected', 'CreationFailed']
