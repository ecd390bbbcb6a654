/** Follow-ups: requests to the firm or to operations, their answers and their statuses (Reading 4.2, 4.5). */
import { codeRow, documentsFor, limits } from '@clearing/protocol/values'
import type {
  FollowUp,
  FollowUpAnswer,
  LaterRequest,
  OnboardingState,
  StageCode,
} from './onboarding-state.ts'
import type { FollowUpRequest, Found, RenewalRequest, ReviewCode } from './stage-outcome.ts'

const dayMs = 86_400_000

/** Whether a follow-up of an open account was not answered in time. It can still be answered. */
export function isLate({ status, blocking }: FollowUp): boolean {
  return status === 'Expired' && blocking === false
}

/**
 * Whether a follow-up waits: it is open, its answer is not reviewed yet or was rejected, or it is late. A decision
 * settles a review in any case.
 */
export function isUnsettled(followUp: FollowUp): boolean {
  const { kind, status } = followUp
  return (
    status === 'Open' ||
    status === 'Answered' ||
    (status === 'Rejected' && kind !== 'Review') ||
    isLate(followUp)
  )
}

/**
 * Whether a request for a document was not answered in time, and operations have not decided on the application yet.
 * The document may still come.
 */
export function isLateInReview(
  { kind, status }: FollowUp,
  { currentState }: Pick<OnboardingState, 'currentState'>,
): boolean {
  return currentState === 'ManualReview' && kind === 'Document' && status === 'Expired'
}

/** Whether the opening waits for it. */
export function holdsUp(followUp: FollowUp): boolean {
  return followUp.blocking !== false && isUnsettled(followUp)
}

/** Whether the answer is only a text, which a person must review. */
export function isWritten(answer: Omit<FollowUpAnswer, 'at'> | undefined): boolean {
  return answer !== undefined && answer.documentId === '' && answer.fields.length === 0
}

/** Whether the follow-up waits until operations review a written answer. */
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

/** Whether the firm is late. It is not late while its answer is under review. */
export function isOverdue(followUp: FollowUp, at: string): boolean {
  return (
    awaitsFirm(followUp) &&
    followUp.status !== 'Expired' &&
    followUp.dueBy !== null &&
    Date.parse(followUp.dueBy) <= Date.parse(at)
  )
}

/** The due time of a follow-up that is opened, or opened again, at this instant. */
export function renewedDueBy(at: string): string {
  return new Date(Date.parse(at) + limits.followUpDueDays * dayMs).toISOString()
}

/** Whether both are about the same value. A value that an earlier release did not store is the same as any. */
export function isSameFinding(
  before: Omit<Found, 'reason'>,
  { rule, field, about }: Omit<Found, 'reason'>,
): boolean {
  if (before.rule !== rule || before.field !== field) return false
  return before.about === undefined || about === undefined || before.about === about
}

/**
 * Whether a change of the record can answer a request of an application for a document: it ends the finding that caused
 * the request, such as a birth date that is corrected instead of proved. Also while a document is reviewed, which would
 * prove the wrong value.
 */
export function mayEndByChange(followUp: FollowUp): boolean {
  const { kind, blocking, found = [] } = followUp
  const isUndecided = awaitsFirm(followUp) || (followUp.status === 'Answered' && !awaitsReader(followUp))
  return kind === 'Document' && blocking !== false && found.length > 0 && isUndecided
}

/**
 * The requests of a stage that earlier answers do not cover. A stage that runs again repeats its requests, but an
 * accepted document and a waived request are not requested again for the same value, so that the onboarding ends. A
 * field is checked again, and so is a change in place of a document.
 */
export function stillAsked(
  requests: readonly FollowUpRequest[],
  stage: StageCode,
  followUps: readonly FollowUp[],
): FollowUpRequest[] {
  const settled = followUps
    .filter((one) => one.stage === stage)
    .filter((one) => one.status === 'Waived' || isProvedByDocument(one))
  return requests.filter((request) => !settled.some((one) => covers(one, request)))
}

function isProvedByDocument({ kind, status, answers }: FollowUp): boolean {
  const last = answers?.at(-1)
  const isChange = last !== undefined && last.documentId === '' && last.fields.length > 0
  return status === 'Accepted' && kind === 'Document' && !isChange
}

function covers(followUp: FollowUp, { code, field, rule, about = '' }: FollowUpRequest): boolean {
  if (followUp.code !== code || followUp.field !== field) return false
  const found = (followUp.found ?? []).filter((one) => one.rule === rule && one.about !== undefined)
  return about === '' || found.length === 0 || found.some((one) => one.about === about)
}

/** One follow-up for each code and field, with all reasons, due in `followUpDueDays` days. */
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

/** The facts of the rule that caused a request. */
function foundBy({ rule, field, reason, about }: FollowUpRequest): Pick<FollowUp, 'found'> {
  if (rule === undefined) return {}
  return { found: [{ rule, field, reason, ...(about !== undefined && { about }) }] }
}

/** The follow-ups of an account that has just opened, without those that exist already. */
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

/**
 * The follow-ups for facts of an open account that fall due. A waiting follow-up is not repeated, and an answered one
 * is opened again. A question that comes back has the due time that it had.
 */
export function openAgain(
  requests: readonly RenewalRequest[],
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
    const dueBy = request.dueBy ?? renewedDueBy(at)
    const one = openOne({ code, field, reason, stage: 'IdentityCheck', dueBy }, before)
    opened.push({ ...one, ...foundBy(request), blocking: false })
  }
  return opened
}

/** The follow-up for a decision of operations. The firm need not act. */
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

/** Makes a follow-up; `before` is the number of earlier ones of the onboarding. */
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
