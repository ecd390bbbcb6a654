/**
 * The single moves of an onboarding, each from a state to the next with its queued work: a stage is entered, retried,
 * failed or approved; a follow-up is opened, answered or late. `nextStep` selects a move.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import {
  awaitsReader,
  holdsUp,
  isOverdue,
  isUnsettled,
  openAgain,
  openFollowUps,
  openLater,
  openReview,
  renewedDueBy,
} from './follow-ups.ts'
import type { OnboardingJob, OnboardingSettings } from './onboarding-event.ts'
import {
  type FollowUp,
  type FollowUpAnswer,
  type OnboardingState,
  type Stage,
  type StageCode,
  stageRuleOf,
  stageRules,
} from './onboarding-state.ts'
import { referDeath } from './owner-died.ts'
import type { FollowUpRequest, Found, RenewalRequest, ReviewCode, StageOutcome } from './stage-outcome.ts'
import { firstUnpassed, keepLater, stageAtWork, turnFollowUp, turnReviews, turnStage } from './turn-state.ts'

/** The time of the event (ISO 8601 UTC), and durations. */
export type Scene = { readonly at: string; readonly settings: OnboardingSettings }

export type Move = {
  readonly state: OnboardingState
  readonly jobs: readonly OnboardingJob[]
  readonly reason: string
}

/** Applies the outcome of a stage: the next stage, questions to the firm, a review, a retry, or the end. */
export function endStage(state: OnboardingState, code: StageCode, outcome: StageOutcome, scene: Scene): Move {
  switch (outcome.kind) {
    case 'succeeded':
      return advance(
        keepLater(turnStage(state, code, { status: 'Success', reason: outcome.reason }), code, outcome.later),
        scene,
        '',
      )
    case 'asked':
      return ask(state, code, outcome.requests, '', scene)
    case 'referred': {
      const kept = keepLater(state, code, outcome.later)
      return outcome.certificate === undefined
        ? refer(kept, code, outcome.code, outcome.reason, outcome.found)
        : stay(referDeath(kept, code, outcome.certificate))
    }
    case 'failed':
      return failStage(state, code, outcome.reason, outcome.errors, scene)
    case 'unavailable':
      return retryStage(state, code, outcome.reason, scene)
    default:
      return outcome satisfies never
  }
}

function resume(state: OnboardingState, scene: Scene, reason: string): Move {
  const cleared = turnStage(state, stageAtWork(state), { status: 'Pending', reason: '' })
  return enterStage(cleared, firstUnpassed(cleared), scene, reason)
}

/** The stages before the stage at work passed another record: they run again when the application continues. */
export function runEarlierAgain(state: OnboardingState): Move {
  const code = stageAtWork(state)
  const at = state.stages.findIndex((stage) => stage.code === code)
  const stages = state.stages.map(
    (stage, index): Stage => (index < at ? { ...stage, status: 'Pending', reason: '', errors: [] } : stage),
  )
  return stay({ ...state, stages })
}

/** No further work is queued. */
export function stay(state: OnboardingState, reason = ''): Move {
  return { state, jobs: [], reason }
}

/** Continues with the first stage that is not done. Without one, the account opens. */
function advance(state: OnboardingState, scene: Scene, reason: string): Move {
  const next = state.stages.find((stage) => stage.status === 'Pending')
  if (next) return enterStage(state, next.code, scene, reason)
  const { later = [], ...opened } = state
  return stay(
    {
      ...opened,
      currentState: 'CreationComplete',
      accountStatus: 'Open',
      stage: null,
      attempt: 1,
      followUps: [...state.followUps, ...openLater(later, state, scene.at)],
    },
    reason,
  )
}

/** Begins a stage and queues its work. */
export function enterStage(state: OnboardingState, code: StageCode, scene: Scene, reason: string): Move {
  const entered: OnboardingState = {
    ...turnStage(state, code, { status: 'Pending', reason: '' }),
    currentState: stageRuleOf(code).group,
    stage: code,
    attempt: 1,
  }
  return { state: entered, jobs: [runStage(entered, code, scene, scene.settings.stageDelayMs)], reason }
}

function runStage(state: OnboardingState, stage: StageCode, scene: Scene, delayMs: number): OnboardingJob {
  return {
    kind: 'run-stage',
    stage,
    run: state.run,
    attempt: state.attempt,
    notBefore: later(scene.at, delayMs),
  }
}

function later(at: string, delayMs: number): string {
  return new Date(Date.parse(at) + delayMs).toISOString()
}

/** Opens follow-ups, and queues their expiry on the earliest due date. */
export function ask(
  state: OnboardingState,
  code: StageCode,
  requests: readonly FollowUpRequest[],
  reason: string,
  scene: Scene,
): Move {
  const opened = openFollowUps(requests, code, state, scene.at)
  const asked: OnboardingState = {
    ...state,
    currentState: 'ActionRequired',
    stage: code,
    attempt: 1,
    followUps: [...state.followUps, ...opened],
  }
  return { state: asked, jobs: [expireAt(state, opened[0]?.dueBy ?? scene.at)], reason }
}

function expireAt(state: OnboardingState, dueBy: string): OnboardingJob {
  return {
    kind: 'expire-follow-ups',
    run: state.run,
    notBefore: dueBy,
  }
}

function refer(
  state: OnboardingState,
  code: StageCode,
  review: ReviewCode,
  reason: string,
  found?: readonly Found[],
): Move {
  return referTo(state, code, openReview(review, reason, code, state, found))
}

function referTo(state: OnboardingState, stage: StageCode, review: FollowUp): Move {
  const followUps = [...state.followUps, review]
  return stay({ ...state, currentState: 'ManualReview', stage, attempt: 1, followUps }, review.reasons[0])
}

function failStage(
  state: OnboardingState,
  code: StageCode,
  reason: string,
  errors: readonly Rejection[],
  scene: Scene,
): Move {
  const rule = stageRuleOf(code)
  const stated = errors.length > 0 ? errors : [reject('ERR.4000', rule.field, reason)]
  switch (rule.onFailure) {
    case 'Reject':
      return close(state, 'Rejected', code, reason, stated)
    case 'Fail':
      return close(state, 'CreationFailed', code, reason, stated)
    case 'Continue':
      return advance(turnStage(state, code, { status: 'Failed', reason, errors: stated }), scene, reason)
    case 'Ask': {
      const requests = stated.map(
        (error): FollowUpRequest => ({
          code: 'FieldCorrection',
          field: error.field === '' ? rule.field : error.field,
          reason: error.reason,
        }),
      )
      return ask(turnStage(state, code, { reason, errors: stated }), code, requests, reason, scene)
    }
    default:
      return rule.onFailure satisfies never
  }
}

/** Retries a back end that does not respond a limited number of times. After that, a required stage has failed. */
function retryStage(state: OnboardingState, code: StageCode, reason: string, scene: Scene): Move {
  const delayMs = scene.settings.retryDelaysMs[state.attempt - 1]
  if (delayMs !== undefined) {
    const again = { ...turnStage(state, code, { reason }), attempt: state.attempt + 1 }
    return { state: again, jobs: [runStage(again, code, scene, delayMs)], reason }
  }
  if (stageRuleOf(code).onFailure === 'Continue') return failStage(state, code, reason, [], scene)
  return close(state, 'CreationFailed', code, reason, [])
}

/** The status of a follow-up after the onboarding ended without an account. */
const endings = { Field: 'Waived', Document: 'Waived', Review: 'Rejected' } as const

/** Ends the onboarding without an account. The stage that ended it has failed. */
export function close(
  state: OnboardingState,
  to: 'Rejected' | 'CreationFailed',
  code: StageCode,
  reason: string,
  errors: readonly Rejection[],
): Move {
  const stated = errors.length > 0 ? errors : [reject('ERR.4000', stageRuleOf(code).field, reason)]
  return end(turnStage(state, code, { status: 'Failed', reason, errors: stated }), to, endings, reason)
}

/** No stage has failed, no review was refused, and nothing needs a correction any more. */
export function withdraw(state: OnboardingState, at: string): Move {
  const waived = { ...endings, Review: 'Waived' } as const
  const stages = state.stages.map((stage) => (stage.status === 'Pending' ? { ...stage, errors: [] } : stage))
  return end({ ...state, stages, withdrawnAt: at }, 'Rejected', waived, 'Withdrawn by the firm.')
}

function end(
  state: OnboardingState,
  currentState: 'Rejected' | 'CreationFailed',
  settled: Record<FollowUp['kind'], FollowUp['status']>,
  reason: string,
): Move {
  const followUps = state.followUps.map((one) =>
    isUnsettled(one) ? { ...one, status: settled[one.kind] } : one,
  )
  const ended = { ...state, followUps, currentState, accountStatus: 'Rejected' as const }
  return stay({ ...ended, stage: null, attempt: 1, reason }, reason)
}

/** Stores the answer. Operations review a written answer as soon as no other follow-up waits. */
export function answerFollowUp(
  state: OnboardingState,
  id: string,
  given: Omit<FollowUpAnswer, 'at'> | undefined,
  scene: Scene,
): Move {
  const before = state.followUps.find((one) => one.id === id)?.answers ?? []
  const answers = given === undefined ? {} : { answers: [...before, { at: scene.at, ...given }] }
  const answered = turnFollowUp(state, id, { status: 'Answered', ...answers })
  if (state.stage === null || state.currentState === 'ManualReview') return stay(answered)
  return onlyReaderAwaited(answered) ? referWritten(answered) : stay(answered)
}

function onlyReaderAwaited({ followUps }: OnboardingState): boolean {
  const unsettled = followUps.filter(isUnsettled)
  return unsettled.length > 0 && unsettled.every(awaitsReader)
}

/** Settles written answers for which operations requested more information. */
export function waiveRead(state: OnboardingState): OnboardingState {
  return {
    ...state,
    followUps: state.followUps.map((one) => (awaitsReader(one) ? { ...one, status: 'Waived' } : one)),
  }
}

function referWritten(state: OnboardingState): Move {
  return referAnswers(state, 'A follow-up was answered in writing.')
}

/** Operations decide instead of an answer, before the stage has found anything. */
function referAnswers(state: OnboardingState, reason: string): Move {
  const code = stageAtWork(state)
  const review = { ...openReview(reviewOf(code), reason, code, state), ofAnswers: true as const }
  return referTo(state, code, review)
}

function reviewOf(code: StageCode): ReviewCode {
  return code === 'WatchlistCheck' ? 'WatchlistReview' : 'IdentityReview'
}

/**
 * Settles a follow-up. After the last one that holds up the application, its stage is run again, and before it those
 * that passed another record.
 */
export function settleFollowUp(
  state: OnboardingState,
  id: string,
  status: 'Accepted' | 'Waived',
  reason: string,
  scene: Scene,
): Move {
  const settled = turnFollowUp(state, id, { status, ...(status === 'Waived' && { waivedAt: scene.at }) })
  // A follow-up of an open account changes no other state. Of an application in review, operations decide.
  if (state.stage === null || state.currentState === 'ManualReview') return stay(settled, reason)
  if (onlyReaderAwaited(settled)) return referWritten(settled)
  if (settled.followUps.some(holdsUp)) return stay(settled, reason)
  return resume(settled, scene, reason)
}

/** Opens the same follow-up for another answer, with the added reason and the full time. */
export function refuseAnswer(state: OnboardingState, id: string, reason: string, scene: Scene): Move {
  const dueBy = renewedDueBy(scene.at)
  const reasons = state.followUps.find((one) => one.id === id)?.reasons ?? []
  const refused = turnFollowUp(state, id, { status: 'Rejected', reasons: [...reasons, reason], dueBy })
  if (state.stage === null) return stay(refused, reason)
  return { state: refused, jobs: [expireAt(state, dueBy)], reason }
}

/** A late answer does not end an application: operations decide. */
export function expireFollowUps(state: OnboardingState, scene: Scene): Move {
  const followUps = state.followUps.map((one) =>
    isOverdue(one, scene.at) ? { ...one, status: 'Expired' as const } : one,
  )
  return referAnswers({ ...state, followUps }, 'A follow-up was not answered in time.')
}

/** Opens follow-ups of an open account. They have a due date, and nothing else waits for their answers. */
export function askAgain(state: OnboardingState, requests: readonly RenewalRequest[], scene: Scene): Move {
  return stay({ ...state, followUps: [...state.followUps, ...openAgain(requests, state, scene.at)] })
}

/**
 * The open follow-ups are waived, and the stage counts as passed. If the approval is of written or missing answers, the
 * check of the identity runs again without their requests instead, because they came before its other findings. So does
 * the last stage, because the day on which the account opens decides, a stage that follows others which passed another
 * record, and a stage that only a death interrupted.
 */
export function approve(state: OnboardingState, reason: string, scene: Scene): Move {
  const code = stageAtWork(state)
  const reviewed = turnReviews(state, 'Accepted')
  const isOfStage = (one: FollowUp) => one.stage === code && isOfAnswer(one)
  const runsAgain =
    firstUnpassed(state) !== code ||
    code === lastStage ||
    isInterrupted(state) ||
    (code === 'IdentityCheck' && (isOfAnswers(state) || reviewed.followUps.some(isOfStage)))
  const followUps = reviewed.followUps.map((one) =>
    isUnsettled(one) || (runsAgain && isOfStage(one)) ? { ...one, status: 'Waived' as const } : one,
  )
  if (runsAgain) return resume({ ...reviewed, followUps }, scene, reason)
  const passed = turnStage({ ...reviewed, followUps }, code, {
    status: 'Success',
    reason: 'Approved by operations.',
  })
  return advance(passed, scene, reason)
}

/** Whether the review came before the findings of the stage. Its answers may have come during the review. */
function isOfAnswers({ followUps }: OnboardingState): boolean {
  return followUps.some((one) => one.ofAnswers === true && isUnsettled(one))
}

/** Whether only a death certificate, and no outcome of the stage, waits for the decision. */
function isInterrupted({ followUps }: OnboardingState): boolean {
  return followUps.every((one) => one.kind !== 'Review' || !isUnsettled(one) || one.certificate !== undefined)
}

const lastStage = stageRules.at(-1)?.code

/** Whether operations decide instead of an answer: it is in writing, or did not come in time. */
function isOfAnswer(followUp: FollowUp): boolean {
  return followUp.status === 'Expired' || isUnsettled(followUp)
}
