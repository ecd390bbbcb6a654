/** Follow-ups: what is asked, what answers it, and what becomes of it (Reading 4.2, 4.5). */
import { codeRow, documentsFor, limits } from '@clearing/protocol'
import type {
  FollowUp,
  FollowUpAnswer,
  LaterRequest,
  OnboardingState,
  StageCode,
} from './onboarding-state.ts'
import type { FollowUpRequest, Found, ReviewCode } from './stage-outcome.ts'

const dayMs = 86_400_000

/** Whether an open account did not answer in time what it was asked for; it can do so still. */
export function isLate({ status, blocking }: FollowUp): boolean {
  return status === 'Expired' && blocking === false
}

/** Follow-ups that wait: open, answered but not looked at, answered in vain, or late. A review is settled either way. */
export function isUnsettled(followUp: FollowUp): boolean {
  const { kind, status } = followUp
  return (
    status === 'Open' ||
    status === 'Answered' ||
    (status === 'Rejected' && kind !== 'Review') ||
    isLate(followUp)
  )
}

/** Whether the opening waits for it. */
export function holdsUp(followUp: FollowUp): boolean {
  return followUp.blocking !== false && isUnsettled(followUp)
}

/** An answer in words alone: nothing but a person can tell whether it does. */
export function isWritten(answer: Omit<FollowUpAnswer, 'at'> | undefined): boolean {
  return answer !== undefined && answer.documentId === '' && answer.fields.length === 0
}

/** Whether what it waits for is that operations read an answer in words. */
export function awaitsReader({ status, answers }: FollowUp): boolean {
  return status === 'Answered' && isWritten(answers?.at(-1))
}

/** Whether the firm must act on it. */
export function awaitsFirm(followUp: FollowUp): boolean {
  return (
    followUp.kind !== 'Review' &&
    (followUp.status === 'Open' || followUp.status === 'Rejected' || isLate(followUp))
  )
}

/** Whether the firm is late; while its answer is being looked at, it is not. */
export function isOverdue(followUp: FollowUp, at: string): boolean {
  return (
    awaitsFirm(followUp) &&
    followUp.status !== 'Expired' &&
    followUp.dueBy !== null &&
    Date.parse(followUp.dueBy) <= Date.parse(at)
  )
}

/** The time by which a follow-up asked, or asked again, at this instant is to be answered. */
export function renewedDueBy(at: string): string {
  return new Date(Date.parse(at) + limits.followUpDueDays * dayMs).toISOString()
}

/**
 * The requests of a stage that earlier answers do not cover. A stage that is run again asks again; a document
 * that was accepted, or what was waived, is not asked a second time, so that every round ends. A field is looked at anew.
 */
export function stillAsked(
  requests: readonly FollowUpRequest[],
  stage: StageCode,
  followUps: readonly FollowUp[],
): FollowUpRequest[] {
  const covered = new Set(
    followUps
      .filter((one) => one.stage === stage)
      .filter(({ kind, status }) => status === 'Waived' || (status === 'Accepted' && kind === 'Document'))
      .map(({ code, field }) => `${code} ${field}`),
  )
  return requests.filter(({ code, field }) => !covered.has(`${code} ${field}`))
}

/** One follow-up for each code and field, due in `followUpDueDays` days; several reasons are gathered in one. */
export function openFollowUps(
  requests: readonly FollowUpRequest[],
  stage: StageCode,
  state: Pick<OnboardingState, 'followUps'>,
  at: string,
): FollowUp[] {
  const dueBy = renewedDueBy(at)
  const opened: FollowUp[] = []
  for (const request of requests) {
    const { code, field, reason } = request
    const same = opened.findIndex((one) => one.code === code && one.field === field)
    const known = opened[same]
    if (known) {
      const found = [...(known.found ?? []), ...(foundBy(request).found ?? [])]
      opened[same] = {
        ...known,
        reasons: [...known.reasons, reason],
        ...(found.length > 0 ? { found } : {}),
      }
    } else {
      const before = state.followUps.length + opened.length
      opened.push({ ...openOne({ code, field, reason, stage, dueBy }, before), ...foundBy(request) })
    }
  }
  return opened
}

/** What a request says of the rule that asks. */
function foundBy({ rule, field, reason }: FollowUpRequest): Pick<FollowUp, 'found'> {
  return rule === undefined ? {} : { found: [{ rule, field, reason }] }
}

/** What is asked of an account that just opened; what was asked before is not asked again. */
export function openLater(
  requests: readonly LaterRequest[],
  state: Pick<OnboardingState, 'followUps'>,
  at: string,
): FollowUp[] {
  const known = new Set(state.followUps.map(({ code, field }) => `${code} ${field}`))
  const opened: FollowUp[] = []
  for (const request of requests) {
    const { code, field, reason, stage } = request
    if (known.has(`${code} ${field}`)) continue
    known.add(`${code} ${field}`)
    const before = state.followUps.length + opened.length
    opened.push({
      ...openOne({ code, field, reason, stage, dueBy: renewedDueBy(at) }, before),
      ...foundBy(request),
      blocking: false,
    })
  }
  return opened
}

/** What an open account is asked for in its course; what waits already is not asked twice, what was answered is asked again. */
export function openAgain(
  requests: readonly FollowUpRequest[],
  state: Pick<OnboardingState, 'followUps'>,
  at: string,
): FollowUp[] {
  const known = new Set(state.followUps.filter(isUnsettled).map(({ code, field }) => `${code} ${field}`))
  const opened: FollowUp[] = []
  for (const request of requests) {
    const { code, field, reason } = request
    if (known.has(`${code} ${field}`)) continue
    known.add(`${code} ${field}`)
    const before = state.followUps.length + opened.length
    const one = openOne({ code, field, reason, stage: 'IdentityCheck', dueBy: renewedDueBy(at) }, before)
    opened.push({ ...one, ...foundBy(request), blocking: false })
  }
  return opened
}

/** What operations must decide, shown among the follow-ups; nothing is due from the firm. */
export function openReview(
  code: ReviewCode,
  reason: string,
  stage: StageCode,
  state: Pick<OnboardingState, 'followUps'>,
  found: readonly Found[] = [],
): FollowUp {
  const review = openOne({ code, field: '', reason, stage, dueBy: null }, state.followUps.length)
  return found.length > 0 ? { ...review, found } : review
}

interface Asked extends Pick<FollowUp, 'code' | 'field' | 'stage' | 'dueBy'> {
  readonly reason: string
}

/** A follow-up after `before` others of the onboarding. */
function openOne({ code, field, reason, stage, dueBy }: Asked, before: number): FollowUp {
  const row = codeRow('followUpCode', code)
  if (row === undefined) throw new Error(`${code} is not a follow-up code`)
  return {
    id: `FU-${before + 1}`,
    code,
    kind: row.kind,
    field,
    reasons: [reason],
    acceptedDocuments: row.evidence === '' ? [] : documentsFor(row.evidence),
    status: 'Open',
    dueBy,
    stage,
  }
}
