/**
 * Predicts an onboarding by the rules of real ones: the first state in which it would wait, and all requests of its
 * stages, on the assumption that each is answered and approved.
 */
import { nextStep, submitOnboarding } from './decide-onboarding.ts'
import { isUnsettled } from './follow-ups.ts'
import type { OnboardingEvent, OnboardingJob } from './onboarding-event.ts'
import {
  type FollowUp,
  finalStates,
  type OnboardingState,
  type StageCode,
  waitingStates,
} from './onboarding-state.ts'
import type { StageOutcome } from './stage-outcome.ts'

export interface ForeseenOnboarding {
  /** The first state that waits for the firm or for operations, or else the final state. */
  readonly rest: OnboardingState
  /** The follow-ups of all stages, in the order of their opening. */
  readonly followUps: readonly FollowUp[]
}

/** More steps than any onboarding takes. Beyond this number, the rules do not terminate. */
const stepsMax = 200

/** `runStage` returns the outcome of an attempt at a stage and has no effect; `at` is ISO 8601 UTC. */
export async function foreseeOnboarding(
  at: string,
  runStage: (stage: StageCode, attempt: number) => Promise<StageOutcome>,
): Promise<ForeseenOnboarding> {
  let { state, jobs }: { state: OnboardingState; jobs: readonly OnboardingJob[] } = submitOnboarding(at)
  let rest: OnboardingState | undefined
  const followUps: FollowUp[] = []
  for (let steps = 0; steps < stepsMax; steps++) {
    if (finalStates.includes(state.currentState)) return { rest: rest ?? state, followUps }
    const waits = waitingStates.includes(state.currentState)
    if (waits) rest ??= state
    const event = waits ? settle(state, at) : await work(jobs, at, runStage)
    const next = nextStep(state, event)
    if ('rejection' in next) throw new Error(`an onboarding cannot go on: ${next.rejection.reason}`)
    followUps.push(...next.step.opened)
    ;({ state, jobs } = next.step)
  }
  throw new Error(`an onboarding did not end in ${stepsMax} steps`)
}

async function work(
  jobs: readonly OnboardingJob[],
  at: string,
  runStage: (stage: StageCode, attempt: number) => Promise<StageOutcome>,
): Promise<OnboardingEvent> {
  for (const job of jobs) {
    if (job.kind === 'begin') return { kind: 'work-began', run: job.run, at, by: 'service' }
    if (job.kind !== 'run-stage') continue
    const outcome = await runStage(job.stage, job.attempt)
    return { kind: 'stage-ended', run: job.run, stage: job.stage, outcome, at, by: 'service' }
  }
  throw new Error('an onboarding at work has no job')
}

/** The event that continues a waiting onboarding: follow-ups are waived, and reviews are approved. */
function settle(state: OnboardingState, at: string): OnboardingEvent {
  const reason = 'Foreseen.'
  const asked = state.followUps.find(isUnsettled)
  return state.currentState === 'ManualReview' || asked === undefined
    ? { kind: 'approved', reason, at, by: 'operations' }
    : { kind: 'follow-up-waived', followUpId: asked.id, reason, at, by: 'operations' }
}
