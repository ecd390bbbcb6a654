/**
 * The rules of an onboarding: from a state and an event, the next state, the work to queue and the notices to send.
 * Pure; the event has the time. Every step is a row of `transitions` (Reading 4.1, 4.5, 4.6).
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import {
  isLate,
  isLateInReview,
  isOverdue,
  isSameFinding,
  isUnsettled,
  isWritten,
  stillAsked,
} from './follow-ups.ts'
import { listNotices } from './list-notices.ts'
import {
  defaultOnboardingSettings,
  type NextStep,
  type OnboardingEvent,
  type OnboardingJob,
  type OnboardingSettings,
} from './onboarding-event.ts'
import {
  answerFollowUp,
  approve,
  ask,
  askAgain,
  close,
  endStage,
  enterStage,
  expireFollowUps,
  type Move,
  refuseAnswer,
  runEarlierAgain,
  type Scene,
  settleFollowUp,
  stay,
  waiveRead,
  withdraw,
} from './onboarding-moves.ts'
import {
  type FollowUp,
  type OnboardingState,
  type StageCode,
  type StageRule,
  stageRules,
} from './onboarding-state.ts'
import { referDeath, withoutDeath } from './owner-died.ts'
import { type StageOutcome, succeeded } from './stage-outcome.ts'
import { type TransitionEvent, transitionOf, transitions } from './transitions.ts'
import { stageAtWork, turnFollowUp, turnReviews, withdrawFollowUp } from './turn-state.ts'

/** A submission that was just accepted, and the job that begins its onboarding. */
export function submitOnboarding(at: string): { state: OnboardingState; jobs: OnboardingJob[] } {
  return {
    state: {
      currentState: 'Submitted',
      accountStatus: 'Pending',
      stages: stageRules.map(({ code }) => ({ code, status: 'Pending', reason: '', errors: [] })),
      followUps: [],
      stage: null,
      run: 1,
      attempt: 1,
      reason: '',
    },
    jobs: [{ kind: 'begin', run: 1, notBefore: at }],
  }
}

/**
 * The next state after an event, or a rejection: ERR.2010 if the state does not accept the event or a job reports
 * late or twice, ERR.1003 if the actor may not cause it, ERR.1015 if it names no follow-up of this onboarding.
 */
export function nextStep(
  state: OnboardingState,
  reported: OnboardingEvent,
  settings: OnboardingSettings = defaultOnboardingSettings,
): NextStep {
  const event = withoutAnsweredRequests(state, reported)
  const name = transitionEventOf(event)
  const rejection = refuseEvent(state, event, name)
  if (rejection) return { rejection }
  const scene: Scene = { at: event.at, settings }
  const move = decide({ ...state, run: state.run + 1 }, event, scene)
  return {
    step: {
      state: move.state,
      transition: transitionOf(
        state.currentState,
        nameOfMove(name, state, move.state),
        move.state.currentState,
      ),
      reason: move.reason,
      opened: move.state.followUps.slice(state.followUps.length),
      jobs: move.jobs,
      notices: listNotices(state, move.state),
    },
  }
}

/** If every request of a stage was answered before, the stage has its other outcome. A decided review is over. */
function withoutAnsweredRequests(state: OnboardingState, event: OnboardingEvent): OnboardingEvent {
  if (event.kind !== 'stage-ended') return event
  const decided = withoutDecided(state, event.stage, withoutAnswered(state, event))
  return { ...event, outcome: withoutDeath(state, event.stage, decided) }
}

function withoutAnswered(
  { followUps }: OnboardingState,
  { stage, outcome }: { readonly stage: StageCode; readonly outcome: StageOutcome },
): StageOutcome {
  if (outcome.kind !== 'asked') return outcome
  const requests = stillAsked(outcome.requests, stage, followUps)
  return requests.length > 0 ? { ...outcome, requests } : (outcome.otherwise ?? succeeded())
}

/** A check that runs again after an approval does not refer the findings that operations saw before it. */
function withoutDecided(
  { followUps }: OnboardingState,
  stage: StageCode,
  outcome: StageOutcome,
): StageOutcome {
  if (outcome.kind !== 'referred' || outcome.code === 'WatchlistReview') return outcome
  const isOfCheck = (one: FollowUp) => one.kind === 'Review' && one.certificate === undefined
  const reviews = followUps.filter((one) => one.stage === stage && isOfCheck(one))
  const approved = reviews.findLastIndex(({ status }) => status === 'Accepted')
  if (approved === -1) return outcome
  const seen = reviews.slice(0, approved + 1).flatMap(({ found = [] }) => found)
  const isSeen = (outcome.found ?? []).every((one) => seen.some((before) => isSameFinding(before, one)))
  if (!isSeen) return outcome
  return outcome.later === undefined ? succeeded() : { ...succeeded(), later: outcome.later }
}

/** If only a written answer remains after the last answer, operations review the written answer. */
function nameOfMove(name: TransitionEvent, before: OnboardingState, after: OnboardingState): TransitionEvent {
  const isReferred = before.currentState !== 'ManualReview' && after.currentState === 'ManualReview'
  return name === 'follow-up-answered' && isReferred ? 'follow-up-explained' : name
}

function transitionEventOf(event: OnboardingEvent): TransitionEvent {
  if (event.kind === 'follow-up-answered' && isWritten(event.answer)) return 'follow-up-explained'
  if (event.kind !== 'stage-ended') return event.kind
  switch (event.outcome.kind) {
    case 'succeeded':
      return 'stage-succeeded'
    case 'failed':
      return 'stage-failed'
    case 'asked':
      return 'stage-asked'
    case 'referred':
      return 'stage-referred'
    case 'unavailable':
      return 'back-end-unavailable'
    default:
      return event.outcome satisfies never
  }
}

function refuseEvent(
  state: OnboardingState,
  event: OnboardingEvent,
  name: TransitionEvent,
): Rejection | null {
  const rows = transitions.filter((row) => row.from === state.currentState && row.event === name)
  if (rows.length === 0) {
    const states = [...new Set(transitions.filter((row) => row.event === name).map((row) => row.from))]
    const reason = `The application is in the state ${state.currentState}. This is possible in the state ${states.join(' or ')} only.`
    return reject('ERR.2010', '', reason)
  }
  if (!rows.some((row) => row.by.includes(event.by))) {
    return reject('ERR.1003', '', `Only ${(rows[0]?.by ?? []).join(' or ')} may do this: ${name}.`)
  }
  switch (event.kind) {
    case 'work-began':
    case 'stage-ended': {
      const isDue = event.run === state.run && (event.kind === 'work-began' || event.stage === state.stage)
      return isDue ? null : reject('ERR.2010', '', 'This work is done already, or no longer due.')
    }
    case 'renewal-settled':
    case 'renewal-withdrawn':
    case 'follow-up-answered':
    case 'follow-up-accepted':
    case 'follow-up-refused':
    case 'follow-up-waived': {
      const followUp = state.followUps.find((one) => one.id === event.followUpId)
      if (!followUp) return reject('ERR.1015', 'followUpId', 'No follow-up of this account has this id.')
      if (followUp.kind === 'Review')
        return reject('ERR.2010', 'followUpId', 'Operations decide on this follow-up with the application.')
      return isUnsettled(followUp) || isLateInReview(followUp, state)
        ? null
        : reject('ERR.2010', 'followUpId', `This follow-up is ${followUp.status.toLowerCase()} already.`)
    }
    case 'follow-ups-expired':
      return state.followUps.some((one) => isOverdue(one, event.at))
        ? null
        : reject('ERR.2010', '', 'No follow-up is overdue.')
    case 'renewal-expired':
      return state.followUps.some((one) => one.id === event.followUpId && isUnsettled(one) && !isLate(one))
        ? null
        : reject('ERR.2010', 'followUpId', 'This follow-up does not wait for an answer.')
    case 'renewal-asked':
    case 'information-requested':
      return event.requests.length > 0 ? null : reject('ERR.1000', 'requests', 'What is asked must be given.')
    case 'record-changed':
    case 'owner-died':
    case 'approved':
    case 'rejected':
    case 'withdrawn':
      return null
    default:
      return event satisfies never
  }
}

const firstStage = (stageRules[0] as StageRule).code

function decide(state: OnboardingState, event: OnboardingEvent, scene: Scene): Move {
  switch (event.kind) {
    case 'work-began':
      return enterStage(state, firstStage, scene, '')
    case 'stage-ended':
      return endStage(state, event.stage, event.outcome, scene)
    case 'follow-up-answered':
      return answerFollowUp(state, event.followUpId, event.answer, scene)
    case 'follow-up-accepted':
      return settleFollowUp(state, event.followUpId, 'Accepted', '', scene)
    case 'follow-up-waived':
      return settleFollowUp(state, event.followUpId, 'Waived', event.reason, scene)
    case 'follow-up-refused':
      return refuseAnswer(state, event.followUpId, event.reason, scene)
    case 'record-changed':
      return runEarlierAgain(state)
    case 'follow-ups-expired':
      return expireFollowUps(state, scene)
    case 'renewal-asked':
      return askAgain(state, event.requests, scene)
    case 'renewal-expired':
      return stay(turnFollowUp(state, event.followUpId, { status: 'Expired' }))
    case 'renewal-settled':
      return stay(turnFollowUp(state, event.followUpId, { status: 'Accepted' }))
    case 'renewal-withdrawn':
      return stay(withdrawFollowUp(state, event.followUpId, event.on))
    case 'owner-died':
      return stay(referDeath(state, state.stage ?? firstStage, event.documentId))
    case 'approved':
      return approve(state, event.reason, scene)
    case 'rejected':
      return close(state, 'Rejected', stageAtWork(state), event.reason, [])
    case 'withdrawn':
      return withdraw(state, event.at)
    case 'information-requested':
      return ask(
        turnReviews(waiveRead(state), 'Waived'),
        stageAtWork(state),
        event.requests,
        event.reason,
        scene,
      )
    default:
      return event satisfies never
  }
}
