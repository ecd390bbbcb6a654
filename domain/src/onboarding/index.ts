/** The rules of onboarding. */
export { completeEntitlements } from './agreed-entitlements.ts'
export { nextStep, submitOnboarding } from './decide-onboarding.ts'
export { awaitsFirm, isLateInReview, isUnsettled, mayEndByChange } from './follow-ups.ts'
export { type ForeseenOnboarding, foreseeOnboarding } from './foresee-onboarding.ts'
export {
  duplicateFieldOf,
  findOnApplication,
  type IdentityCase,
  type IdentityFinding,
  judgeIdentity,
} from './identity-checks.ts'
export { type AccountFinding, listFindings } from './list-findings.ts'
export {
  type MagicCase,
  type MagicValue,
  magicStageDelayMs,
  magicTaxIds,
  magicValues,
  parseDocumentVerdict,
  runMagicStage,
} from './magic-values.ts'
export {
  defaultOnboardingSettings,
  jobKey,
  type NextStep,
  type NoticeType,
  type OnboardingEvent,
  type OnboardingJob,
  type OnboardingNotice,
  type OnboardingSettings,
  type OnboardingStep,
} from './onboarding-event.ts'
export {
  type Actor,
  type CurrentState,
  type FollowUp,
  type FollowUpAnswer,
  finalStates,
  type OnboardingState,
  type OpeningStatus,
  type Stage,
  type StageCode,
  stageRules,
  waitingStates,
} from './onboarding-state.ts'
export { certificatesDecided, reasonOfDeath, waitsForDeath } from './owner-died.ts'
export { renderErrorResponses, renderRemarks } from './remarks.ts'
export { judgeOpening } from './rules-at-opening.ts'
export { type Scenario, type ScenarioStep, scenarios } from './scenarios.ts'
export {
  type FollowUpRequest,
  judgeWatchlist,
  type ReviewCode,
  type StageOutcome,
  succeeded,
  type WatchlistFindings,
} from './stage-outcome.ts'
export {
  renderTransitions,
  type Transition,
  type TransitionEvent,
  transitions,
} from './transitions.ts'
