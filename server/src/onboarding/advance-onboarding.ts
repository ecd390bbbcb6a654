/**
 * Takes one step of an onboarding: the pure rules say what it becomes; state, history, account status, events, jobs and
 * audit row are stored in the same transaction. The row is locked, so a step happens once however often it is asked for.
 */
import {
  maskPersonalNumbers,
  nextStep,
  type OnboardingEvent,
  type OnboardingJob,
  type OnboardingSettings,
  type OnboardingStep,
} from '@clearing/domain'
import type { Rejection } from '@clearing/protocol'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import { moveAccountStatus } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import { lockOnboardingRow, type Onboarding, writeOnboardingStep } from '../store/onboarding.ts'
import { queueOnboardingJobs } from './queue-onboarding.ts'

export interface Acting {
  readonly clock: Clock
  readonly now: Date
  /** The credential or person, or `service`. */
  readonly actor: string
  readonly traceId: string
  /** Jobs that are due now are put here for the caller to do in the same transaction, instead of being queued. */
  readonly takeUp?: OnboardingJob[]
}

export type Advance =
  | { readonly kind: 'advanced'; readonly step: OnboardingStep }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'absent' }

export const advanceOnboarding = async (
  tx: Tx,
  accountNumber: string,
  event: OnboardingEvent,
  acting: Acting,
  settings?: OnboardingSettings,
): Promise<Advance> => {
  const onboarding = await lockOnboardingRow(tx, accountNumber)
  if (!onboarding) return { kind: 'absent' }
  const next = nextStep(onboarding.state, event, settings)
  if ('rejection' in next) return { kind: 'rejected', rejection: next.rejection }
  await keepStep(tx, onboarding, next.step, event, acting)
  return { kind: 'advanced', step: next.step }
}

const keepStep = async (
  tx: Tx,
  onboarding: Onboarding,
  step: OnboardingStep,
  event: OnboardingEvent,
  acting: Acting,
): Promise<void> => {
  const { account_number: accountNumber, firm_id: firmId } = onboarding
  const { now, actor, traceId, clock } = acting
  const reason = step.reason || step.transition.description
  writeOnboardingStep(tx, onboarding, { state: step.state, at: now, actor, reason })
  const { accountStatus } = step.transition
  if (accountStatus !== null && accountStatus !== onboarding.state.accountStatus) {
    const by = { actor, operation: `onboarding.${event.kind}`, traceId }
    const moved = await moveAccountStatus(tx, accountNumber, ['Pending'], accountStatus, now, by)
    if (!moved) throw new Error(`account ${accountNumber} was not Pending when its onboarding ended`)
  }
  for (const { type, content } of step.notices) {
    writeEvent(tx, { firmId, accountNumber, type, at: now, traceId, content })
  }
  const { takeUp } = acting
  const isDue = ({ notBefore }: OnboardingJob) => takeUp !== undefined && new Date(notBefore) <= now
  takeUp?.push(...step.jobs.filter(isDue))
  const later = step.jobs.filter((job) => !isDue(job))
  queueOnboardingJobs(tx, clock, firmId, accountNumber, later, traceId)
  writeAuditRow(tx, {
    firmId,
    at: now,
    actor,
    action: `onboarding.${event.kind}`,
    accountNumber,
    traceId,
    detail: maskPersonalNumbers({ from: onboarding.state.currentState, to: step.state.currentState, reason }),
  })
}
