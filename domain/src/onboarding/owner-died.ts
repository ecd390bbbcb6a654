/**
 * The approved death certificate of an owner of an application: a person decides on it before the account opens
 * (decision 270). Pure functions.
 */
import { isUnsettled, openReview } from './follow-ups.ts'
import { type FollowUp, type OnboardingState, type StageCode, stageRuleOf } from './onboarding-state.ts'
import type { StageOutcome } from './stage-outcome.ts'

/** Why the certificate restricts an account, and why it refers an application. */
export function reasonOfDeath(documentId: string): string {
  return `The death certificate ${documentId} of an owner was approved.`
}

const consequence =
  'Reject the application. If it is approved, the account opens with the restriction OwnerDeceased.'

/** Refers the application to operations, in whichever state it is. A review that is open already stays open. */
export function referDeath(state: OnboardingState, stage: StageCode, certificate: string): OnboardingState {
  const reason = `${reasonOfDeath(certificate)} ${consequence}`
  const review = { ...openReview('IdentityReview', reason, stage, state), certificate }
  return {
    ...state,
    currentState: 'ManualReview',
    stage,
    attempt: 1,
    followUps: [...state.followUps, review],
  }
}

/** The death certificates on which operations decided by an approval of the application. */
export function certificatesDecided(followUps: readonly FollowUp[]): readonly string[] {
  return [...new Set(certificatesOf(followUps, (status) => status === 'Accepted'))]
}

/** Whether the application waits for a decision on a death. */
export function waitsForDeath({ followUps }: Pick<OnboardingState, 'followUps'>): boolean {
  return followUps.some((one) => one.certificate !== undefined && isUnsettled(one))
}

function certificatesOf(
  followUps: readonly FollowUp[],
  has: (status: FollowUp['status']) => boolean,
): readonly string[] {
  return followUps.flatMap(({ certificate, status }) =>
    certificate !== undefined && has(status) ? [certificate] : [],
  )
}

/**
 * A stage does not lead on while no person has decided on a death. A request for information ends its review without a
 * decision.
 */
export function withoutDeath(
  { followUps }: Pick<OnboardingState, 'followUps'>,
  stage: StageCode,
  outcome: StageOutcome,
): StageOutcome {
  const leadsOn =
    outcome.kind === 'succeeded' || (outcome.kind === 'failed' && stageRuleOf(stage).onFailure === 'Continue')
  if (!leadsOn) return outcome
  const decided = certificatesDecided(followUps)
  const certificate = certificatesOf(followUps, () => true).find((one) => !decided.includes(one))
  if (certificate === undefined) return outcome
  const later = outcome.kind === 'succeeded' ? outcome.later : undefined
  return {
    kind: 'referred',
    code: 'IdentityReview',
    reason: reasonOfDeath(certificate),
    certificate,
    ...(later !== undefined && { later }),
  }
}
