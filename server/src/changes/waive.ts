/**
 * Waives a follow-up: at once, or after the approval of a second person if the waiver would end a restriction of the
 * account (decision 208).
 */
import type { OnboardingState } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { OnboardingSteps } from '../onboarding/advance-onboarding.ts'
import { writeAudit } from '../store/audit.ts'
import { lockOnboardingRow } from '../store/onboarding.ts'
import { readRenewals } from '../store/renewals.ts'
import { type Restriction, readRestrictionsInForce } from '../store/restrictions.ts'
import { notFound } from './restrict.ts'

export interface WaiveRequest {
  readonly accountNumber: string
  readonly followUpId: string
  readonly reason: string
}

/** Locks the onboarding and takes the step in memory. The check also precedes a request for approval. */
export async function checkWaiving(
  { tx, now, caller, traceId, parts }: FirmContext,
  { accountNumber, followUpId, reason }: WaiveRequest,
): Promise<Rejection | Waiver> {
  const locked = await lockOnboardingRow(tx, accountNumber)
  if (locked === undefined) return notFound
  const refused = whyNotWaived(locked.state, followUpId)
  if (refused !== undefined) return refused
  const steps = new OnboardingSteps(locked)
  const taken = steps.take(
    { kind: 'follow-up-waived', followUpId, reason, at: now.toISOString(), by: 'operations' },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'rejected') return taken.rejection
  const code = locked.state.followUps.find(({ id }) => id === followUpId)?.code ?? ''
  return { code, store: () => steps.store(tx, taken.step.jobs) }
}

export interface Waiver {
  /** The code of the follow-up. */
  readonly code: string
  readonly store: () => void
}

export async function waiveNow(request: WaiveRequest, context: FirmContext): Promise<Waiver | Rejection> {
  const waiver = await checkWaiving(context, request)
  if ('store' in waiver) keepWaiver(request, context, waiver)
  return waiver
}

/** Stores a waiver that was checked in the same transaction. */
export function keepWaiver(
  { accountNumber, followUpId, reason }: WaiveRequest,
  context: FirmContext,
  waiver: Waiver,
): void {
  waiver.store()
  const changes = { followUpId, reason }
  writeAudit(context, { action: 'waive-follow-up', accountNumber, target: followUpId, changes })
}

/** The restriction in force that was placed because the follow-up was not answered in time. */
export async function readRestrictionFor(
  tx: Tx,
  { accountNumber, followUpId }: WaiveRequest,
): Promise<Restriction | undefined> {
  const [renewals, inForce] = await Promise.all([
    readRenewals(tx, accountNumber),
    readRestrictionsInForce(tx, accountNumber),
  ])
  const held = renewals.find((one) => one.followUpId === followUpId)?.restrictionId
  return inForce.find(({ restriction_id }) => restriction_id === held)
}

function whyNotWaived(
  { currentState, followUps }: OnboardingState,
  followUpId: string,
): Rejection | undefined {
  if (currentState !== 'ActionRequired' && currentState !== 'CreationComplete') {
    const todo = currentState === 'ManualReview' ? ' Decide on the application with decide-onboarding.' : ''
    return reject(
      'ERR.2011',
      'accountNumber',
      `The application is ${currentState} and waits for no answer.${todo}`,
    )
  }
  const isReview = followUps.some(({ id, kind }) => id === followUpId && kind === 'Review')
  return isReview
    ? reject(
        'ERR.1015',
        'followUpId',
        'This follow-up is a decision of operations, which is made and not waived.',
      )
    : undefined
}
