/** Turns one part of an onboarding's state: a stage, a follow-up, the reviews. Moves consist of such turns. */
import { isUnsettled } from './follow-ups.ts'
import type { FollowUp, OnboardingState, Stage, StageCode } from './onboarding-state.ts'
import type { FollowUpRequest } from './stage-outcome.ts'

export function keepLater(
  state: OnboardingState,
  stage: StageCode,
  later: readonly FollowUpRequest[] | undefined,
): OnboardingState {
  const others = (state.later ?? []).filter((request) => request.stage !== stage)
  const all = [...others, ...(later ?? []).map((request) => ({ ...request, stage }))]
  if (all.length > 0) return { ...state, later: all }
  const { later: _, ...rest } = state
  return rest
}

/** The stage that runs or waits. Every state that accepts these events has one. */
export function stageAtWork(state: OnboardingState): StageCode {
  if (state.stage === null) throw new Error(`no stage is at work in the state ${state.currentState}`)
  return state.stage
}

/** The stage at work, or an earlier one that must be passed again. */
export function firstUnpassed(state: OnboardingState): StageCode {
  return state.stages.find(({ status }) => status === 'Pending')?.code ?? stageAtWork(state)
}

export function turnStage(state: OnboardingState, code: StageCode, change: Partial<Stage>): OnboardingState {
  return {
    ...state,
    stages: state.stages.map((stage) => (stage.code === code ? { ...stage, errors: [], ...change } : stage)),
  }
}

export function turnFollowUp(state: OnboardingState, id: string, change: Partial<FollowUp>): OnboardingState {
  return {
    ...state,
    followUps: state.followUps.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }
}

/** Ends a follow-up of an open account that the record asks for no more. It is not answered. */
export function withdrawFollowUp(state: OnboardingState, id: string, on: string): OnboardingState {
  const reasons = state.followUps.find((one) => one.id === id)?.reasons ?? []
  const why = 'The record no longer asks for it.'
  return turnFollowUp(state, id, { status: 'Waived', withdrawnOn: on, reasons: [...reasons, why] })
}

/** Settles the waiting reviews. */
export function turnReviews(state: OnboardingState, status: FollowUp['status']): OnboardingState {
  return {
    ...state,
    followUps: state.followUps.map((one) =>
      one.kind === 'Review' && isUnsettled(one) ? { ...one, status } : one,
    ),
  }
}
