/** The notices of a step, derived from the difference between the states before and after, so that none is missing. */
import type { NoticeType, OnboardingNotice } from './onboarding-event.ts'
import { type CurrentState, type FollowUp, type OnboardingState, waitingStates } from './onboarding-state.ts'

const ofState: Record<CurrentState, NoticeType | null> = {
  Submitted: null,
  Screening: null,
  AccountCreation: null,
  CreationComplete: 'account.opened',
  ActionRequired: 'application.action_required',
  ManualReview: 'application.manual_review',
  Rejected: 'application.rejected',
  CreationFailed: 'application.failed',
}

const ofFollowUp: Record<FollowUp['status'], NoticeType> = {
  Open: 'followup.opened',
  Answered: 'followup.answered',
  Accepted: 'followup.accepted',
  Rejected: 'followup.refused',
  Waived: 'followup.waived',
  Expired: 'followup.expired',
}

export function listNotices(before: OnboardingState, after: OnboardingState): OnboardingNotice[] {
  return [
    ...listStages(before, after),
    ...listFollowUps(before, after, (followUp) => followUp.blocking !== false),
    ...listMoves(before, after),
    ...listFollowUps(before, after, (followUp) => followUp.blocking === false),
  ]
}

function listStages(before: OnboardingState, after: OnboardingState): OnboardingNotice[] {
  return after.stages.flatMap(({ code, status }, at) => {
    if (status === before.stages[at]?.status || status === 'Pending') return []
    const type = status === 'Success' ? 'application.stage.completed' : 'application.stage.failed'
    return [{ type, content: { stage: code } } as const]
  })
}

function listFollowUps(
  before: OnboardingState,
  after: OnboardingState,
  which: (followUp: FollowUp) => boolean,
): OnboardingNotice[] {
  return after.followUps.flatMap((followUp, at) => {
    const { id, code, kind, status } = followUp
    if (!which(followUp) || status === before.followUps[at]?.status) return []
    return [{ type: ofFollowUp[status], content: { followUpId: id, code, kind } }]
  })
}

function listMoves(before: OnboardingState, after: OnboardingState): OnboardingNotice[] {
  if (after.currentState === before.currentState) return []
  const notices: OnboardingNotice[] = []
  if (isThroughChecks(after) && !isThroughChecks(before)) {
    notices.push({ type: 'application.approved', content: { currentState: after.currentState } })
  }
  const type = ofState[after.currentState]
  if (type !== null) notices.push({ type, content: { currentState: after.currentState, ...endOf(after) } })
  else if (
    waitingStates.includes(before.currentState) &&
    isThroughChecks(after) === isThroughChecks(before)
  ) {
    notices.push({ type: 'application.resumed', content: { currentState: after.currentState } })
  }
  return notices
}

function endOf({ withdrawnAt }: OnboardingState): { withdrawnOn?: string } {
  return withdrawnAt === undefined ? {} : { withdrawnOn: withdrawnAt }
}

/** The check of the watch list is the last one. */
function isThroughChecks({ stages }: OnboardingState): boolean {
  return stages.some(({ code, status }) => code === 'WatchlistCheck' && status === 'Success')
}
