/** Follow-ups: what is asked, what answers it, and what becomes of it (Reading 4.2, 4.5). */
import { codeRow, documentsFor, limits } from '@clearing/protocol'
import type {
  FollowUp,
  FollowUpAnswer,
  FollowUpCode,
  LaterRequest,
  OnboardingState,
  StageCode,
} from './onboarding-state.ts'
import type { FollowUpRequest, ReviewCode } from './stage-outcome.ts'

const dayMs = 86_400_000

/** Follow-ups that still hold the work up: open, answered but not looked at, or answered in vain. A review is settled either way. */
export const isUnsettled = ({ kind, status }: FollowUp): boolean =>
  status === 'Open' || status === 'Answered' || (status === 'Rejected' && kind !== 'Review')

/** Whether the opening waits for it. */
export const holdsUp = (followUp: FollowUp): boolean => followUp.blocking !== false && isUnsettled(followUp)

/** An answer in words alone: nothing but a person can tell whether it does. */
export const isWritten = (answer: Omit<FollowUpAnswer, 'at'> | undefined): boolean =>
  answer !== undefined && answer.documentId === '' && answer.fields.length === 0

/** Whether what it waits for is that operations read an answer in words. */
export const awaitsReader = ({ status, answers }: FollowUp): boolean =>
  status === 'Answered' && isWritten(answers?.at(-1))

/** Whether the firm must act on it. */
export const awaitsFirm = ({ kind, status }: FollowUp): boolean =>
  kind !== 'Review' && (status === 'Open' || status === 'Rejected')

/** Whether the firm is late; while its answer is being looked at, it is not. */
export const isOverdue = (followUp: FollowUp, at: string): boolean =>
  awaitsFirm(followUp) && followUp.dueBy !== null && Date.parse(followUp.dueBy) <= Date.parse(at)

/** The time by which a follow-up asked, or asked again, at this instant is to be answered. */
export const renewedDueBy = (at: string): string =>
  new Date(Date.parse(at) + limits.followUpDueDays * dayMs).toISOString()

/**
 * The requests of a stage that earlier answers do not cover. A stage that is run again asks again; a document
 * that was accepted, or what was waived, is not asked a second time, so that every round ends. A field is looked at anew.
 */
export const stillAsked = (
  requests: readonly FollowUpRequest[],
  stage: StageCode,
  followUps: readonly FollowUp[],
): FollowUpRequest[] => {
  const covered = new Set(
    followUps
      .filter((one) => one.stage === stage)
      .filter(({ kind, status }) => status === 'Waived' || (status === 'Accepted' && kind === 'Document'))
      .map(({ code, field }) => `${code} ${field}`),
  )
  return requests.filter(({ code, field }) => !covered.has(`${code} ${field}`))
}

/** One follow-up for each code and field, due in `followUpDueDays` days; several reasons are gathered in one. */
export const openFollowUps = (
  requests: readonly FollowUpRequest[],
  stage: StageCode,
  state: Pick<OnboardingState, 'followUps'>,
  at: string,
): FollowUp[] => {
  const dueBy = renewedDueBy(at)
  const opened: FollowUp[] = []
  for (const { code, field, reason } of requests) {
    const same = opened.findIndex((one) => one.code === code && one.field === field)
    const known = opened[same]
    if (known) opened[same] = { ...known, reasons: [...known.reasons, reason] }
    else opened.push(openOne(code, field, reason, stage, state.followUps.length + opened.length, dueBy))
  }
  return opened
}

/** What is asked of an account that just opened; what was asked before is not asked again. */
export const openLater = (
  requests: readonly LaterRequest[],
  state: Pick<OnboardingState, 'followUps'>,
  at: string,
): FollowUp[] => {
  const known = new Set(state.followUps.map(({ code, field }) => `${code} ${field}`))
  const opened: FollowUp[] = []
  for (const { code, field, reason, stage } of requests) {
    if (known.has(`${code} ${field}`)) continue
    known.add(`${code} ${field}`)
    const before = state.followUps.length + opened.length
    opened.push({ ...openOne(code, field, reason, stage, before, renewedDueBy(at)), blocking: false })
  }
  return opened
}

/** What operations must decide, shown among the follow-ups; nothing is due from the firm. */
export const openReview = (
  code: ReviewCode,
  reason: string,
  stage: StageCode,
  state: Pick<OnboardingState, 'followUps'>,
): FollowUp => openOne(code, '', reason, stage, state.followUps.length, null)

const openOne = (
  code: FollowUpCode,
  field: string,
  reason: string,
  stage: StageCode,
  before: number,
  dueBy: string | null,
): FollowUp => {
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
