/**
 * Renders the remarks on an onboarding from its state alone, so that no text of an earlier state remains (Reading
 * 4.3; Specification, Onboarding result record).
 */
import { codeRow, type Rejection, reject } from '@clearing/protocol/values'
import { awaitsFirm } from './follow-ups.ts'
import { type OnboardingState, stageRuleOf } from './onboarding-state.ts'

/** `remarks` of the onboarding result. */
export function renderRemarks(state: OnboardingState): string {
  switch (state.currentState) {
    case 'Submitted':
      return 'Submitted; the checks have not begun.'
    case 'Screening':
      return `The checks are in progress.${renderRetry(state)}`
    case 'AccountCreation':
      return `The account is being set up.${renderRetry(state)}`
    case 'CreationComplete':
      return ['The account was opened.', ...renderFailedStages(state)].join(' ')
    case 'ActionRequired':
      return `Action required: ${renderAwaited(state)}.`
    case 'ManualReview':
      return 'In review: a decision of operations is awaited.'
    case 'Rejected':
      return `Rejected: ${state.reason}`
    case 'CreationFailed':
      return `The account creation failed: ${state.reason}`
    default:
      return state.currentState satisfies never
  }
}

/**
 * `errorResponses` of the onboarding result: the errors of stages that failed, and the fields that the firm must
 * correct (Specification, Errors, 3).
 */
export function renderErrorResponses(state: OnboardingState): Rejection[] {
  const errors = state.stages.flatMap((stage) => stage.errors)
  if (state.currentState !== 'ActionRequired') return errors
  const known = new Set(errors.map(({ field }) => field))
  const corrections = state.followUps
    .filter((one) => one.code === 'FieldCorrection' && awaitsFirm(one) && !known.has(one.field))
    .map(({ field, reasons }) => reject('ERR.1015', field, reasons.join(' ')))
  return [...errors, ...corrections]
}

function renderRetry(state: OnboardingState): string {
  return state.attempt > 1 ? ` The back end did not answer; attempt ${state.attempt} is next.` : ''
}

function renderFailedStages(state: OnboardingState): string[] {
  return state.stages
    .filter((stage) => stage.status === 'Failed')
    .map((stage) => `${stageRuleOf(stage.code).failure}.`)
}

function renderAwaited(state: OnboardingState): string {
  const labels = state.followUps
    .filter(awaitsFirm)
    .map(({ code }) => codeRow('followUpCode', code)?.label ?? code)
  if (labels.length === 0) return 'an answer is being looked at'
  return [...new Set(labels)].map((label) => label.charAt(0).toLowerCase() + label.slice(1)).join('; ')
}
