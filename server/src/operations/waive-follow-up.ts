/**
 * waive-follow-up: withdraws a request to an open account. The account's review then ends the restriction that was
 * placed for it.
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { OnboardingSteps } from '../onboarding/advance-onboarding.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { writeAudit } from '../store/audit.ts'
import { lockOnboardingRow, readOnboarding } from '../store/onboarding.ts'
import type { Handler } from './context.ts'

export const waiveFollowUp: Handler<'waive-follow-up'> = async (request, context) => {
  const { tx, now, caller, traceId, parts } = context
  const { accountNumber, followUpId, reason } = request
  const locked = await lockOnboardingRow(tx, accountNumber)
  if (locked === undefined) return accountNotFound(context.firm)
  if (locked.state.currentState !== 'CreationComplete') {
    const why = `The account is not open: its application is ${locked.state.currentState}. Decide on the application.`
    return new Rejected([reject('ERR.2011', 'accountNumber', why)])
  }
  const steps = new OnboardingSteps(locked)
  const taken = steps.take(
    { kind: 'follow-up-waived', followUpId, reason, at: now.toISOString(), by: 'operations' },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'rejected') return new Rejected([taken.rejection])
  steps.store(tx, taken.step.jobs)
  const firmId = locked.firm_id
  writeAudit(context, { action: 'waive-follow-up', firmId, accountNumber, changes: { followUpId, reason } })
  const onboarding = await readOnboarding(tx, accountNumber)
  if (!onboarding) throw new Error(`the onboarding of ${accountNumber} is gone`)
  return renderOnboarding(context, onboarding)
}
