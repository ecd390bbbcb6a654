/**
 * The state of an onboarding at one time: its stages, and the requests to each party. One value that is stored whole;
 * `remarks` and `errorResponses` are rendered from it, so that they cannot contradict it (Reading 4.1 to 4.3).
 */
import type { CodeOf, Rejection } from '@clearing/protocol'
import type { FollowUpRequest, Found } from './stage-outcome.ts'

export type CurrentState = CodeOf<'onboardingState'>
export type StageCode = CodeOf<'stageCode'>
export type StageStatus = CodeOf<'stageStatus'>
export type FollowUpCode = CodeOf<'followUpCode'>

/** Who moves an onboarding: the service by itself, the firm that submitted it, operations. */
export type Actor = 'service' | 'firm' | 'operations'

/** accountStatus while an account is being opened (Reading 3.2). */
export type OpeningStatus = 'Pending' | 'Open' | 'Rejected'

export interface Stage {
  readonly code: StageCode
  readonly status: StageStatus
  /** Why it failed or waits; empty when there is nothing to tell. */
  readonly reason: string
  /** The errors, if the stage failed or requested a correction. */
  readonly errors: readonly Rejection[]
}

/** What a firm answered to a follow-up; one of its three parts at least is there. */
export interface FollowUpAnswer {
  /** ISO 8601 UTC. */
  readonly at: string
  /** The document that was given, or empty. */
  readonly documentId: string
  /** Paths of the fields that were changed. */
  readonly fields: readonly string[]
  /** What was written, or empty. */
  readonly text: string
}

/** Something that must be answered before the stage that asked can go on (Reading 4.2). */
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
  /** The stage that asked, and that the work resumes from. */
  readonly stage: StageCode
  /** Absent before the first answer. */
  readonly answers?: readonly FollowUpAnswer[]
  /** False where nothing waits for the answer: it is asked of an account that is open. Absent means true. */
  readonly blocking?: false
  /** What the rules of the account found that led to it; absent if a person, a watch list or the sandbox asks. */
  readonly found?: readonly Found[]
}

export interface OnboardingState {
  readonly currentState: CurrentState
  readonly accountStatus: OpeningStatus
  /** All stages, in the order they are run. */
  readonly stages: readonly Stage[]
  readonly followUps: readonly FollowUp[]
  /** The stage at work, or the one that waits; null before the first and after the last. */
  readonly stage: StageCode | null
  /** The number of the job that may report next: a job of another number is late, or a repeat, and is refused. */
  readonly run: number
  /** How often the stage at work has been tried, the next time included; from 1. */
  readonly attempt: number
  /** Why it was rejected or failed; empty before that. */
  readonly reason: string
  /** What is asked once the account is open. */
  readonly later?: readonly LaterRequest[]
}

export interface LaterRequest extends FollowUpRequest {
  /** The stage that found it. */
  readonly stage: StageCode
}

export type StageGroup = 'Screening' | 'AccountCreation'

/**
 * What the failure of a stage means: the application is rejected, the creation has failed, the firm must correct a
 * field, or the account opens despite the failure.
 */
export type OnFailure = 'Reject' | 'Fail' | 'Ask' | 'Continue'

export interface StageRule {
  readonly code: StageCode
  readonly group: StageGroup
  readonly onFailure: OnFailure
  /** The field that the stage is about, for errors and follow-ups. */
  readonly field: string
  /** The sentence that reports the failure. */
  readonly failure: string
}

/**
 * The stages in their order. A trusted contact is asked for, not required (FINRA Rule 4512(a)(1)(F)), and what cannot
 * be delivered electronically is delivered on paper: neither holds an account up.
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

export function stageRuleOf(code: StageCode): StageRule {
  const rule = stageRules.find((candidate) => candidate.code === code)
  if (rule === undefined) throw new Error(`${code} is not a stage`)
  return rule
}

/** States that wait for the firm or for operations. */
export const waitingStates: readonly CurrentState[] = ['ActionRequired', 'ManualReview']

/** States that are never left. */
export const finalStates: readonly CurrentState[] = ['CreationComplete', 'Rejected', 'CreationFailed']
